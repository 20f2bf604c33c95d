internal import CPostgreSQL
import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// The rows that a statement returned, in the binary formats of PostgreSQL (its documentation,
/// "Message Formats"; the formats are those of the types' `send` functions).
final class ServerResult: ValueSource {
  private var rows: Rows
  /// The numbers of the types of the columns.
  private let types: [UInt32]

  var count: Int { types.count }

  /// The rows, in one property, because each access of a property is checked.
  private struct Rows {
    /// The result of the client library; `nil` for a command that the server need not perform.
    let result: OpaquePointer?
    let count: Int
    var position = -1

    init(_ result: OpaquePointer?) {
      self.result = result
      count = Int(PQntuples(result))
    }

    mutating func advance() -> Bool {
      guard position < count else { return false }
      position += 1
      return position < count
    }
  }

  /// Takes over a result.
  init(_ result: OpaquePointer) {
    rows = Rows(result)
    shared = nil
    types = (0..<PQnfields(result)).map { PQftype(result, $0) }
  }

  /// Creates the result of a command that the server need not perform.
  init() { (rows, shared, types) = (Rows(nil), nil, []) }

  deinit { if shared == nil { PQclear(rows.result) } }

  var rowCount: Int { rows.count }

  /// The position of the current row.
  var position: Int {
    get { rows.position }
    set { rows.position = newValue }
  }

  /// The result whose rows are read again.
  private let shared: ServerResult?

  /// Creates a result with the rows of another one.
  init(again other: ServerResult) {
    shared = other
    (rows, types) = (Rows(other.rows.result), other.types)
  }

  /// Advances to the next row in memory, and returns whether there is one.
  func advance() -> Bool { rows.advance() }

  /// Replaces the rows by the next ones of the same statement.
  func take(_ next: OpaquePointer) {
    PQclear(rows.result)
    rows = Rows(next)
    rows.position = 0
  }

  /// The names of the columns.
  var names: [String] {
    (0..<count).map { column in
      PQfname(rows.result, Int32(column)).map { String(cString: $0) } ?? ""
    }
  }

  /// The number of rows that the statement changed.
  var changedCount: Int { PQcmdTuples(rows.result).map { atol($0) } ?? 0 }

  /// The name of the command that the server performed.
  var command: String { PQcmdStatus(rows.result).map { String(cString: $0) } ?? "" }

  /// Returns the number of the type of a column; 0 beyond the last one.
  private func type(at column: Int) -> UInt32 {
    isColumn(column) ? types[column] : 0
  }

  /// Returns whether there is a column with this number. A negative one is a great one here.
  private func isColumn(_ column: Int) -> Bool {
    UInt(bitPattern: column) < UInt(bitPattern: count)
  }

  /// Returns the bytes of a value; `nil` for NULL.
  @inline(__always)
  func bytes(at column: Int) -> UnsafeRawBufferPointer? {
    let rows = rows
    guard isColumn(column), UInt(bitPattern: rows.position) < UInt(bitPattern: rows.count) else {
      return nil
    }
    let row = Int32(truncatingIfNeeded: rows.position)
    let column = Int32(truncatingIfNeeded: column)
    let length = PQgetlength(rows.result, row, column)
    if length == 0, PQgetisnull(rows.result, row, column) != 0 { return nil }
    return UnsafeRawBufferPointer(start: PQgetvalue(rows.result, row, column), count: Int(length))
  }

  func storage(at column: Int) -> StorageClass {
    guard bytes(at: column) != nil else { return .null }
    switch type(at: column) {
    case ServerType.int8, ServerType.int4, ServerType.int2, ServerType.oid, ServerType.bool:
      return .integer
    case ServerType.float8, ServerType.float4: return .real
    case ServerType.bytea: return .blob
    case ServerType.numeric: return StorageClass(of: value(at: column))
    default: return .text
    }
  }

  func integer(at column: Int) -> Int64 {
    guard type(at: column) == ServerType.int8 else { return value(at: column).rowInteger }
    return bytes(at: column)?.integer(Int64.self) ?? 0
  }

  func real(at column: Int) -> Double {
    guard type(at: column) == ServerType.float8 else { return value(at: column).rowReal }
    return bytes(at: column).map { Double(bitPattern: $0.integer(UInt64.self)) } ?? 0
  }

  func text(at column: Int) -> String? {
    guard type(at: column) == ServerType.text else { return value(at: column).rowText }
    return bytes(at: column).map { String(decoding: $0, as: UTF8.self) }
  }

  func heldBytes(at column: Int) -> UnsafeRawBufferPointer? {
    switch type(at: column) {
    case ServerType.text, ServerType.bytea: bytes(at: column)
    default: nil
    }
  }

  func value(at column: Int) -> StoredValue {
    guard let bytes = bytes(at: column) else { return .null }
    return switch type(at: column) {
    case ServerType.int8: .integer(bytes.integer(Int64.self))
    case ServerType.int4: .integer(Int64(bytes.integer(Int32.self)))
    case ServerType.int2: .integer(Int64(bytes.integer(Int16.self)))
    case ServerType.oid: .integer(Int64(bytes.integer(UInt32.self)))
    case ServerType.bool: .integer(bytes.first == 1 ? 1 : 0)
    case ServerType.float8: .real(Double(bitPattern: bytes.integer(UInt64.self)))
    case ServerType.float4: .real(Double(Float(bitPattern: bytes.integer(UInt32.self))))
    case ServerType.bytea: .blob(Array(bytes))
    case ServerType.numeric: ServerNumber(bytes)?.storedValue ?? .null
    default: .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// The numbers of the types that the library uses (`pg_type.dat` of PostgreSQL).
enum ServerType {
  static let bool: UInt32 = 16
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let oid: UInt32 = 26
  static let float4: UInt32 = 700
  static let float8: UInt32 = 701
  static let numeric: UInt32 = 1700

  /// Returns the type of arrays of a type; `nil` for types without one here.
  static func array(of type: UInt32) -> UInt32? {
    switch type {
    case int8: 1016
    case text: 1009
    case bytea: 1001
    default: nil
    }
  }

  /// Returns the type of a column, from the type that SQLite would give it.
  static func ofColumn(_ type: String) -> UInt32 {
    switch PostgreSQLCatalog.typeName(type) {
    case "bigint": int8
    case "double precision": float8
    case "bytea": bytea
    default: text
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a big-endian integer; 0 if the number of bytes is another one.
  func integer<I: FixedWidthInteger>(_ type: I.Type) -> I {
    guard count == MemoryLayout<I>.size else { return 0 }
    return I(bigEndian: loadUnaligned(as: I.self))
  }
}
