import ObjectVaultConformanceFormat
import ObjectVaultDriver
import ObjectVaultEngine

/// Queries on a file through the stock engine.
struct StockQuery {
  let connection: Connection

  /// Returns all rows of a statement, by storage class.
  func rows(_ sql: String) throws -> [[FixtureValue]] {
    let statement = try connection.prepare(sql, persistent: false)
    var rows: [[FixtureValue]] = []
    while try statement.step() {
      let row = statement.row
      rows.append(try (0..<row.columnCount).map { try Self.value(row, $0) })
    }
    return rows
  }

  /// Returns the rows of a pragma about a table, as dictionaries by column name.
  func pragma(_ name: String, of table: String) throws -> [[String: FixtureValue]] {
    let statement = try connection.prepare(
      "PRAGMA \(name)(\(Self.quoted(table)))", persistent: false)
    var rows: [[String: FixtureValue]] = []
    while try statement.step() {
      let row = statement.row
      var values: [String: FixtureValue] = [:]
      for position in 0..<row.columnCount {
        values[statement.columnName(at: position)] = try Self.value(row, position)
      }
      rows.append(values)
    }
    return rows
  }

  /// Returns the value of a pragma, or `nil` if it returns none.
  func pragma(_ name: String) throws -> FixtureValue? {
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 == 0x5F || (0x61...0x7A).contains($0) }) else {
      throw RunnerError("'\(name)' is not the name of a pragma")
    }
    return try rows("PRAGMA \(name)").first?.first
  }

  /// Throws ``RunnerError`` if the file has no such table.
  func checkTable(_ name: String) throws {
    // The schema table does not list itself.
    if name == "sqlite_master" { return }
    let tables = try rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    guard tables.contains([.text(name)]) else { throw RunnerError("there is no such table") }
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private static func value(_ row: Row, _ position: Int) throws -> FixtureValue {
    switch row.storage(at: position) {
    case .null: return .null
    case .integer: return .integer(row.integer(at: position))
    case .real: return .double(row.real(at: position))
    case .blob: return .data(row.withBytes(at: position) { Array($0) })
    case .text:
      let bytes = row.withBytes(at: position) { Array($0) }
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.utf8.elementsEqual(bytes) else {
        throw RunnerError("column \(position + 1) of a row holds a text that is not UTF-8")
      }
      return .text(text)
    }
  }
}
