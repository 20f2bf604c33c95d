import ObjectVaultCondition

/// A quoted SQL identifier; quoting allows keywords and any other text as a name.
package struct SQLIdentifier: Sendable, Hashable, CustomStringConvertible {
  /// The name in double quotes, with quotes inside it doubled.
  package let description: String

  package init(_ name: String) {
    self.init(name, by: "\"")
  }

  private init(_ name: String, by quote: Unicode.Scalar) {
    description = name.quoted(by: quote)
  }

  /// Returns an identifier in backquotes, for names that were not checked.
  ///
  /// SQLite treats a name in double quotes that is not a column as a string literal, and the
  /// statement would silently return other results.
  package static func neverText(_ name: String) -> SQLIdentifier {
    SQLIdentifier(name, by: "`")
  }
}
