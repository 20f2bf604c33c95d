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
      let cut = group.circle.isEmpty ? .complete : try cutCircle(group)
      if cut == .none { removed += try deleteFromFarEnd(group) }
      for table in group.tables.reversed() {
        guard let isGone = isGone(table) else { continue }
        // The engine does not count rows that its cascade deletes.
        let present =
          table == scope.root && cut != .complete ? try countPresent(table, isGone) : nil
        try connection.with("DELETE FROM \(SQL.quoted(table)) WHERE \(isGone)") { try $0.run() }
        if table == scope.root { removed += present ?? connection.engine.changes }
      }
    }
    return removed
  }

  /// What rows that go refer to among themselves.
  private enum Cut {
    /// Nothing.
    case complete
    /// One of them, or a row that stays.
    case toOne
    /// What they did before: constraints reject every change.
    case none
  }

  /// Has the rows that go refer to nothing, so that the engine does not follow them from one to the
  /// next. A column that must have a value gets one that no row has, until its row is deleted; or one
  /// that it has in another row, if a constraint of the column rejects that.
  private func cutCircle(_ group: RemovalScope.Group) throws -> Cut {
    var cut = Cut.complete
    for table in group.tables {
      guard let shape = scope.tables[table], let isGone = isGone(table) else { continue }
      var emptied: Set<String> = []
      var replaced: Set<String> = []
      for key in group.circle where key.table == table {
        // What tells rows apart must stay.
        let fixed = Set(
          [shape.rowIDAlias].compactMap { $0 } + (shape.hasRowID ? [] : shape.primaryKey))
        let free = key.columns.filter { !fixed.contains($0) }
        if let column = free.first(where: shape.optionalColumns.contains) {
          emptied.insert(column)
        } else if let column = free.first(where: { !shape.primaryKey.contains($0) }) ?? free.first {
          replaced.insert(column)
        }
      }
      func set(_ columns: Set<String>, _ value: (String) -> String) throws -> Bool {
        if columns.isEmpty { return true }
        let assignments = columns.sorted().map { "\(SQL.quoted($0)) = \(value(SQL.quoted($0)))" }
        // Whatever fails undoes the whole removal, so that the statement needs no journal of its own.
        do {
          try connection.with(
            "UPDATE OR FAIL \(SQL.quoted(table)) SET \(assignments.joined(separator: ", ")) "
              + "WHERE \(isGone)"
          ) { try $0.run() }
          return true
        } catch let error as EngineError where error.isOfColumns {
          return false
        }
      }
      if !replaced.isEmpty { try connection.execute("PRAGMA defer_foreign_keys = ON") }
      guard try set(emptied, { _ in "NULL" }) else { return .none }
      if try set(replaced, { _ in "randomblob(16)" }) { continue }
      cut = .toOne
      let present = try set(replaced) {
        "(SELECT min(\($0)) FROM \(SQL.quoted(table)) WHERE \(isGone))"
      }
      if !present { return .none }
    }
    return cut
  }

  /// Deletes the rows of a group to which no other row of it refers, again and again: one statement
  /// for each table and level. Only rows that refer to one another in a circle are left.
  ///
  /// - Returns: How many rows of the root went.
  private func deleteFromFarEnd(_ group: RemovalScope.Group) throws -> Int {
    var removed = 0
    var found = true
    while found {
      found = false
      for table in group.tables {
        guard let isGone = isGone(table), let key = scope.tables[table]?.key else { continue }
        let quoted = SQL.quoted(table)
        let referring = group.circle.filter { $0.target == table }.map { reference in
          let isSelf = key.map { "c.\($0) = \(quoted).\($0)" }.joined(separator: " AND ")
          return "NOT EXISTS (SELECT 1 FROM \(SQL.quoted(reference.table)) AS c "
            + "WHERE \(refers(reference, to: quoted))"
            + (reference.table == table ? " AND NOT (\(isSelf)))" : ")")
        }
        try connection.with(
          "DELETE FROM \(quoted) WHERE \(([isGone] + referring).joined(separator: " AND "))"
        ) { try $0.run() }
        let count = connection.engine.changes
        if count > 0 { found = true }
        if table == scope.root { removed += count }
      }
    }
    return removed
  }

  private func countPresent(_ table: String, _ isGone: String) throws -> Int {
    try connection.with("SELECT count(*) FROM \(SQL.quoted(table)) WHERE \(isGone)") {
      try $0.count()
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

extension EngineError {
  /// Whether a constraint of the columns rejects a value.
  fileprivate var isOfColumns: Bool {
    switch code {
    case .constraintCheck, .constraintUnique, .constraintPrimaryKey, .constraint, .mismatch: true
    default: false
    }
  }
}
