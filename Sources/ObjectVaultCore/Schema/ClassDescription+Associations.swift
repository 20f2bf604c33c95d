extension ClassDescription {
  /// The target tables of the references and of the owned properties.
  var associatedTables: [String] { references.map(\.target) + owned.map(\.target) }
}

extension ClassDescription {
  /// Returns the reference with the given name.
  func reference(named name: String) -> ReferenceDescription? {
    references.first { $0.name == name }
  }

  func validateReferences() throws(VaultError) {
    for reference in references {
      if reference.name.isEmpty { throw invalid("a reference has no name", remedy: "Give it one.") }
      if references.count(where: { $0.name == reference.name }) > 1 {
        throw invalid("reference '\(reference.name)' is there twice", remedy: "Leave one out.")
      }
      if reference.target.isEmpty || reference.target.utf8.contains(0) {
        throw invalid(
          "reference '\(reference.name)' has no table to refer to",
          remedy: "Name the table of the class referred to.")
      }
      try validateProperties(of: reference)
      try validateName(of: reference)
    }
  }

  private func validateProperties(of reference: ReferenceDescription) throws(VaultError) {
    let names = reference.properties
    if names.isEmpty || Set(names).count < names.count
      || names.count != reference.targetColumns.count
      || reference.targetColumns.contains(where: { $0.isEmpty || $0.utf8.contains(0) })
    {
      throw invalid(
        "reference '\(reference.name)' keeps \(names.count) values for the "
          + "\(reference.targetColumns.count) columns of its target's objectID",
        remedy: "Give it one property for each column, each of its own.")
    }
    var optional = 0
    for name in names {
      guard let property = properties.first(where: { $0.name == name }) else {
        throw invalid(
          "reference '\(reference.name)' is kept in '\(name)', which is no property of it",
          remedy: "Name its properties.")
      }
      if property.isOptional { optional += 1 }
    }
    if optional > 0, optional < names.count {
      throw invalid(
        "of the properties of reference '\(reference.name)' some may be nil and some not",
        remedy: "Make all of them optional, or none.")
    }
    if reference.onDelete == .nullify, optional == 0 {
      throw invalid(
        "reference '\(reference.name)' is to become nil when its object is removed, and is not "
          + "optional", remedy: "Make it optional, or choose another delete rule.")
    }
    if reference.onDelete == .nullify, case .properties(let positions) = objectID,
      positions.contains(where: { names.contains(properties[$0].name) })
    {
      throw invalid(
        "reference '\(reference.name)' is to become nil when its object is removed, and is part of "
          + "the objectID", remedy: "Choose another delete rule.")
    }
  }

  /// Checks that the name of a reference is unambiguous in conditions.
  private func validateName(of reference: ReferenceDescription) throws(VaultError) {
    if reference.properties == [reference.name] { return }
    if properties.contains(where: { $0.name == reference.name }) {
      throw invalid(
        "'\(reference.name)' is a property and a reference that is kept elsewhere",
        remedy: "Name one of them otherwise.")
    }
  }

  func validateOwned() throws(VaultError) {
    for owned in owned {
      if owned.name.isEmpty || owned.target.isEmpty || owned.reference.isEmpty {
        throw invalid(
          "owned objects need a name, a table, and a reference to their owner",
          remedy: "Give all three.")
      }
      let isTaken =
        properties.contains { $0.name == owned.name } || reference(named: owned.name) != nil
        || self.owned.count(where: { $0.name == owned.name }) > 1
        || objectID == .generated && owned.name == Self.generatedIDColumn
      if isTaken {
        throw invalid(
          "'\(owned.name)' names its owned objects and something else",
          remedy: "Name one of them otherwise.")
      }
      if owned.target == table {
        throw invalid(
          "its owned objects '\(owned.name)' are of the class itself, so that loading one would load "
            + "without end",
          remedy: "Keep a reference to the owner alone, and ask the store for what refers to it.")
      }
    }
  }

  /// Checks the associations of the class against the other classes.
  ///
  /// - Parameter others: The descriptions by table. Tables that are not among them are not checked.
  /// - Throws: `.invalidClass` for a reference to something else than an object ID, for owned
  ///   objects whose class has no such reference, and for cycles of ownership.
  func validateAssociations(among others: [String: ClassDescription]) throws(VaultError) {
    for reference in references {
      guard let target = others[reference.target] else { continue }
      try validate(reference, to: target)
    }
    for owned in owned {
      guard let target = others[owned.target] else { continue }
      guard let reference = target.reference(named: owned.reference), reference.target == table
      else {
        throw invalid(
          "its owned objects '\(owned.name)' are found by reference '\(owned.reference)' of class "
            + "'\(target.name)', which is none to class '\(name)'",
          remedy: "Name a reference of that class to the owner.")
      }
      for property in owned.sortedBy
      where !target.properties.contains(where: { $0.name == property }) {
        throw invalid(
          "its owned objects '\(owned.name)' are in the order of '\(property)', which is no property "
            + "of class '\(target.name)'", remedy: "Name one of its properties.")
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
        "reference '\(reference.name)' is one to "
          + reference.targetColumns.map { "'\($0)'" }.joined(separator: ", ")
          + " of class '\(target.name)', whose objectID is "
          + columns.map { "'\($0)'" }.joined(separator: ", "),
        remedy: "Refer to the objectID as that class declares it.")
    }
    for (name, position) in zip(reference.properties, target.objectIDPositions) {
      let type = properties.first { $0.name == name }?.type
      let wanted =
        position < target.properties.count ? target.properties[position].type : .int64
      guard let type, type.columnType == wanted.columnType else {
        throw invalid(
          "property '\(name)' of reference '\(reference.name)' is \(type?.rawValue ?? "missing"), and "
            + "the part of the objectID of class '\(target.name)' that it keeps is \(wanted.rawValue)",
          remedy: "Give it the same type.")
      }
    }
  }

  /// Checks that no object is among the objects that it owns, since loading it would never end.
  private func validateOwnership(among others: [String: ClassDescription]) throws(VaultError) {
    var visited: Set<String> = []
    var tables = owned.map(\.target)
    while let next = tables.popLast() {
      if next == table {
        throw invalid(
          "it is among the objects that it owns, so that loading one would load without end",
          remedy: "Make one of the owned properties in the circle a reference.")
      }
      if visited.insert(next).inserted { tables += others[next]?.owned.map(\.target) ?? [] }
    }
  }
}
