import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine

/// A table of one row and one column, to see what a type writes and what it reads back.
final class OneCell {
  let folder: URL
  let connection: Connection

  init(_ columnType: String) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ObjectVaultTypes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    connection = try Connection.plain(path: folder.path + "/cell.db", mode: .create)
    try connection.execute("CREATE TABLE cell(x \(columnType)); INSERT INTO cell VALUES(NULL)")
  }

  convenience init(for type: PropertyType) throws { try self.init(type.columnType) }

  deinit {
    try? connection.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Puts an SQL expression into the cell, as another program would.
  func set(sql expression: String) throws {
    try connection.execute("UPDATE cell SET x = \(expression)")
  }

  func write(_ bind: (Binder) throws -> Void) throws {
    let statement = try connection.statement("UPDATE cell SET x = ?1")
    try bind(statement.binder)
    try statement.run()
  }

  func read<T>(_ body: (Row) throws -> T) throws -> T {
    let statement = try connection.statement("SELECT x FROM cell")
    defer { statement.reset() }
    guard try statement.step() else { throw NoRow() }
    return try body(statement.row)
  }

  /// What the engine says of the cell: storage class and value as SQL literal.
  func stored() throws -> String {
    let statement = try connection.statement("SELECT typeof(x) || ' ' || quote(x) FROM cell")
    defer { statement.reset() }
    guard try statement.step(), let text = statement.row.text(at: 0) else { throw NoRow() }
    return text
  }

  struct NoRow: Error {}
}

/// Writes a value into a column of its type, checks that `storedValue` says what the column holds,
/// and reads it back.
func roundTrip<T: StorableValue>(_ value: T) throws -> T {
  let cell = try OneCell(for: T.propertyType)
  try cell.write { try value.bind(to: $0, at: 0) }
  let stored = try value.storedValue
  let found = try cell.read { row -> StoredValue in
    switch row.storageClass(at: 0) {
    case 1: .integer(row.integer(at: 0))
    case 2: .real(row.real(at: 0))
    case 3: .text(row.text(at: 0) ?? "")
    case 4: .blob(row.withBytes(at: 0) { [UInt8]($0) })
    default: .null
    }
  }
  guard found == stored else { throw StoredDifferently() }
  return try cell.read { try T.read(from: $0, at: 0) }
}

struct StoredDifferently: Error {}

/// The error that `body` must throw, checked to be of one code.
func invalidValue(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as VaultError where error.code == .invalidValue {
    return error.message
  } catch {
    return nil
  }
}
