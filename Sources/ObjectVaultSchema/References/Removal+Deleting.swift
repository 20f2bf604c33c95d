import ObjectVaultDriver
import ObjectVaultSession

extension Removal {
  /// Removes the added rows with all dependent rows; inside a transaction.
  ///
  /// - Returns: The number of removed rows of the root table.
  /// - Throws: The errors of ``checkRefusals(mayDangle:)``.
  package func run() throws -> Int {
    try collect()
    try checkRefusals(mayDangle: session.defersReferences)
    let count = try delete()
    try session.checkReferences()
    return count
  }

  /// Deletes the collected rows; inside a transaction.
  ///
  /// - Returns: The number of deleted rows of the root table.
  /// - Throws: The errors of the statements.
  func delete() throws -> Int {
    var removed = 0
    for group in scope.groups.reversed() {
      let cut = group.circle.isEmpty ? .complete : try cutCircle(group)
      if cut == .none { removed += try deleteFromFarEnd(group) }
      for table in group.tables.reversed() {
        guard let isGone = isGone(table) else { continue }
        // SQLite does not count rows that its cascades delete.
        let present =
          table == scope.root && cut != .complete ? try countPresent(table, isGone) : nil
        try session.with("DELETE FROM \(SQL.quoted(table)) WHERE \(isGone)") { try $0.run() }
        if table == scope.root { removed += present ?? session.connection.changes }
      }
    }
    return removed
  }

  /// The references among the deleted rows after an attempt to cut them.
  private enum Cut {
    /// There are no references.
    case complete
    /// All references point to one deleted row or to a remaining row.
    case toOne
    /// The references are unchanged because constraints reject every change.
    case none
  }

  /// Clears the references among the deleted rows, so that the cascade of SQLite does not follow
  /// them.
  ///
  /// A column that must not be NULL is assigned a value that no row has until its row is deleted.
  /// If a constraint of the column rejects that value, the column is assigned the value of another
  /// row.
  private func cutCircle(_ group: RemovalScope.Group) throws -> Cut {
    if catalog.cascadesToAnyDepth { return .toOne }
    var cut = Cut.complete
    for table in group.tables {
      guard let shape = tables[table], let isGone = isGone(table) else { continue }
      var emptied: Set<String> = []
      var replaced: Set<String> = []
      for key in group.circle where key.table == table {
        // The columns that identify the rows must not change.
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
        // Every failure rolls back the complete removal, so the statement needs no statement
        // journal.
        do {
          try session.with(
            "\(catalog.updating(table)) SET \(assignments.joined(separator: ", ")) "
              + "WHERE \(isGone)"
          ) { try $0.run() }
          return true
        } catch let error as DriverError where error.isOfColumns {
          return false
        }
      }
      if !replaced.isEmpty { try session.execute(session.connection.catalog.deferReferences) }
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

  /// Deletes rows without references from other rows of the group until none are left.
  ///
  /// The method runs one statement for each table and level. Only cycles of rows remain afterwards.
  ///
  /// - Returns: The number of deleted rows of the root table.
  /// - Throws: The errors of the statements.
  private func deleteFromFarEnd(_ group: RemovalScope.Group) throws -> Int {
    var removed = 0
    var found = true
    while found {
      found = false
      for table in group.tables {
        guard let isGone = isGone(table), let key = tables[table]?.key else { continue }
        let quoted = SQL.quoted(table)
        let referring = group.circle.filter { $0.target == table }.map { reference in
          let isSelf = key.map { "c.\($0) = \(quoted).\($0)" }.joined(separator: " AND ")
          return "NOT EXISTS (SELECT 1 FROM \(SQL.quoted(reference.table)) AS c "
            + "WHERE \(refers(reference, to: quoted))"
            + (reference.table == table ? " AND NOT (\(isSelf)))" : ")")
        }
        try session.with(
          "DELETE FROM \(quoted) WHERE \(([isGone] + referring).joined(separator: " AND "))"
        ) { try $0.run() }
        let count = session.connection.changes
        if count > 0 { found = true }
        if table == scope.root { removed += count }
      }
    }
    return removed
  }

  private func countPresent(_ table: String, _ isGone: String) throws -> Int {
    try session.with("SELECT count(*) FROM \(SQL.quoted(table)) WHERE \(isGone)") {
      try $0.count()
    }
  }

  /// Returns the condition that selects the collected rows of a table.
  private func isGone(_ table: String) -> String? {
    guard let key = tables[table]?.key else { return nil }
    let row = self.key(table, of: SQL.quoted(table))
    let columns = key.indices.map { "k\($0)" }.joined(separator: ", ")
    return "\(key.count == 1 ? row : "(\(row))") IN (SELECT \(columns) FROM \(set(table)))"
  }
}

extension DriverError {
  /// Whether a constraint of the columns rejects a value.
  fileprivate var isOfColumns: Bool {
    switch code {
    case .constraintCheck, .constraintUnique, .constraintPrimaryKey, .constraint, .mismatch: true
    default: false
    }
  }
}
