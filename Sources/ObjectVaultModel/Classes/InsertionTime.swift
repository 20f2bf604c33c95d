import ObjectVaultDriver

/// The column that stores the time when an object was last inserted, for classes that request it.
///
/// The time is in seconds since 1970, rounded to milliseconds. Statements of the library set the
/// column; no property corresponds to it.
package enum InsertionTime {
  /// The name of the column.
  ///
  /// Its prefix is reserved, so no property can have it.
  package static let column = "ov_inserted"

  package static var quotedColumn: String { SQL.quoted(column) }

  /// The type of the column.
  ///
  /// The value is `NULL` for objects that another program inserted: their time is unknown.
  package static let columnType = "REAL"
}
