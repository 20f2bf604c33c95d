/// A name as it stands in SQL: always quoted, so that keywords and any text work.
package struct SQLIdentifier: Sendable, Hashable, CustomStringConvertible {
  /// The name in double quotes, quotes in it doubled.
  package let description: String

  package init(_ name: String) {
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    // Scalar by scalar: a quote with a combining mark after it is not a quote to Character.
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    description = String(quoted)
  }
}
