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
}
