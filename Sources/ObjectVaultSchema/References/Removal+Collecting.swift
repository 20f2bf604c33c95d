import ObjectVaultDriver

extension Removal {
  /// Adds all rows that are deleted with the added rows.
  package func collect() throws {
    for group in scope.groups {
      let members = Set(group.tables)
      for table in group.tables {
        let keys = scope.cascades.filter { $0.table == table && !members.contains($0.target) }
        guard !keys.isEmpty else { continue }
        let rows = keys.map { referring($0, round: "0") }
        _ = try insert(
          catalog.insertingNew(into: set(table), rows.joined(separator: " UNION ALL ")))
      }
      if group.tables.count > 1 {
        try collectRounds(group)
      } else if !group.circle.isEmpty {
        try collectRecursively(group)
      }
    }
  }

  /// Returns a query of the rows that refer to deleted rows: `SELECT key, round …`.
  private func referring(_ key: ForeignKey, round: String, where condition: String = "") -> String {
    "SELECT \(self.key(key.table, of: "c")), \(round) FROM \(referringRows(key, gone: "\(set(key.target))"))"
      + condition
  }

  /// Collects the rows of a self-referencing table with one statement, regardless of the depth.
  private func collectRecursively(_ group: RemovalScope.Group) throws {
    let name = group.tables[0]
    guard let table = tables[name] else { return }
    let columns = table.key.indices.map { "k\($0)" }.joined(separator: ", ")
    let isMeant = zip(table.key, table.key.indices).map { "p.\($0) = g.k\($1)" }
      .joined(separator: " AND ")
    let refers = group.circle.map { "(\(self.refers($0, to: "p")))" }.joined(separator: " OR ")
    let quoted = SQL.quoted(name)
    _ = try insert(
      "WITH RECURSIVE gone(\(columns)) AS (SELECT \(columns) FROM \(set(name)) UNION "
        + "SELECT \(key(name, of: "c")) FROM gone AS g \(catalog.orderedJoin) \(quoted) AS p ON \(isMeant) "
        + "\(catalog.orderedJoin) \(quoted) AS c ON \(refers)) "
        + catalog.insertingNew(into: set(name), "SELECT \(columns), 0 FROM gone"))
  }

  /// Collects the rows of a cycle of tables, with one statement for each table and level.
  private func collectRounds(_ group: RemovalScope.Group) throws {
    var round = Int64(0)
    var found = 1
    while found > 0 {
      found = 0
      for table in group.tables {
        let rows = group.circle.filter { $0.table == table }.map {
          referring($0, round: "?1 + 1", where: " WHERE g.round = ?1")
        }
        found += try insert(
          catalog.insertingNew(into: set(table), rows.joined(separator: " UNION ALL "))
        ) { $0.binder.bind(integer: round, at: 0) }
      }
      round += 1
    }
  }
}
