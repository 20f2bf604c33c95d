internal import CPostgreSQL
import ObjectVaultCondition
import ObjectVaultDriver

/// The rows that a statement returned, in the binary formats of PostgreSQL (its documentation,
/// "Message Formats"; the formats are those of the types' `send` functions).
final class ServerResult {
  private let result: OpaquePointer
  private let types: [UInt32]
  let rowCount: Int
  /// The row for readers.
  private(set) lazy var row = RowValues(ServerRow(self))
  /// The position of the current row.
  var position = -1

  /// Takes over a result.
  init(_ result: OpaquePointer) {
    self.result = result
    rowCount = Int(PQntuples(result))
    types = (0..<PQnfields(result)).map { PQftype(result, $0) }
  }

  deinit { PQclear(result) }

  var count: Int { types.count }

  /// The names of the columns.
  var names: [String] {
    types.indices.map { column in
      PQfname(result, Int32(column)).map { String(cString: $0) } ?? ""
    }
  }

  /// The number of rows that the statement changed.
  var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The name of the command that the server performed.
  var command: String { String(cString: PQcmdStatus(result)) }

  func value(at column: Int) -> StoredValue {
    guard types.indices.contains(column), (0..<rowCount).contains(position),
      PQgetisnull(result, Int32(position), Int32(column)) == 0,
      let start = PQgetvalue(result, Int32(position), Int32(column))
    else { return .null }
    let length = Int(PQgetlength(result, Int32(position), Int32(column)))
    let bytes = UnsafeRawBufferPointer(start: start, count: length)
    return switch types[column] {
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

/// The current row of a result, which does not retain it.
private final class ServerRow: ValueSource {
  private unowned let result: ServerResult

  init(_ result: ServerResult) { self.result = result }

  var count: Int { result.count }

  func value(at position: Int) -> StoredValue { result.value(at: position) }
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
}

extension UnsafeRawBufferPointer {
  /// Returns a big-endian integer; 0 if the number of bytes is another one.
  func integer<I: FixedWidthInteger>(_ type: I.Type) -> I {
    guard count == MemoryLayout<I>.size else { return 0 }
    return I(bigEndian: loadUnaligned(as: I.self))
  }
}
