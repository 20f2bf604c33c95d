import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

// The named values of an object for import and export: its properties and a generated object ID.
extension ClassDescription {
  /// Returns the values of a row from named values; missing values are replaced by defaults or nil.
  ///
  /// - Parameters:
  ///   - members: The values; names are unique.
  ///   - ignoringUnknown: Whether to ignore names that are not properties.
  ///   - stored: Returns the stored form of a value for a property.
  /// - Returns: The values in the order of ``exchanged``.
  /// - Throws: `.noSuchProperty`; `.invalidArgument` for the name of an owned association;
  ///   `.invalidValue` if a required property has no value; errors thrown by `stored`.
  func row<V>(
    of members: some Sequence<(name: String, value: V)>, ignoringUnknown: Bool,
    _ stored: (V, PropertyDescription, _ position: Int) throws -> StoredValue
  ) throws -> [StoredValue] {
    let exchanged = exchanged
    var values: [StoredValue?] = Array(repeating: nil, count: exchanged.count)
    for (name, value) in members {
      guard let position = exchanged.firstIndex(where: { $0.name == name }) else {
        if ignoringUnknown { continue }
        throw owned.contains { $0.name == name } ? ownedByName(name) : noSuchProperty(name)
      }
      values[position] = try stored(value, exchanged[position], position)
    }
    return try exchanged.indices.map { position in
      let property = exchanged[position]
      if let value = values[position] ?? property.defaultValue { return value }
      let isGenerated = objectIDIsRowID && objectID == .properties([position])
      if property.isOptional || isGenerated { return .null }
      throw VaultError(
        .invalidValue,
        "Property '\(property.name)' of class '\(self.name)' is missing from the values, is not "
          + "optional and has no default. Add a value.")
    }
  }

  private func ownedByName(_ name: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "'\(name)' of class '\(self.name)' contains objects of another class, which cannot be "
        + "created from these values. Create them with the store of their class.")
  }
}

extension PropertyDescription {
  /// Returns the stored form of a JSON value for the property.
  ///
  /// - Throws: `.invalidValue` if the value is not of the property's type.
  func checked(
    json: JSONValue, in description: ClassDescription, at position: Int
  ) throws -> StoredValue {
    let value: StoredValue
    do {
      value = try ExchangedValue.stored(json, as: type, isOptional: isOptional)
    } catch let refusal as ExchangedValue.Refusal {
      throw VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' has type "
          + "\(type.rawValue)\(isOptional ? "?" : ""), but \(refusal.reason). Correct the value.")
    }
    return try checked(value, in: description, at: position)
  }
}
