/// The column that says when an object was last inserted, in classes that ask for it: seconds since
/// 1970, to the millisecond. Statements of the library set it; no property has it.
enum InsertionTime {
  /// Properties' columns cannot have a name that begins so.
  static let column = "ov_inserted"

  static var quotedColumn: String { SQL.quoted(column) }

  /// The time at which a statement began, as SQL: the engine's clock counts milliseconds, and its
  /// Julian days are exact to less than one.
  static let now = "round((julianday('now') - 2440587.5) * 86400.0, 3)"

  /// The definition of the column. `NULL` is what another program inserted: when is not known.
  static var definition: String { "\(quotedColumn) REAL" }
}
