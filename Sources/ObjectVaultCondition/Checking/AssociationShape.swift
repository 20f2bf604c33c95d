/// What conditions need to know of an association.
package struct AssociationShape: Sendable {
  /// The way to the other objects.
  package var step: AssociationStep
  /// Whether this side keeps the objectID of the other, as a reference does.
  package var isReference: Bool
  /// Whether what this side keeps may be nil.
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

/// One step of a path: from the rows of one table to those of another.
package struct AssociationStep: Sendable, Hashable {
  /// Two values that are equal where two objects are associated.
  package struct Pair: Sendable, Hashable {
    /// The position in the row that the step begins at.
    package var near: Int
    /// The position in the row that it leads to.
    package var far: Int

    package init(near: Int, far: Int) {
      self.near = near
      self.far = far
    }
  }

  /// The name of the association.
  package var name: String
  /// Whether it leads to more than one object.
  package var isMany: Bool
  /// The table that it leads to.
  package var table: String
  /// That table's columns by the positions of the properties.
  package var columns: [String]
  /// What associated objects agree in; nil agrees with nothing.
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
