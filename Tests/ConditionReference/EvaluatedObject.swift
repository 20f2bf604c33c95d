package import ObjectVaultCondition

/// An object for the reference evaluator, with its associated objects.
package protocol EvaluatedObject {
  /// Returns the stored value at a property's position.
  func storedValue(at position: Int) -> StoredValue

  /// Returns the objects at the end of one step.
  func objects(across step: AssociationStep) -> [any EvaluatedObject]
}

/// An object without associations.
struct EvaluatedRow: EvaluatedObject {
  let row: (Int) -> StoredValue

  func storedValue(at position: Int) -> StoredValue { row(position) }
  func objects(across step: AssociationStep) -> [any EvaluatedObject] { [] }
}
