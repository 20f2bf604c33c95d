extension ClassDescription {
  /// An error of reading or binding an object, with the name of the property in the place of its
  /// column's position.
  @inline(never)
  func naming(_ error: any Error) -> any Error {
    guard let error = error as? VaultError, error.code == .invalidValue else { return error }
    let exchanged = exchanged
    return error.naming(exchanged.count) {
      "Property '\(exchanged[$0].name)' of class '\(name)'"
    }
  }
}

extension VaultError {
  /// With the name of a column in the place of its position, from which what the readers of values say
  /// begins.
  ///
  /// - Parameters:
  ///   - count: How many columns there are.
  ///   - name: What errors are to call the column at a position.
  func naming(_ count: Int, _ name: (Int) -> String) -> VaultError {
    for position in 0..<count {
      let start = "Column \(position)"
      guard message.hasPrefix(start + " ") || message.hasPrefix(start + ":") else { continue }
      var error = self
      error.message = name(position) + message.dropFirst(start.count)
      return error
    }
    return self
  }

  /// With the name of the property that a value was given for, of which converters do not know.
  func naming(
    ofGiven property: PropertyDescription, in description: ClassDescription
  ) -> VaultError {
    var error = self
    error.message =
      "Property '\(property.name)' of class '\(description.name)' cannot have what is given. \(message)"
    return error
  }
}
