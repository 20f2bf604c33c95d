public import CSQLCipher

/// The current row of a statement, or values that are read like one.
///
/// Columns are read by position, counted from 0.
///
/// A row is valid only during the call that it is passed to.
///
/// ```swift
/// static func read(from row: Row, at position: Int) throws -> Celsius {
///   Celsius(row.real(at: position))
/// }
/// ```
public struct Row {
  /// The statement, or `nil` for values.
  @usableFromInline let statement: OpaquePointer?
  /// The layout of a statement's row, or the ``RowValues`` of a row of values.
  ///
  /// Not retained: the owner of the row retains it while the row is valid.
  @usableFromInline let uncountedSource: Unmanaged<AnyObject>?

  @inlinable
  package init(statement: OpaquePointer?, layout: AnyObject? = nil) {
    self.statement = statement
    uncountedSource = layout.map { Unmanaged.passUnretained($0) }
  }

  /// The layout for reading a class described at run time, or `nil` for Swift types.
  package var layout: AnyObject? {
    statement == nil ? source?.layout : uncountedSource?.takeUnretainedValue()
  }

  /// The number of columns.
  public var columnCount: Int {
    statement == nil ? source?.source.count ?? 0 : Int(sqlite3_column_count(statement))
  }

  /// Returns whether the column is NULL.
  @inlinable @inline(__always)
  public func isNull(at position: Int) -> Bool {
    storageClass(at: position) == SQLITE_NULL
  }

  /// Returns the column's storage class: `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`,
  /// `SQLITE_BLOB` or `SQLITE_NULL`.
  @inlinable @inline(__always)
  public func storageClass(at position: Int) -> Int32 {
    if statement == nil { return valueStorageClass(at: position) }
    return sqlite3_column_type(statement, Int32(truncatingIfNeeded: position))
  }

  /// Returns whether the column has the storage class integer, without conversion.
  package func holdsInteger(at position: Int) -> Bool {
    storageClass(at: position) == SQLITE_INTEGER
  }

  /// Returns the column as an integer, or 0 if it holds none.
  @inlinable @inline(__always)
  public func integer(at position: Int) -> Int64 {
    if statement == nil { return valueInteger(at: position) }
    return sqlite3_column_int64(statement, Int32(truncatingIfNeeded: position))
  }

  /// Returns the column as a double, or 0 if it holds none.
  @inlinable @inline(__always)
  public func real(at position: Int) -> Double {
    if statement == nil { return valueReal(at: position) }
    return sqlite3_column_double(statement, Int32(truncatingIfNeeded: position))
  }

  /// Returns the column as text, or `nil` if it is NULL.
  @inlinable @inline(__always)
  public func text(at position: Int) -> String? {
    if statement == nil { return valueText(at: position) }
    let column = Int32(truncatingIfNeeded: position)
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Returns the column as text, or `nil` if it is NULL or not valid UTF-8, which ``text(at:)``
  /// repairs.
  package func validText(at position: Int) -> String? {
    if statement == nil { return isRepaired(at: position) ? nil : valueText(at: position) }
    let column = Int32(truncatingIfNeeded: position)
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Calls `body` with the column's bytes, which are valid only during the call.
  ///
  /// - Parameters:
  ///   - position: The position of the column.
  ///   - body: Receives the bytes; empty for NULL.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @inlinable @inline(__always)
  public func withBytes<R, E: Error>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    if statement == nil {
      if let held = heldValueBytes(at: position) { return try body(held) }
      return try withValueBytes(at: position, body)
    }
    let column = Int32(truncatingIfNeeded: position)
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Calls `body` with the bytes of the column's text, which may not be valid UTF-8.
  ///
  /// - Parameters:
  ///   - position: The position of the column.
  ///   - body: Receives the bytes, valid only during the call; empty for NULL.
  /// - Returns: The result of `body`.
  package func withText<R>(at position: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    if statement == nil {
      if let held = heldValueBytes(at: position) { return body(held) }
      return withValueBytes(at: position, body)
    }
    let column = Int32(truncatingIfNeeded: position)
    let start = sqlite3_column_text(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
