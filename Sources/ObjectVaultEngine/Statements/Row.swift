public import CSQLCipher

/// The row a statement stands on; columns are read by position, counted from 0.
///
/// A row is valid only inside the call that was given it.
public struct Row {
  @usableFromInline let statement: OpaquePointer?
  /// Not counted: whoever gives a row away keeps it for as long as the row is valid.
  @usableFromInline let uncountedLayout: Unmanaged<AnyObject>?

  @inlinable
  package init(statement: OpaquePointer?, layout: AnyObject? = nil) {
    self.statement = statement
    uncountedLayout = layout.map { Unmanaged.passUnretained($0) }
  }

  /// What the reader of a class described at run time needs to know; `nil` for Swift types.
  package var layout: AnyObject? { uncountedLayout?.takeUnretainedValue() }

  /// How many columns the row has.
  public var columnCount: Int { Int(sqlite3_column_count(statement)) }

  /// Whether the column holds no value.
  @inlinable @inline(__always)
  public func isNull(at position: Int) -> Bool {
    sqlite3_column_type(statement, Int32(truncatingIfNeeded: position)) == SQLITE_NULL
  }

  /// The column's storage class: `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB`
  /// or `SQLITE_NULL`.
  @inlinable @inline(__always)
  public func storageClass(at position: Int) -> Int32 {
    sqlite3_column_type(statement, Int32(truncatingIfNeeded: position))
  }

  /// Whether the column holds an integer, and nothing that could be taken for one.
  package func holdsInteger(at position: Int) -> Bool {
    storageClass(at: position) == SQLITE_INTEGER
  }

  /// The column as an integer; 0 where it holds none.
  @inlinable @inline(__always)
  public func integer(at position: Int) -> Int64 {
    sqlite3_column_int64(statement, Int32(truncatingIfNeeded: position))
  }

  /// The column as a double; 0 where it holds none.
  @inlinable @inline(__always)
  public func real(at position: Int) -> Double {
    sqlite3_column_double(statement, Int32(truncatingIfNeeded: position))
  }

  /// The column as text, or `nil` where it holds no value.
  @inlinable @inline(__always)
  public func text(at position: Int) -> String? {
    let column = Int32(truncatingIfNeeded: position)
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The column as text; `nil` also where its bytes are no UTF-8, which ``text(at:)`` mends.
  package func validText(at position: Int) -> String? {
    let column = Int32(truncatingIfNeeded: position)
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Calls `body` with the column's bytes, which are valid only inside it.
  @inlinable @inline(__always)
  public func withBytes<R, E: Error>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    let column = Int32(truncatingIfNeeded: position)
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
