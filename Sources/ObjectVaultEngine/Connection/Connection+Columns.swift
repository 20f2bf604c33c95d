internal import CSQLCipher
package import ObjectVaultDriver

extension Connection {
  /// Returns whether a table of the file has a column, according to the schema that was last read.
  ///
  /// A-Z equal a-z.
  package func hasColumn(_ column: String, in table: String) throws(DriverError) -> Bool {
    let code = sqlite3_table_column_metadata(
      try open(), "main", table, column, nil, nil, nil, nil, nil)
    switch code & 0xff {
    case SQLITE_OK: return true
    case SQLITE_ERROR: return false
    default: throw failure(code)
    }
  }
}
