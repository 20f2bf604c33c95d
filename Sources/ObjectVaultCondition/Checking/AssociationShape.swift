/// The facts about an association that conditions need.
package struct AssociationShape: Sendable {
  /// The step to the associated objects.
  package var step: AssociationStep
  /// Whether this side stores the object ID of the other side, as a reference does.
  package var isReference: Bool
  /// Whether the stored object ID may be nil.
  package var isOptional: Bool
  /// The class at the other end.
  package var target: any ConditionSchema

  package init(
    _ step: AssociationStep, isReference: Bool, isOptional: Bool, target: any ConditionSchema
  ) {
    self.step = step
    self.isReference = isReference
    self.isOptional = isOptional
    self.target = target
  }
}

/// One step of a path, from the rows of one table to the rows of another.
package struct AssociationStep: Sendable, Hashable {
  /// Two columns whose values are equal if two objects are associated.
  package struct Pair: Sendable, Hashable {
    /// The position in the row at the start of the step.
    package var near: Int
    /// The position in the row at the end of the step.
    package var far: Int

    package init(near: Int, far: Int) {
      self.near = near
      self.far = far
    }
  }

  /// The name of the association.
  package var name: String
  /// Whether the step may lead to more than one object.
  package var isMany: Bool
  /// The table at the end of the step.
  package var table: String
  /// The columns of that table, indexed by the positions of the properties.
  package var columns: [String]
  /// The columns in which associated objects are equal; nil equals nothing here.
  package var pairs: [Pair]

  package init(
    _ name: String, isMany: Bool, table: String, columns: [String], pairs: [Pair]
  ) {
    self.name = name
    self.isMany = isMany
    self.table = table
    self.columns = columns
    self.pairs = pairs
  }
}
