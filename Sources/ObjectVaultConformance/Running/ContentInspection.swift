import ObjectVaultConformanceFormat
import ObjectVaultEngine

/// A comparison of a file's rows, settings and integrity with the expectation.
struct ContentInspection {
  private let connection: Connection
  private let file: StockQuery

  init(_ connection: Connection) {
    self.connection = connection
    file = StockQuery(connection: connection)
  }

  func compare(_ report: inout InspectionReport) {
    compareSoundness(&report)
    report.compareEach("counts") { table, _ in
      try file.checkTable(table)
      return try file.rows("SELECT count(*) FROM \(StockQuery.quoted(table))").first?.first
    }
    report.compareEach("rows") { table, _ in
      .list(try orderedRows(of: table).map { .list($0) })
    }
    report.compareEach("pragmas") { name, _ in try file.pragma(name) }
  }

  private func compareSoundness(_ report: inout InspectionReport) {
    do {
      let problems = try connection.integrityProblems()
      guard problems.isEmpty else {
        report.add(
          "integrity_check", expected: "ok", actual: problems.prefix(5).joined(separator: "; "))
        return
      }
      let orphans = try file.rows("PRAGMA foreign_key_check")
      if let first = orphans.first {
        let shown = FixtureValue.list(first).notation
        report.add(
          "foreign_key_check", expected: "nothing",
          actual: "\(orphans.count) rows refer to missing rows, the first: \(shown)")
      }
    } catch {
      report.add("integrity_check", expected: "ok", actual: "\(error)")
    }
  }

  private func orderedRows(of table: String) throws -> [[FixtureValue]] {
    try file.checkTable(table)
    let columns = try file.pragma("table_info", of: table)
    let names = columns.compactMap { row -> String? in
      if case .text(let name)? = row["name"] { name } else { nil }
    }
    let select = "SELECT * FROM \(StockQuery.quoted(table)) ORDER BY "
    let taken = Set(names.map { $0.lowercased() })
    if let rowid = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }),
      (try? connection.prepare(select + rowid, persistent: false)) != nil
    {
      return try file.rows(select + rowid)
    }
    // A table without a rowid has a primary key.
    let key = columns.compactMap { row -> (Int64, String)? in
      guard case .integer(let place)? = row["pk"], place > 0, case .text(let name)? = row["name"]
      else { return nil }
      return (place, StockQuery.quoted(name))
    }
    return try file.rows(
      select + key.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: ", "))
  }
}
