import ObjectVaultDriver

/// Names in clauses, quoted with backquotes if necessary.
///
/// Names of letters, digits and underscores are unquoted unless they are keywords. All other names
/// are quoted, so that a name can never become more than a name. Double quotes are not used,
/// because SQLite treats a double-quoted name that does not exist as a string.
package enum SQLName {
  package static func text(_ name: String) -> String {
    isPlain(name) ? name : SQLIdentifier.neverText(name).description
  }

  package static func statement(_ name: String) -> SQLStatement {
    "\(unchecked: text(name))"
  }

  package static func list(_ names: some Sequence<String>) -> SQLStatement {
    "\(unchecked: names.map(text).joined(separator: ", "))"
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first), name.utf8.allSatisfy(isWord) else {
      return false
    }
    return !keywords.contains(name.asciiLowercased)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
  }

  /// The keywords of all SQLite versions so far, and `true` and `false`, which are values.
  static let keywords = Set(
    """
    abort action add after all alter always analyze and as asc attach autoincrement before begin
    between by cascade case cast check collate column commit conflict constraint create cross current
    current_date current_time current_timestamp database default deferrable deferred delete desc detach
    distinct do drop each else end escape except exclude exclusive exists explain fail false filter
    first following for foreign from full generated glob group groups having if ignore immediate in
    index indexed initially inner insert instead intersect into is isnull join key last left like limit
    match materialized natural no not nothing notnull null nulls of offset on or order others outer over
    partition plan pragma preceding primary query raise range recursive references regexp reindex
    release rename replace restrict returning right rollback row rows savepoint select set table temp
    temporary then ties to transaction trigger true unbounded union unique update using vacuum values
    view virtual when where window with within without
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
