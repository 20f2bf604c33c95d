package import ObjectVaultDriver

extension ClassDescription {
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

  /// Returns the error of a converter with the name of the property that a value was given for.
  package func naming(
    ofGiven property: PropertyDescription, in description: ClassDescription
  ) -> VaultError {
    var error = self
    error.message =
      "Property '\(property.name)' of class '\(description.name)' cannot store the value. "
      + "\(message)"
    return error
  }
}
