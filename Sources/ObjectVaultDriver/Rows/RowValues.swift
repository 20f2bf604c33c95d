internal import CSQLCipher
package import ObjectVaultCondition

/// The values of a row that no statement of SQLite returned.
package protocol ValueSource: AnyObject {
  /// The number of values.
  var count: Int { get }

  /// Returns a value; NULL beyond the last one.
  func value(at position: Int) -> StoredValue

  // The same value in parts, for readers that need no copy of it.

  /// Returns the storage class of a value.
  func storage(at position: Int) -> StorageClass

  /// Returns a value as an integer, as ``Row/integer(at:)`` does.
  func integer(at position: Int) -> Int64

  /// Returns a value as a double, as ``Row/real(at:)`` does.
  func real(at position: Int) -> Double

  /// Returns a value as text, as ``Row/text(at:)`` does.
  func text(at position: Int) -> String?

  /// Returns the bytes of a text or blob, which are valid as long as the row; `nil` if the source
  /// has no such bytes in memory.
  func heldBytes(at position: Int) -> UnsafeRawBufferPointer?
}

extension ValueSource {
  package func storage(at position: Int) -> StorageClass {
    StorageClass(of: value(at: position))
  }

  package func integer(at position: Int) -> Int64 { value(at: position).rowInteger }

  package func real(at position: Int) -> Double { value(at: position).rowReal }

  package func text(at position: Int) -> String? { value(at: position).rowText }

  package func heldBytes(at position: Int) -> UnsafeRawBufferPointer? { nil }
}

extension StoredValue {
  /// The value as an integer.
  package var rowInteger: Int64 {
    switch self {
    case .integer(let value): value
    case .real(let value):
      Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : value > 0 ? .max : 0)
    case .null, .text, .blob: 0
    }
  }

  /// The value as a double.
  package var rowReal: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .blob: 0
    }
  }

  /// The value as text.
  package var rowText: String? {
    switch self {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    case .blob(let value): String(decoding: value, as: UTF8.self)
    }
  }
}

/// A row source with the layout for its reader.
@usableFromInline
package final class RowValues {
  let source: any ValueSource
  /// The positions of texts that were not valid UTF-8 and were repaired.
  let repaired: Set<Int>
  /// The layout for reading a class described at run time.
  var layout: AnyObject?

  package init(
    _ source: any ValueSource, repaired: Set<Int> = [], layout: AnyObject? = nil
  ) {
    self.source = source
    self.repaired = repaired
    self.layout = layout
  }
}

/// Values in memory.
package final class GivenValues: ValueSource {
  private let values: [StoredValue]

  package init(_ values: [StoredValue]) { self.values = values }

  package var count: Int { values.count }

  package func value(at position: Int) -> StoredValue {
    values.indices.contains(position) ? values[position] : .null
  }
}

extension Row {
  /// Calls `body` with a row of values, so that they are read as if a statement had returned them.
  ///
  /// Numbers are converted as SQLite converts them, with one exception: text is not read as a
  /// number.
  ///
  /// - Parameters:
  ///   - values: The values, by position. Positions beyond them are NULL.
  ///   - repaired: The positions of texts that were not valid UTF-8 and were repaired.
  ///   - layout: The layout for reading a class described at run time.
  ///   - body: Receives the row, which is valid only during the call.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  package static func withValues<R, E: Error>(
    _ values: [StoredValue], repaired: Set<Int> = [], layout: AnyObject? = nil,
    _ body: (Row) throws(E) -> R
  ) throws(E) -> R {
    let source = RowValues(GivenValues(values), repaired: repaired, layout: layout)
    defer { withExtendedLifetime(source) {} }
    return try body(Row(statement: nil, layout: source))
  }

  /// Returns the stored value of the column.
  package func storedValue(at position: Int) -> StoredValue {
    if statement == nil { return value(at: position) }
    return switch storageClass(at: position) {
    case SQLITE_INTEGER: .integer(integer(at: position))
    case SQLITE_FLOAT: .real(real(at: position))
    case SQLITE_TEXT: .text(text(at: position) ?? "")
    case SQLITE_BLOB: .blob(withBytes(at: position) { [UInt8]($0) })
    default: .null
    }
  }

  /// The values, or `nil` for the row of a closed statement, whose columns are all NULL.
  ///
  /// The row of a statement that has one is not read with it.
  var source: RowValues? { statement == nil ? withSource { $0 } : nil }

  /// Calls `body` with the values, which it need not retain; `nil` without values.
  @inline(__always)
  private func withSource<R>(_ body: (RowValues) -> R) -> R? {
    uncountedSource?.borrowed { body(unsafeDowncast($0, to: RowValues.self)) }
  }

  private func value(at position: Int) -> StoredValue {
    withSource { $0.source.value(at: position) } ?? .null
  }

  /// Returns whether a value is a text that was repaired.
  func isRepaired(at position: Int) -> Bool {
    withSource { $0.repaired.contains(position) } ?? false
  }
}

// Not inlined, so that the readers of statements remain small.
extension Row {
  @usableFromInline
  func valueStorageClass(at position: Int) -> Int32 {
    switch withSource({ $0.source.storage(at: position) }) {
    case nil, .null: SQLITE_NULL
    case .integer: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text: SQLITE_TEXT
    case .blob: SQLITE_BLOB
    }
  }

  @usableFromInline
  func valueInteger(at position: Int) -> Int64 {
    withSource { $0.source.integer(at: position) } ?? 0
  }

  @usableFromInline
  func valueReal(at position: Int) -> Double {
    withSource { $0.source.real(at: position) } ?? 0
  }

  @usableFromInline
  func valueText(at position: Int) -> String? {
    withSource { $0.source.text(at: position) } ?? nil
  }

  /// Returns the bytes of a value that are in memory, which are valid as long as the row.
  @usableFromInline
  func heldValueBytes(at position: Int) -> UnsafeRawBufferPointer? {
    withSource { $0.source.heldBytes(at: position) } ?? nil
  }

  @usableFromInline
  func withValueBytes<R, E: Error>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    let bytes: [UInt8] =
      if case .blob(let value) = value(at: position) {
        value
      } else {
        Array((valueText(at: position) ?? "").utf8)
      }
    let result = bytes.withUnsafeBytes { pointer in
      Result { () throws(E) in try body(pointer) }
    }
    return try result.get()
  }
}
