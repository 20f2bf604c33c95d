import ObjectVaultCondition
package import ObjectVaultDriver

extension ClassDescription {
  /// The target tables of the references and of the owned properties.
  package var associatedTables: [String] { references.map(\.target) + owned.map(\.target) }
}

extension ClassDescription {
  /// Returns the reference with the given name.
  package func reference(named name: String) -> ReferenceDescription? {
    references.first { $0.name == name }
  }

  func validateReferences() throws(VaultError) {
    for reference in references {
      if reference.name.isEmpty { throw invalid("a reference has no name", remedy: "Name it.") }
      if references.count(where: { $0.name == reference.name }) > 1 {
        throw invalid("it has two references '\(reference.name)'", remedy: "Remove one.")
      }
      if reference.target.isEmpty || reference.target.utf8.contains(0) {
        throw invalid(
          "reference '\(reference.name)' has no target table",
          remedy: "Set the table of the referenced class.")
      }
      try validateProperties(of: reference)
      try validateName(of: reference)
    }
    for property in properties where property.valueType.isReference {
      guard references.contains(where: { $0.properties.contains(property.name) }) else {
        throw invalid(
          "property '\(property.name)' is a reference, but the class describes none for it",
          remedy: "Write its type as 'Ref<…>', not as a type alias, or add a ReferenceDescription.")
      }
    }
  }

  private func validateProperties(of reference: ReferenceDescription) throws(VaultError) {
    let names = reference.properties
    if names.isEmpty || Set(names).count < names.count
      || names.count != reference.targetColumns.count
      || reference.targetColumns.contains(where: { $0.isEmpty || $0.utf8.contains(0) })
    {
      throw invalid(
        "reference '\(reference.name)' has \(names.count) properties for the "
          + "\(reference.targetColumns.count) columns of its target's object ID",
        remedy: "Use a different property for each column.")
    }
    var optional = 0
    for name in names {
      guard let property = properties.first(where: { $0.name == name }) else {
        throw invalid(
          "reference '\(reference.name)' uses '\(name)', which is not a property of the class",
          remedy: "Use stored properties of the class.")
      }
      if property.isOptional { optional += 1 }
    }
    if optional > 0, optional < names.count {
      throw invalid(
        "only some properties of reference '\(reference.name)' are optional",
        remedy: "Make all of them optional, or none.")
    }
    if reference.onDelete == .nullify, optional == 0 {
      throw invalid(
        "reference '\(reference.name)' becomes nil when its object is removed, but is not optional",
        remedy: "Make it optional, or choose another delete rule.")
    }
    if reference.onDelete == .nullify, case .properties(let positions) = objectID,
      positions.contains(where: { names.contains(properties[$0].name) })
    {
      throw invalid(
        "reference '\(reference.name)' becomes nil when its object is removed, but is part of the "
          + "object ID",
        remedy: "Choose another delete rule.")
    }
  }

  /// Checks that the name of a reference is unambiguous in conditions.
  private func validateName(of reference: ReferenceDescription) throws(VaultError) {
    if reference.properties == [reference.name] { return }
    if properties.contains(where: { $0.name == reference.name }) {
      throw invalid(
        "'\(reference.name)' is the name of both a property and a reference with other properties",
        remedy: "Rename one of them.")
    }
  }

  func validateOwned() throws(VaultError) {
    for owned in owned {
      if owned.name.isEmpty || owned.target.isEmpty || owned.reference.isEmpty {
        throw invalid(
          "owned objects lack a name, a table, or a reference to their owner",
          remedy: "Set all three.")
      }
      let isTaken =
        properties.contains { $0.name == owned.name } || reference(named: owned.name) != nil
        || self.owned.count(where: { $0.name == owned.name }) > 1
        || objectID == .generated && owned.name == Self.generatedIDColumn
      if isTaken {
        throw invalid(
          "'\(owned.name)' is the name of both its owned objects and another member",
          remedy: "Rename one of them.")
      }
      if owned.isOrdered, !owned.isMany || !owned.sortedBy.isEmpty {
        throw invalid(
          "its owned objects '\(owned.name)' are ordered, but are "
            + (owned.isMany ? "also sorted by a property" : "a single object"),
          remedy: "Remove one of the two.")
      }
      if owned.target == table {
        throw invalid(
          "its owned objects '\(owned.name)' are of the class itself, so loading one would never "
            + "end",
          remedy:
            "Store only a reference to the owner, and query the store for the objects that refer "
            + "to it.")
      }
    }
  }

  /// Checks that no two owned properties have the same objects.
  ///
  /// - Throws: `.invalidClass`: a save could not determine which objects were removed.
  package func validateOwnedReferences() throws(VaultError) {
    for (place, owned) in owned.enumerated() {
      let other = self.owned[..<place].first {
        $0.target == owned.target && $0.reference == owned.reference
      }
      guard let other else { continue }
      throw invalid(
        "its owned objects '\(other.name)' and '\(owned.name)' use the same reference "
          + "'\(owned.reference)' of table '\(owned.target)'",
        remedy: "Keep one of the two and sort its objects, or declare a reference for each.")
    }
  }

