internal import CSQLCipher

internal import ObjectVaultPlatform

extension Statement {
  /// Runs to the end with the values of another statement's row, which may belong to another
  /// connection.
  ///
  /// The engine copies each value unchanged: its storage class, its bytes, the encoding of a text.
  ///
  /// - Parameter other: The statement at the row.
  /// - Throws: ``DriverError/Code/range`` if the row has more columns than this statement has
  ///   parameters.
  package func run(withRowOf other: Statement) throws(DriverError) {
    sqlite3_reset(pointer)
    for column in 0..<sqlite3_column_count(other.pointer) {
      let code = sqlite3_bind_value(
        pointer, column + 1, sqlite3_column_value(other.pointer, column))
      guard code == SQLITE_OK else { throw failed(code) }
    }
    while try step() {}
    sqlite3_reset(pointer)
  }
}

extension Row {
  /// Returns whether another row has as many columns, each with the same storage class and the same
  /// bytes.
  ///
  /// No value is converted: 1 and 1.0 differ, and a text differs from a blob with the same bytes.
  ///
  /// - Parameters:
  ///   - other: The other row.
  ///   - isUTF16: Whether the texts of both files are stored in UTF-16. To determine its length in
  ///     UTF-8, the engine would convert such a text, which is inexact if the text is not
  ///     well-formed.
  /// - Returns: Whether the rows are identical.
  package func isIdentical(to other: Row, isUTF16: Bool) -> Bool {
    let count = sqlite3_column_count(statement)
    guard statement != nil, sqlite3_column_count(other.statement) == count else { return false }
    for column in 0..<count {
      let storage = sqlite3_column_type(statement, column)
      guard storage == sqlite3_column_type(other.statement, column) else { return false }
      switch storage {
      case SQLITE_INTEGER:
        guard
          sqlite3_column_int64(statement, column) == sqlite3_column_int64(other.statement, column)
        else { return false }
      case SQLITE_FLOAT:
        guard
          sqlite3_column_double(statement, column).bitPattern
            == sqlite3_column_double(other.statement, column).bitPattern
        else { return false }
      case SQLITE_NULL:
        break
      default:
        let isWide = isUTF16 && storage == SQLITE_TEXT
        let (first, second) = (bytes(column, isWide), other.bytes(column, isWide))
        guard first.count == second.count else { return false }
        guard first.count > 0 else { continue }
        guard let start = first.baseAddress, let other = second.baseAddress,
          memcmp(start, other, first.count) == 0
        else { return false }
      }
    }
    return true
  }

  /// Returns the bytes of a text or blob as stored, except for the byte order of UTF-16.
  private func bytes(_ column: Int32, _ isWide: Bool) -> UnsafeRawBufferPointer {
    let start: UnsafeRawPointer?
    let count: Int32
    if isWide {
      start = sqlite3_column_text16(statement, column)
      count = sqlite3_column_bytes16(statement, column)
    } else {
      start = sqlite3_column_blob(statement, column)
      count = sqlite3_column_bytes(statement, column)
    }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
  }
}
