package import ObjectVaultCondition
import ObjectVaultDriver

extension PropertyDescription {
  /// Returns the property with sealed values: they are encrypted before they reach the database.
  ///
  /// ```swift
  /// PropertyDescription("diagnosis", String.self).sealed()
  /// ```
  ///
  /// Each value is encrypted under a sealing key of the vault and bound to its object. The property
  /// must not be part of the object ID, of a reference or of the full-text index, must not be
  /// shared, and must not have a column definition. It has no default for objects that were stored
  /// before it existed.
  ///
  /// - Parameter sealing: The use in conditions.
  /// - Returns: The sealed property.
  public func sealed(_ sealing: Sealing = .hidden) -> PropertyDescription {
    var property = self
    property.sealing = sealing
    property.defaultValue = nil
    return property
  }

  /// Returns the property with values that are sealed and also need a key that can be destroyed.
  ///
  /// ```swift
  /// PropertyDescription("iban", String?.self).sealed(by: "key")
  /// ```
  ///
  /// The property must be optional: after its key is destroyed, a stored value is `nil`. See
  /// ``sealed(_:)`` for its other requirements. The property that names the key must be a required
  /// `String`, `UUID`, `Int` or `Int64`, and must not be sealed or part of a reference.
  ///
  /// - Parameter keyProperty: The name of the property with the name of the key.
  /// - Returns: The sealed property.
  public func sealed(by keyProperty: String) -> PropertyDescription {
    sealed(.by(keyProperty))
  }
}

extension ClassDescription {
  /// Whether the class has sealed properties.
  package var hasSealed: Bool { properties.contains { $0.sealing != nil } }

  /// The column of a sealed property by its position; `nil` for any other property.
  package func sealedColumn(_ position: Int) -> SealedColumn? {
    guard properties.indices.contains(position), let sealing = properties[position].sealing else {
      return nil
    }
    return SealedColumn(
      table: table, column: properties[position].column, isFindable: sealing.isFindable,
      isErasable: sealing.keyProperty != nil)
  }

  /// Whether values of the class need erasable keys.
  package var hasErasable: Bool { properties.contains { $0.sealing?.keyProperty != nil } }

  /// The position of the property that names the erasable key of another one; `nil` if none does.
  package func keyPosition(of position: Int) -> Int? {
    guard let name = properties[position].sealing?.keyProperty else { return nil }
    return properties.firstIndex { $0.name == name }
  }

  /// The names of the properties whose erasable keys a property names.
  package func propertiesSealed(by property: String) -> [String] {
    properties.filter { $0.sealing?.keyProperty == property }.map(\.name)
  }

  /// Returns the quoted column of a property as an index or a unique constraint contains it.
  package func indexedColumn(_ property: PropertyDescription) -> String {
    let column = SQL.quoted(property.column)
    return property.sealing == nil ? column : SQL.sealedIndex(of: column)
  }

  /// The indexes of findable properties that have no other index of their own.
  var sealedIndexes: [IndexDescription] {
    properties.filter { $0.sealing?.isFindable == true }.map { IndexDescription([$0.name]) }
      .filter { index in !indexes.contains { $0.properties.starts(with: index.properties) } }
  }

  /// The columns of each unique index with a sealed property.
  package var sealedUniqueIndexes: [[String]] {
    let sealed = Set(properties.filter { $0.sealing != nil }.map(\.name))
    return indexes.filter { $0.isUnique && !sealed.isDisjoint(with: $0.properties) }
      .map { columns(of: $0.properties) }
  }

  /// Checks the requirements of sealed properties.
  ///
  /// - Throws: `.invalidClass` for an invalid sealed property.
  func validateSealing() throws(VaultError) {
    for (position, property) in properties.enumerated() {
      guard let sealing = property.sealing else { continue }
      func refused(_ problem: String, _ remedy: String) -> VaultError {
        invalid("property '\(property.name)' is sealed, but \(problem)", remedy: remedy)
      }
      if objectIDPositions.contains(position) {
        throw refused("it is part of the object ID", "Seal other properties.")
      }
      if references.contains(where: { $0.properties.contains(property.name) }) {
        throw refused("it is part of a reference", "Seal other properties.")
      }
      if search?.properties.contains(property.name) == true {
        throw refused(
          "it is in the full-text index, which would contain its terms",
          "Seal the property, or search it.")
      }
      if property.isShared {
        throw refused("it is shared", "Equal values differ once they are sealed. Remove one.")
      }
      if property.definition != ColumnDefinition() {
        throw refused(
          "its column has its own type, length or constraints",
          "Remove them: the column contains encrypted bytes.")
      }
      if let value = property.defaultValue, !value.isNull {
        throw refused(
          "it has a default, which its column would contain in plaintext", "Remove the default.")
      }
      if !sealing.isFindable, indexes.contains(where: { $0.properties.contains(property.name) }) {
        throw refused(
          "it is in an index, which needs equal values", "Make it findable, or remove the index.")
      }
      if let name = sealing.keyProperty {
        if !property.isOptional {
          throw refused(
            "its values are unreadable after their key is destroyed", "Make it optional.")
        }
        if let problem = problem(ofKeyProperty: name) {
          throw refused(
            "'\(name)', which names its key, \(problem)",
            "Use a required property of type String, UUID, Int or Int64.")
        }
      }
      if sealing == .findable, let domain = property.smallDomain {
        throw refused(
          "its type \(domain), so that the frequency of each value reveals it",
          "Use `.findable(acceptingFrequencies: true)` to accept that, or seal it without "
            + "`.findable`.")
      }
    }
    try validateIDOfSealed()
  }

  /// Returns the reason that a property cannot name keys; `nil` if it can.
  private func problem(ofKeyProperty name: String) -> String? {
    guard let property = properties.first(where: { $0.name == name }) else {
      return "is not a property of the class"
    }
    if property.isOptional { return "is optional" }
    if property.sealing != nil { return "is sealed itself" }
    if property.converter != nil { return "has a converter" }
    if references.contains(where: { $0.properties.contains(name) }) {
      return "is part of a reference, which follows the object that it refers to"
    }
    return ErasableKeyName.types.contains(property.type)
      ? nil : "has type \(property.type.rawValue)"
  }

  private func validateIDOfSealed() throws(VaultError) {
    guard hasSealed, case .properties(let positions) = objectID else { return }
    let names = Set(positions.map { properties[$0].name })
    guard let reference = references.first(where: { !names.isDisjoint(with: $0.properties) })
    else { return }
    throw invalid(
      "it has sealed properties, which are bound to its object ID, and reference "
        + "'\(reference.name)' in the object ID follows the objects that it refers to",
      remedy: "Use another object ID.")
  }
}

extension PropertyDescription {
  /// The reason that values of the type are few; `nil` if they are many or unknown.
  fileprivate var smallDomain: String? {
    switch type {
    case .bool, .int8, .uint8, .int16, .uint16, .character: return "has few values"
    default: break
    }
    guard let count = valueType.caseCount, count <= Self.fewCases else { return nil }
    return "has \(count) cases"
  }

  /// The number of cases up to which an enumeration has few of them.
  private static var fewCases: Int { 1000 }
}
