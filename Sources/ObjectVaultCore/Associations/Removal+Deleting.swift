import ObjectVaultEngine

extension Removal {
  /// Removes the rows that were added with all that must go with them; inside a transaction.
  ///
  /// - Returns: How many rows of the root went.
  /// - Throws: as ``checkRefusals(mayDangle:)``.
  func run() throws -> Int {
    try collect()
    try checkRefusals(mayDangle: connection.defersReferences)
    let count = try delete()
    try connection.checkReferences()
    return count
  }

  /// Deletes what was collected; inside a transaction.
  ///
  /// - Returns: How many rows of the root went.
  func delete() throws -> Int {
    var removed = 0
    for group in scope.groups.reversed() {
      if !group.circle.isEmpty { try cutCircle(group) }
      for table in group.tables.reversed() {
        guard let isGone = isGone(table) else { continue }
        try connection.with("DELETE FROM \(SQL.quoted(table)) WHERE \(isGone)") { try $0.run() }
        if table == scope.root { removed = connection.engine.changes }
      }
    }
    return removed
  }

  /// Has the rows that go refer to nothing, so that the engine does not follow them from one to the
  /// next. A column that must have a value gets one that no row has, until its row is deleted.
  private func cutCircle(_ group: RemovalScope.Group) throws {
    for table in group.tables {
      guard let shape = scope.tables[table], let isGone = isGone(table) else { continue }
      var cut: [String: String] = [:]
      for key in group.circle where key.table == table {
        // What tells rows apart must stay.
        let fixed = Set(
          [shape.rowIDAlias].compactMap { $0 } + (shape.hasRowID ? [] : shape.primaryKey))
        let free = key.columns.filter { !fixed.contains($0) }
        if let column = free.first(where: shape.optionalColumns.contains) {
          cut[column] = "NULL"
        } else if let column = free.first(where: { !shape.primaryKey.contains($0) }) ?? free.first {
          cut[column] = "randomblob(16)"
        }
      }
      guard !cut.isEmpty else { continue }
      if cut.values.contains("randomblob(16)") {
        try connection.execute("PRAGMA defer_foreign_keys = ON")
      }
      let assignments = cut.sorted { $0.key < $1.key }
        .map { "\(SQL.quoted($0.key)) = \($0.value)" }.joined(separator: ", ")
      // Whatever fails undoes the whole removal, so that the statement needs no journal of its own.
      try connection.with(
        "UPDATE OR FAIL \(SQL.quoted(table)) SET \(assignments) WHERE \(isGone)"
      ) { try $0.run() }
    }
  }

  /// The condition that a row of a table is one of those that go.
  private func isGone(_ table: String) -> String? {
    guard let key = scope.tables[table]?.key else { return nil }
    let row = self.key(table, of: SQL.quoted(table))
    let columns = key.indices.map { "k\($0)" }.joined(separator: ", ")
    return "\(key.count == 1 ? row : "(\(row))") IN (SELECT \(columns) FROM \(set(table)))"
  }
}