  /// Checks the associations of the class against the other classes.
  ///
  /// - Parameter others: The descriptions by table. Tables that are not among them are not checked.
  /// - Throws: `.invalidClass` for a reference to something else than an object ID, for owned
  ///   objects whose class has no such reference, and for cycles of ownership.
  package func validateAssociations(among others: [String: ClassDescription]) throws(VaultError) {
    for reference in references {
      guard let target = others[reference.target] else { continue }
      try validate(reference, to: target)
    }
    for owned in owned {
      guard let target = others[owned.target] else { continue }
      guard let reference = target.reference(named: owned.reference), reference.target == table
      else {
        throw invalid(
          "its owned objects '\(owned.name)' use reference '\(owned.reference)' of class "
            + "'\(target.name)', which does not refer to class '\(name)'",
          remedy: "Use a reference of that class to the owner.")
      }
      for name in owned.sortedBy {
        let property = target.properties.first { $0.name == name }
        guard property == nil || property?.sealing != nil else { continue }
        throw invalid(
          "its owned objects '\(owned.name)' are sorted by '\(name)', which is "
            + (property == nil ? "not a property of" : "sealed in")
            + " class '\(target.name)'",
          remedy: "Use a property of that class that is not sealed.")
      }
    }
    try validateOwnership(among: others)
  }

  private func validate(
    _ reference: ReferenceDescription, to target: ClassDescription
  ) throws(VaultError) {
    let columns = target.objectIDPositions.map { target.rowColumns[$0] }
    guard columns == reference.targetColumns else {
      throw invalid(
        "reference '\(reference.name)' refers to "
          + reference.targetColumns.map { "'\($0)'" }.joined(separator: ", ")
          + " of class '\(target.name)', but the object ID of that class is "
          + columns.map { "'\($0)'" }.joined(separator: ", "),
        remedy: "Use the object ID as that class declares it.")
    }
    for (name, position) in zip(reference.properties, target.objectIDPositions) {
      let type = properties.first { $0.name == name }?.type
      let wanted =
        position < target.properties.count ? target.properties[position].type : .int64
      guard let type, type.columnType == wanted.columnType else {
        throw invalid(
          "property '\(name)' of reference '\(reference.name)' is \(type?.rawValue ?? "missing"), "
            + "but its part of the object ID of class '\(target.name)' is \(wanted.rawValue)",
          remedy: "Use the same type.")
      }
    }
  }

  /// Returns whether owned objects, on any level, have references to each other in addition to those
  /// to their owners.
  ///
  /// - Parameter others: The descriptions of the owned classes.
  /// - Returns: `true` if one refers to another owned class, or to its own.
  package func ownedReferAhead(among others: [ClassDescription]) -> Bool {
    var classes: [ClassDescription] = []
    var owners: Set<[String]> = []
    var waiting = [self]
    while let next = waiting.popLast() {
      for owned in next.owned {
        owners.insert([owned.target, owned.reference])
        guard !classes.contains(where: { $0.table == owned.target }),
          let target = others.first(where: { $0.table == owned.target })
        else { continue }
        classes.append(target)
        waiting.append(target)
      }
    }
    return classes.contains { description in
      description.references.contains { reference in
        !owners.contains([description.table, reference.name])
          && classes.contains { $0.table == reference.target }
      }
    }
  }

  /// Returns the tables of owned classes, on any level, to which a single path of owned properties
  /// leads.
  ///
  /// - Parameter others: The descriptions of the owned classes.
  /// - Returns: The tables.
  package func soleOwnedTables(among others: [ClassDescription]) -> Set<String> {
    var paths: [String: Int] = [:]
    var waiting = owned
    while let next = waiting.popLast() {
      let count = paths[next.target, default: 0] + 1
      paths[next.target] = count
      // Two paths are enough, and a description that was not checked may have a cycle.
      if count <= 2 { waiting += others.first { $0.table == next.target }?.owned ?? [] }
    }
    return Set(paths.filter { $0.value == 1 }.keys)
  }

  /// Checks that no object is among the objects that it owns, since loading it would never end.
  private func validateOwnership(among others: [String: ClassDescription]) throws(VaultError) {
    var visited: Set<String> = []
    var tables = owned.map(\.target)
    while let next = tables.popLast() {
      if next == table {
        throw invalid(
          "its owned objects lead back to the class, so loading one would never end",
          remedy: "Replace one of the owned properties in the cycle with a reference.")
      }
      if visited.insert(next).inserted { tables += others[next]?.owned.map(\.target) ?? [] }
    }
  }
}
