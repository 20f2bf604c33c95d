internal import CPostgreSQL
import Foundation
import ObjectVaultCondition
import ObjectVaultDriver

/// The rows that a statement returned, in the binary formats of PostgreSQL (its documentation,
/// "Message Formats"; the formats are those of the types' `send` functions).
final class ServerResult: ValueSource {
  // Only the owner of the connection uses a result, so exclusivity checks could find nothing.

  /// The result of the client library; `nil` for a command that the server need not perform.
  @exclusivity(unchecked) private var result: OpaquePointer?
  let count: Int
  @exclusivity(unchecked) private(set) var rowCount: Int
  /// The position of the current row.
  @exclusivity(unchecked) var position = -1

  /// Takes over a result.
  init(_ result: OpaquePointer) {
    self.result = result
    shared = nil
    rowCount = Int(PQntuples(result))
    count = Int(PQnfields(result))
  }

  /// Creates the result of a command that the server need not perform.
  init() { (result, shared, rowCount, count) = (nil, nil, 0, 0) }

  deinit { if shared == nil { PQclear(result) } }

  /// The result whose rows are read again.
  private let shared: ServerResult?

  /// Creates a result with the rows of another one.
  init(again other: ServerResult) {
    shared = other
    (result, count, rowCount) = (other.result, other.count, other.rowCount)
  }

  /// Replaces the rows by the next ones of the same statement.
  func take(_ next: OpaquePointer) {
    PQclear(result)
    result = next
    rowCount = Int(PQntuples(next))
    position = 0
  }

  /// The names of the columns.
  var names: [String] {
    (0..<count).map { column in
      PQfname(result, Int32(column)).map { String(cString: $0) } ?? ""
    }
  }

  /// The number of rows that the statement changed.
  var changedCount: Int { PQcmdTuples(result).map { atol($0) } ?? 0 }

  /// The name of the command that the server performed.
  var command: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

  /// Returns the number of the type of a column; 0 beyond the last one.
  private func type(at column: Int) -> UInt32 {
    isColumn(column) ? PQftype(result, Int32(truncatingIfNeeded: column)) : 0
  }

  /// Returns whether there is a column with this number. A negative one is a great one here.
  private func isColumn(_ column: Int) -> Bool {
    UInt(bitPattern: column) < UInt(bitPattern: count)
  }

  /// Returns the bytes of a value; `nil` for NULL.
  func bytes(at column: Int) -> UnsafeRawBufferPointer? {
    guard isColumn(column), UInt(bitPattern: position) < UInt(bitPattern: rowCount) else {
      return nil
    }
    let (row, column) = (Int32(truncatingIfNeeded: position), Int32(truncatingIfNeeded: column))
    let length = PQgetlength(result, row, column)
    if length == 0, PQgetisnull(result, row, column) != 0 { return nil }
    return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(length))
  }

  func storage(at column: Int) -> StorageClass {
    guard bytes(at: column) != nil else { return .null }
    switch type(at: column) {
    case ServerType.int8, ServerType.int4, ServerType.int2, ServerType.oid, ServerType.bool:
      return .integer
    case ServerType.float8: return .real
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
