import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// An estimate of the number of rows that SQLite reads from a table.
package struct RowEstimate {
  private let table: String
  /// The number of parts of the object ID.
  private let partCount: Int
  private let session: Session

  package init(of description: ClassDescription, on session: Session) {
    table = description.table
    partCount = description.objectIDPositions.count
    self.session = session
  }

  /// Returns the number of rows that the steps of a plan read, or `nil` if it is unknown.
  package func rows(of plan: [PlanStep]) throws -> Int? {
    let steps = plan.filter { $0.table == table }
    guard !steps.isEmpty else { return nil }
    var sum = 0
    for step in steps {
      guard let rows = try rows(of: step) else { return nil }
      sum += rows
    }
    return sum
  }

  private func rows(of step: PlanStep) throws -> Int? {
    switch (step.kind, step.access) {
    case (.scan, _): return try count()
    case (.search, .objectID) where step.equalityCount == partCount: return 1
    case (.search, .index(let name)):
      // The text has the form "rows, rows per value of the first column, per value of the first
      // two, …" (SQLite: The ANALYZE Command, sqlite_stat1).
      guard let averages = try statistics(of: name), step.equalityCount > 0,
        averages.indices.contains(step.equalityCount)
      else { return nil }
      return averages[step.equalityCount]
    default: return nil
    }
  }

  private func count() throws -> Int {
    try session.with("SELECT count(*) FROM \(SQLIdentifier(table))") { try $0.count() }
  }

  private func statistics(of index: String) throws -> [Int]? {
    // Another program may have run ANALYZE on the file.
    guard try Schema(on: session).hasTable("sqlite_stat1") else { return nil }
    return try session.with("SELECT stat FROM sqlite_stat1 WHERE tbl = ?1 AND idx = ?2") {
      statement in
      let binder = statement.binder
      binder.bind(text: table, at: 0)
      binder.bind(text: index, at: 1)
      guard try statement.step() else { return nil }
      return (statement.row.text(at: 0) ?? "").split(separator: " ").compactMap { Int($0) }
    }
  }
}
