import ObjectVaultCondition
import ObjectVaultDriver

/// The condition schema of a class and of the classes that its associations lead to.
package struct ClassSchema: ConditionSchema {
  let description: ClassDescription
  /// Returns the class graph; called only if a path crosses an association.
  let graph: @Sendable () throws -> ClassGraph

  package init(
    description: ClassDescription, graph: @escaping @Sendable () throws -> ClassGraph
  ) {
    self.description = description
    self.graph = graph
  }

  var className: String { description.name }
  var propertyNames: [String] { description.rowNames }
  var associationNames: [String] {
    description.references.map(\.name) + description.owned.map(\.name)
  }

  func property(named name: String) -> PropertyShape? { description.shape(named: name) }

  var objectID: [PropertyShape] {
    let names = description.rowNames
    return description.objectIDPositions.compactMap { description.shape(named: names[$0]) }
  }

  /// Returns the association with a name, or `nil` if the class has none.
  ///
  /// - Throws: ``VaultError``: `.noSuchClass` if the file does not have the target class;
  ///   `.invalidClass` if the target class lacks the properties or columns that the association
  ///   needs.
  func association(named name: String) throws -> AssociationShape? {
    if let reference = description.references.first(where: { $0.name == name }) {
      return try shape(of: reference)
    }
    if let owned = description.owned.first(where: { $0.name == name }) {
      return try shape(of: owned)
    }
    return nil
  }

  private func shape(of reference: ReferenceDescription) throws -> AssociationShape {
    let (target, schema) = try target(reference.target, of: reference.name)
    let pairs = try Self.pairs(reference, from: description, to: target)
    return AssociationShape(
      AssociationStep(
        reference.name, isMany: false, table: target.table, columns: target.rowColumns,
        pairs: pairs.map { AssociationStep.Pair(near: $0.kept, far: $0.meant) }),
      isReference: true,
      isOptional: pairs.contains { description.properties[$0.kept].isOptional }, target: schema)
  }

  private func shape(of owned: OwnedDescription) throws -> AssociationShape {
    let (target, schema) = try target(owned.target, of: owned.name)
    guard let reference = target.references.first(where: { $0.name == owned.reference }) else {
      throw target.invalid(
        "it has no reference '\(owned.reference)', by which '\(owned.name)' of class "
          + "'\(description.name)' finds its objects",
        remedy: "Request the store of the current class from the vault.")
    }
    let pairs = try Self.pairs(reference, from: target, to: description)
    return AssociationShape(
      AssociationStep(
        owned.name, isMany: owned.isMany, table: target.table, columns: target.rowColumns,
        pairs: pairs.map { AssociationStep.Pair(near: $0.meant, far: $0.kept) }),
      isReference: false, isOptional: false, target: schema)
  }

  private func target(
    _ table: String, of association: String
  ) throws -> (ClassDescription, ClassSchema) {
    let graph = try graph()
    guard let target = graph[table] else {
      throw VaultError(
        .noSuchClass,
        "'\(association)' of class '\(description.name)' leads to table '\(table)', for which the "
          + "vault has no class. Request the store of that class from the vault first.")
    }
    return (target, ClassSchema(description: target) { graph })
  }

  /// Returns pairs of positions: a property of the reference, and the target column it refers to.
  private static func pairs(
    _ reference: ReferenceDescription, from owner: ClassDescription, to target: ClassDescription
  ) throws(VaultError) -> [(kept: Int, meant: Int)] {
    var pairs: [(kept: Int, meant: Int)] = []
    for (property, column) in zip(reference.properties, reference.targetColumns) {
      guard let kept = owner.properties.firstIndex(where: { $0.name == property }),
        let meant = target.rowColumns.firstIndex(where: {
          $0.asciiLowercased == column.asciiLowercased
        })
      else {
        throw owner.invalid(
          "its reference '\(reference.name)' is not stored as class '\(target.name)' requires",
          remedy: "Request the stores of both current classes from the vault.")
      }
      pairs.append((kept, meant))
    }
    return pairs
  }
}

extension ClassDescription {
  /// The names of a row's columns in conditions.
  package var rowNames: [String] {
    properties.map(\.name) + (objectID == .generated ? [Self.generatedIDColumn] : [])
  }

  fileprivate func shape(named name: String) -> PropertyShape? {
    if let position = properties.firstIndex(where: { $0.name == name }) {
      let property = properties[position]
      return PropertyShape(
        name, at: position, type: property.type, isOptional: property.isOptional,
        isShared: property.isShared,
        sealed: property.sealing == nil ? nil : sealedColumn(position))
    }
    guard objectID == .generated, name == Self.generatedIDColumn else { return nil }
    return PropertyShape(name, at: properties.count, type: .int64, isOptional: false)
  }
}
