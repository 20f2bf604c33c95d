/// A name as it stands in SQL: always quoted, so that keywords and any text work.
package struct SQLIdentifier: Sendable, Hashable, CustomStringConvertible {
  /// The name in double quotes, quotes in it doubled.
  package let description: String

  package init(_ name: String) {
    self.init(name, by: "\"")
  }

  private init(_ name: String, by quote: Unicode.Scalar) {
    var quoted = String.UnicodeScalarView()
    quoted.append(quote)
    // Scalar by scalar: a quote with a combining mark after it is not a quote to Character.
    for scalar in name.unicodeScalars {
      if scalar == quote { quoted.append(quote) }
      quoted.append(scalar)
    }
    quoted.append(quote)
    description = String(quoted)
  }

  /// The name in backquotes, for names that nobody checked: in double quotes the engine takes one that
  /// no column has for a text, and the statement would answer something else without a word.
  static func neverText(_ name: String) -> SQLIdentifier {
    SQLIdentifier(name, by: "`")
  }
}
