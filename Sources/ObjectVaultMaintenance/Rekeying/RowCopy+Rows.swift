import ObjectVaultDriver
import ObjectVaultEngine

extension RowCopy {
  /// The number of rows between two progress reports.
  private static let rowsPerReport = 256

  func rows(of table: StoredTable) throws -> Int {
    try refusing("table", table.name) { () throws(DriverError) in
      let count = try source.prepare(
        "SELECT count(*) FROM \(SQL.quoted(table.name))", persistent: false)
      return try count.step() ? Int(count.row.integer(at: 0)) : 0
    }
  }

  /// Copies all rows of a table in table order.
  func copyRows(of table: StoredTable, _ count: RowCount) throws {
    let limit = try Engine.prove().maxVariables
    guard table.valueCount <= limit else {
      throw VaultError(
        .engineRefused,
        "The table '\(table.name)' cannot be copied: it has \(table.columns.count) columns, but "
          + "this SQLCipher accepts only \(limit) values at once. Use SQLCipher 4.")
    }
    let (rows, insertion) = try refusing("table", table.name) { () throws(DriverError) in
      // The engine inserted rows of its own there.
      if table.name == Self.sequences { try destination.execute("DELETE FROM \(table.name)") }
      return (
        try source.prepare(table.selection, persistent: false),
        try destination.prepare(table.insertion, persistent: false)
      )
    }
    while try rows.step() {
      try refusing("table", table.name) { () throws(DriverError) in
        try insertion.run(withRowOf: rows)
      }
      count.done += 1
      if count.done.isMultiple(of: Self.rowsPerReport) { try count.report() }
    }
  }
}

/// A count of copied rows with a progress callback.
final class RowCount {
  var done = 0
  var total = 0
  private let progress: (Int, Int) throws -> Void

  init(_ progress: @escaping (Int, Int) throws -> Void) {
    self.progress = progress
  }

  func report() throws { try progress(done, total) }
}
