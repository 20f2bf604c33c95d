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
}
