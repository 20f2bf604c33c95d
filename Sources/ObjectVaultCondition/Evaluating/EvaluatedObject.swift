/// An object as the reference evaluator sees it, with those that it is associated with.
package protocol EvaluatedObject {
  /// The stored value at a property's position.
  func storedValue(at position: Int) -> StoredValue

  /// The objects that one step leads to.
  func objects(across step: AssociationStep) -> [any EvaluatedObject]
}

/// An object without associations.
struct EvaluatedRow: EvaluatedObject {
  let row: (Int) -> StoredValue

  func storedValue(at position: Int) -> StoredValue { row(position) }
  func objects(across step: AssociationStep) -> [any EvaluatedObject] { [] }
}
