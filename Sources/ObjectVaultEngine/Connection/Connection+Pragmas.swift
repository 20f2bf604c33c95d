internal import CSQLCipher
package import ObjectVaultDriver

extension Connection {
  /// Sets a pragma and reads it back.
  ///
  /// The engine ignores unknown pragmas and invalid values. Only reading back shows whether a value
  /// was accepted.
  ///
  /// - Parameters:
  ///   - name: The name, in lower case.
  ///   - value: The value: a word or a number.
  ///   - expecting: The value expected on reading back, ignoring case, or `nil` for pragmas that
  ///     cannot be read.
  /// - Throws: ``DriverError/Code/settingNotApplied(_:)`` if another value is read.
  package func setPragma(
    _ name: String, to value: String, expecting: String?
  ) throws(DriverError) {
    try checkPragma(name)
    guard isWord(value, orHas: 0x2d) else {
      throw DriverError(.misuse, "The value for PRAGMA \(name) is neither a word nor a number.")
    }
    pragmaBeingSet = name
    defer { pragmaBeingSet = nil }
    // String interpolation would reallocate with each part.
    var sql = ""
    sql.reserveCapacity(16 + name.utf8.count + value.utf8.count)
    sql += "PRAGMA "
    sql += name
    sql += " = "
    sql += value
    let answer = try firstValue(sql)
    guard let expecting else { return }
    // Some pragmas return the new value, which saves the second query.
    if isSame(answer, expecting) { return }
    try expectPragma(name, expecting)
  }

  /// Returns the value of a pragma, from the first column of its first row, or `nil` without a row.
  package func pragma(_ name: String) throws(DriverError) -> String? {
    try checkPragma(name)
    return try firstValue("PRAGMA \(name)")
  }

  func expectPragma(_ name: String, _ expected: String) throws(DriverError) {
    try expect(name, try pragma(name), expected)
  }

  func expect(_ name: String, _ value: String?, _ expected: String) throws(DriverError) {
    guard isSame(value, expected) else {
      throw DriverError(
        .settingNotApplied(name),
        "The engine did not accept the setting \(name) = \(expected). Its value is "
          + "\(value ?? "nothing"). Check which SQLCipher the process loads.")
    }
  }

  private func isSame(_ value: String?, _ expected: String) -> Bool {
    value == expected || value?.lowercased() == expected.lowercased()
  }

  private func checkPragma(_ name: String) throws(DriverError) {
    guard isWord(name) else {
      throw DriverError(.misuse, "The name of the PRAGMA is not a word.")
    }
  }

  /// Returns whether a text consists of letters, digits, underscores and one other permitted
  /// character.
  private func isWord(_ text: String, orHas other: UInt8? = nil) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      !bytes.isEmpty
        && bytes.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a: true
          default: byte == other
          }
        }
    }
  }
}
