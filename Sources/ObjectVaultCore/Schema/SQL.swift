/// The SQL dialect of SQLite 3.15, as far as every statement shares it.
enum SQL {
  /// An identifier, quoted, so that keywords and any Unicode name work.
  static func quoted(_ identifier: String) -> String {
    SQLIdentifier(identifier).description
  }

  /// Identifiers, quoted and separated by commas.
  static func list(_ identifiers: some Sequence<String>) -> String {
    identifiers.map(quoted).joined(separator: ", ")
  }

  /// Parameters with these numbers, counted from 0, separated by commas.
  static func parameters(_ positions: some Sequence<Int>) -> String {
    positions.map { "?\($0 + 1)" }.joined(separator: ", ")
  }

  /// Bytes as hexadecimal digits, two for each.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
