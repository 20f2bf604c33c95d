extension ClassDescription {
  /// The maximum number of properties of a class.
  ///
  /// Every engine can bind as many values in one statement, with room for an object ID.
  static let maximumProperties = 990

  /// Checks the description for contradictions and for violations of the storage contract.
  ///
  /// - Throws: `.invalidClass` with the class, the property and the remedy.
  func validate() throws(VaultError) {
    try validateTable()
    try validateProperties()
    try validateObjectID()
    try validateReferences()
    try validateOwned()
    try validateIndexes()
    try validateSearch()
    try validateSharing()
    try validateOptions()
  }

  private func validateTable() throws(VaultError) {
    if let problem = Self.problem(withName: table) {
      throw invalid("its table name \(problem)", remedy: "Give another with `table:`.")
    }
    if name.isEmpty { throw invalid("it has no name", remedy: "Give it one.") }
    if version < 1 {
      throw invalid("its version is \(version)", remedy: "Count versions from 1.")
    }
  }

  private func validateProperties() throws(VaultError) {
    if properties.count > Self.maximumProperties {
      throw invalid(
        "it has \(properties.count) properties", remedy: "At most \(Self.maximumProperties) fit.")
    }
    if properties.isEmpty && objectID != .generated {
      throw invalid(
        "it has no properties", remedy: "Give it at least the one that is its objectID.")
    }
    var names: Set<String> = []
    var columns: Set<String> = []
    for (position, property) in properties.enumerated() {
      if let problem = Self.problem(withName: property.column) {
        throw invalid(
          "the column of property '\(property.name)' \(problem)",
          remedy: "Name the column with `@Column`.")
      }
      if property.name.isEmpty { throw invalid("a property has no name", remedy: "Give it one.") }
      if let defect = property.defect {
        throw invalid("\(defect)", remedy: "Give the property another default.")
      }
      try validateColumn(of: property, at: position)
      try validateConverter(of: property, at: position)
      if let value = property.defaultValue, !value.isNull {
        do {
          _ = try property.checked(value, in: self, at: properties.count)
        } catch {
          throw invalid(
            "the default value of property '\(property.name)' is not one of its type",
            remedy: "Give the property another default.")
        }
      }
      if !names.insert(property.name).inserted {
        throw invalid("property '\(property.name)' is there twice", remedy: "Leave one out.")
      }
      if !columns.insert(property.column.asciiLowercased).inserted {
        throw invalid(
          "two properties are kept in column '\(property.column)' (case does not count)",
          remedy: "Name the column of one with `@Column`.")
      }
      if objectID == .generated,
        property.column.asciiLowercased == Self.generatedIDColumn.asciiLowercased
      {
        throw invalid(
          "the column of property '\(property.name)' is that of the generated objectID",
          remedy: "Name the column with `@Column`, or make the property the objectID.")
      }
    }
  }

  private func validateConverter(
    of property: PropertyDescription, at position: Int
  ) throws(VaultError) {
    guard let converter = property.converter else { return }
    if converter.takesOptionals {
      throw invalid(
        "converter '\(converter.name)' of property '\(property.name)' makes values of an optional type",
        remedy: "Let its 'Value' be the type without the optional: nil is stored without it.")
    }
    if case .properties(let positions) = objectID, positions.contains(position) {
      throw invalid(
        "property '\(property.name)' of its objectID has a converter",
        remedy: "Conform the property's type to 'ConvertibleToStorable' and 'ObjectIDValue'.")
    }
    if references.contains(where: { $0.properties.contains(property.name) }) {
      throw invalid(
        "property '\(property.name)', which refers to objects, has a converter",
        remedy: "Leave it out: a reference is stored as the objectID that it refers to.")
    }
  }

  private func validateObjectID() throws(VaultError) {
    guard case .properties(let positions) = objectID else { return }
    guard positions.allSatisfy(properties.indices.contains), Set(positions).count == positions.count
    else {
      throw invalid(
        "its objectID names a property that it does not have, or one twice",
        remedy: "Name stored properties of the class.")
    }
    for position in positions {
      let property = properties[position]
      if property.isOptional, positions.count > 1 || !objectIDIsRowID {
        throw invalid(
          "property '\(property.name)' of its objectID may be nil",
          remedy: "Only a single integer objectID can be optional: nil has the vault generate one.")
      }
    }
  }

  private func validateIndexes() throws(VaultError) {
    for index in indexes {
      if index.properties.isEmpty {
        throw invalid("an index names no property", remedy: "Name one.")
      }
      for name in index.properties where !properties.contains(where: { $0.name == name }) {
        throw invalid(
          "an index names '\(name)', which is no property of it", remedy: "Name its properties.")
      }
    }
    let names = TableDefinition(description: self).indexes.map(\.name.asciiLowercased)
    if Set(names).count < names.count {
      throw invalid(
        "two of its indexes have one name, which is made of their columns' names",
        remedy: "Leave one out, or rename a column with `@Column`.")
    }
  }

  /// Returns the reason that rules a name out for a table or column, or `nil` if the name is valid.
  private static func problem(withName name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.utf8.contains(0) { return "contains a NUL character" }
    let lowercased = name.asciiLowercased
    for prefix in ["sqlite_", "objectvault_", "ov_"] where lowercased.hasPrefix(prefix) {
      return "'\(name)' begins with '\(prefix)', which is reserved"
    }
    return nil
  }

  func invalid(_ problem: String, remedy: String) -> VaultError {
    VaultError(.invalidClass, "Class '\(name)' cannot be stored: \(problem). \(remedy)")
  }
}

extension String {
  /// The string with A-Z in lower case, for comparing names as SQLite does.
  var asciiLowercased: String {
    String(
      decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
