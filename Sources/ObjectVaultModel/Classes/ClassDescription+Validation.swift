import ObjectVaultCondition
package import ObjectVaultDriver

extension ClassDescription {
  /// The maximum number of properties of a class.
  ///
  /// Every engine can bind as many values in one statement, with room for an object ID.
  static let maximumProperties = 990

  /// Checks the description for contradictions and for violations of the storage contract.
  ///
  /// - Throws: `.invalidClass` with the class, the property and the remedy.
  package func validate() throws(VaultError) {
    try validateTable()
    try validateProperties()
    try validateObjectID()
    try validateReferences()
    try validateOwned()
    try validateIndexes()
    try validateSearch()
    try validateSharing()
    try validateSealing()
    try validateOptions()
  }

  private func validateTable() throws(VaultError) {
    if let problem = Self.problem(withName: table) {
      throw invalid("its table name \(problem)", remedy: "Set another with `table:`.")
    }
    if name.isEmpty { throw invalid("it has no name", remedy: "Name it.") }
    if version < 1 {
      throw invalid("its version is \(version)", remedy: "Count versions from 1.")
    }
  }

  private func validateProperties() throws(VaultError) {
    if properties.count > Self.maximumProperties {
      throw invalid(
        "it has \(properties.count) properties", remedy: "Use at most \(Self.maximumProperties).")
    }
    if properties.isEmpty && objectID != .generated {
      throw invalid(
        "it has no properties", remedy: "Declare at least the property that is its object ID.")
    }
    var names: Set<String> = []
    var columns: Set<String> = []
    var writtenColumns: Set<String> = []
    for (position, property) in properties.enumerated() {
      if let problem = Self.problem(withName: property.column) {
        throw invalid(
          "the column of property '\(property.name)' \(problem)",
          remedy: "Set the column's name with `@Column`.")
      }
      if property.name.isEmpty { throw invalid("a property has no name", remedy: "Name it.") }
      if let defect = property.defect {
        throw invalid("\(defect)", remedy: "Use another default for the property.")
      }
      try validateColumn(of: property, at: position)
      try validateConverter(of: property, at: position)
      if let value = property.defaultValue, !value.isNull {
        do {
          _ = try property.checked(value, in: self, at: properties.count)
        } catch {
          throw invalid(
            "the default value of property '\(property.name)' has another type than the property",
            remedy: "Use another default for the property.")
        }
      }
      if !names.insert(property.name).inserted {
        throw invalid("it has two properties '\(property.name)'", remedy: "Remove one.")
      }
      // A KELVIN SIGN is equal to K, whose lower case is another letter.
      if !columns.insert(property.column.asciiLowercased).inserted
        || !writtenColumns.insert(property.column).inserted
      {
        throw invalid(
          "two properties use column '\(property.column)' (names are case-insensitive)",
          remedy: "Rename the column of one with `@Column`.")
      }
      if objectID == .generated,
        property.column.asciiLowercased == Self.generatedIDColumn.asciiLowercased
      {
        throw invalid(
          "the column of property '\(property.name)' is that of the generated object ID",
          remedy: "Set the column's name with `@Column`, or use the property as the object ID.")
      }
    }
  }

  private func validateConverter(
    of property: PropertyDescription, at position: Int
  ) throws(VaultError) {
    guard let converter = property.converter else { return }
    if converter.takesOptionals {
      throw invalid(
        "converter '\(converter.name)' of property '\(property.name)' converts to an optional type",
        remedy: "Use the non-optional type as its 'Value'; nil is stored without it.")
    }
    if case .properties(let positions) = objectID, positions.contains(position) {
      throw invalid(
        "property '\(property.name)' of its object ID has a converter",
        remedy: "Conform the property's type to 'ConvertibleToStorable' and 'ObjectIDValue'.")
    }
    if references.contains(where: { $0.properties.contains(property.name) }) {
      throw invalid(
        "property '\(property.name)', which refers to objects, has a converter",
        remedy: "Remove it: a reference is stored as the object ID of its object.")
    }
  }

  private func validateObjectID() throws(VaultError) {
    guard case .properties(let positions) = objectID else { return }
    guard positions.allSatisfy(properties.indices.contains), Set(positions).count == positions.count
    else {
      throw invalid(
        "its object ID contains a missing property, or one property twice",
        remedy: "Use stored properties of the class.")
    }
    for position in positions {
      let property = properties[position]
      if property.isOptional, positions.count > 1 || !objectIDIsRowID {
        throw invalid(
          "property '\(property.name)' of its object ID is optional",
          remedy:
            "Only a single integer object ID can be optional: for nil, the vault generates one.")
      }
    }
  }

  private func validateIndexes() throws(VaultError) {
    for index in indexes {
      if index.properties.isEmpty {
        throw invalid("an index has no property", remedy: "Add one.")
      }
      for name in index.properties where !properties.contains(where: { $0.name == name }) {
        throw invalid(
          "an index contains '\(name)', which is not a property of the class",
          remedy: "Use stored properties of the class.")
      }
    }
    let names = declaredIndexes.map { name(of: $0).asciiLowercased }
    if Set(names).count < names.count {
      throw invalid(
        "two of its indexes have the same name, which is derived from their columns",
        remedy: "Remove one, or rename a column with `@Column`.")
    }
  }

  /// Returns the reason that rules a name out for a table or column, or `nil` if the name is valid.
  private static func problem(withName name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.utf8.contains(0) { return "contains a NUL character" }
    let lowercased = name.asciiLowercased
    for prefix in ReservedNames.prefixes where lowercased.hasBytePrefix(prefix) {
      return "'\(name)' begins with '\(prefix)', which is reserved"
    }
    return nil
  }

  package func invalid(_ problem: String, remedy: String) -> VaultError {
    VaultError(
      .invalidClass, "Class '\(name)' cannot be stored: \(problem). \(remedy)",
      underlying: InvalidClass(problem: problem))
  }
}

/// The reason why a class cannot be stored, without the remedy, which applies to declarations in
/// Swift.
package struct InvalidClass: Error {
  package let problem: String

  /// Creates a reason, as a clause without a period.
  package init(problem: String) { self.problem = problem }
}

extension String {
  /// The string with A-Z in lower case, for comparing names as SQLite does.
  package var asciiLowercased: String { String(decoding: asciiLowercasedUTF8, as: UTF8.self) }

  /// The bytes of ``asciiLowercased``, which differ for canonically equivalent names as in SQLite.
  package var asciiLowercasedUTF8: [UInt8] {
    utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
