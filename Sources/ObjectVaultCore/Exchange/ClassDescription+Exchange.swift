import ObjectVaultCondition

// What objects of a class are made of and give, by name: the properties, and the generated objectID.
extension ClassDescription {
  /// The properties in the order of a row, a generated objectID last.
  var exchanged: [PropertyDescription] {
    guard objectID == .generated else { return properties }
    let id = PropertyDescription(Self.generatedIDColumn, type: .int64, isOptional: true)
    return properties + [id]
  }

  /// The values of a row, made of values by name. What is not named has its default value, or none.
  ///
  /// - Parameters:
  ///   - members: The values; no name stands twice.
  ///   - ignoringUnknown: Whether names that no property has are passed over.
  ///   - stored: What a property keeps of a value.
  /// - Throws: `.noSuchProperty`; `.invalidArgument` for the name of owned objects; `.invalidValue`
  ///   where a property that needs a value has none; what `stored` throws.
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
        "Property '\(property.name)' of class '\(self.name)' is not among the values, is not optional "
          + "and has no default. Give it a value.")
    }
  }

  private func ownedByName(_ name: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "'\(name)' of class '\(self.name)' are objects of another class, which are not made of values "
        + "of this one. Make them by the store of their class.")
  }
}

extension PropertyDescription {
  /// What the property keeps of JSON.
  ///
  /// - Throws: `.invalidValue` where the type does not have the value.
  func checked(
    json: JSONValue, in description: ClassDescription, at position: Int
  ) throws -> StoredValue {
    let value: StoredValue
    do {
      value = try ExchangedValue.stored(json, as: type)
    } catch let refusal as ExchangedValue.Refusal {
      throw VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' is \(type.rawValue)"
          + "\(isOptional ? "?" : ""), and \(refusal.reason).")
    }
    return try checked(value, in: description, at: position)
  }
}
