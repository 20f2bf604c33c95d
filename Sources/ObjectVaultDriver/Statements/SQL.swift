import ObjectVaultCondition

/// SQL fragments in the dialect of SQLite 3.15 that all statements share.
package enum SQL {
  /// Returns a quoted identifier.
  ///
  /// Keywords and all Unicode names are allowed.
  package static func quoted(_ identifier: String) -> String {
    SQLIdentifier(identifier).description
  }

  /// Returns quoted identifiers, separated by commas.
  package static func list(_ identifiers: some Sequence<String>) -> String {
    identifiers.map(quoted).joined(separator: ", ")
  }

  /// Returns the parameters for the given positions, counted from 0, separated by commas.
  package static func parameters(_ positions: some Sequence<Int>) -> String {
    positions.map { "?\($0 + 1)" }.joined(separator: ", ")
  }

  /// Returns a text as a literal.
  ///
  /// The text is a name of the library or the default of a class, never a value of an object.
  package static func text(_ value: String) -> String { value.quoted(by: "'") }

  /// Returns a name or text without its quotes, and with one quote for each doubled one.
  package static func unquoted(_ quoted: String) -> String {
    let quote = quoted.unicodeScalars.last
    var text = String.UnicodeScalarView()
    var isDoubled = false
    for scalar in quoted.unicodeScalars.dropFirst().dropLast() {
      isDoubled = scalar == quote && !isDoubled
      if !isDoubled { text.append(scalar) }
    }
    return String(text)
  }

  /// Returns the name of a trigger and the statement that creates it.
  package static func trigger(
    _ name: String, _ event: String, on table: String, _ body: [String], when condition: String?
  ) -> (String, String) {
    let condition = condition.map { " WHEN \($0)" } ?? ""
    return (
      name,
      "CREATE TRIGGER \(quoted(name)) \(event) ON \(quoted(table))\(condition) "
        + "BEGIN \(body.map { "\($0); " }.joined())END"
    )
  }

  /// Returns bytes as hexadecimal digits, two per byte.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
