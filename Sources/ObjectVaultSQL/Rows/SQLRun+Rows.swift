import ObjectVaultDriver
import ObjectVaultStores

extension SQLRun {
  /// Returns the next row, or `nil` after the last one.
  func next() throws -> SQLRow? {
    try statement.step() ? row() : nil
  }

  /// Returns the current row of the statement.
  func row() throws -> SQLRow { SQLRow(columns: columns, values: try values()) }

  /// Returns all rows.
  func rows() throws -> [SQLRow] {
    var rows: [SQLRow] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}
