package import ObjectVaultDriver

extension ClassDescription {
  /// Returns an error of binding one of several objects with the name of the property whose value
  /// cannot be stored.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - objects: The objects. They are bound again, property by property, until one fails.
  ///   - positions: The positions of the properties that were bound; `nil` for all of them.
  /// - Returns: The error, unchanged if no property alone fails.
  @inline(never)
  package func naming<T: VaultObject>(
    _ error: any Error, binding objects: some Sequence<T>, only positions: [Int]? = nil
  ) -> any Error {
    let named = naming(error)
    guard let original = error as? VaultError, var error = named as? VaultError,
      error.code == .invalidValue, error.propertyNames.isEmpty
    else { return named }
    for object in objects {
      guard let property = rejectedProperty(of: object, only: positions) else { continue }
      if error.message == original.message { error = error.naming(ofGiven: property, in: self) }
      error.className = name
      error.propertyNames = [property.name]
      return error
    }
    return error
  }

  /// Returns the first property of an object whose value cannot be stored.
  private func rejectedProperty<T: VaultObject>(
    of object: T, only positions: [Int]?
  ) -> PropertyDescription? {
    func isBound(_ wanted: UInt64) -> Bool {
      (try? BoundValue.values(properties.count) { try object.encode(into: $0.only(wanted)) }) != nil
    }
    // The values from position 64 on are always bound.
    guard !isBound(.max), isBound(0) else { return nil }
    return properties.indices.prefix(64).first { position in
      positions?.contains(position) ?? true && !isBound(1 << UInt64(position))
    }.map { properties[$0] }
  }

  /// Returns an error about an object with the property's name instead of the column's position.
  @inline(never)
  package func naming(_ error: any Error) -> any Error {
    guard let error = error as? VaultError, error.code == .invalidValue else { return error }
    let exchanged = exchanged
    return error.naming(exchanged.count) {
      "Property '\(exchanged[$0].name)' of class '\(name)'"
    }
  }
}

extension VaultError {
  /// Returns the error with a name instead of the column's position at the start of the message.
  ///
  /// - Parameters:
  ///   - count: The number of columns.
  ///   - name: A function that returns the name for the column at a position.
  /// - Returns: The error, unchanged if it does not begin with a column's position.
  package func naming(_ count: Int, _ name: (Int) -> String) -> VaultError {
    for position in 0..<count {
      let start = "Column \(position)"
      guard message.hasPrefix(start + " ") || message.hasPrefix(start + ":") else { continue }
      var error = self
      error.message = name(position) + message.dropFirst(start.count)
      return error
    }
    return self
  }

  /// Returns the error of a value with the name of the property that it was given for.
  package func naming(
    ofGiven property: PropertyDescription, in description: ClassDescription
  ) -> VaultError {
    var error = self
    error.message =
      "Property '\(property.name)' of class '\(description.name)' cannot store the value. "
      + "\(message)"
    error.className = description.name
    error.propertyNames = [property.name]
    return error
  }
}
