import ObjectVaultDriver
import ObjectVaultSession

extension Removal {
  /// Removes the added rows with all dependent rows; inside a transaction.
  ///
  /// - Throws: The errors of ``checkRefusals(mayDangle:)``.
  package func run() throws {
    try collect()
    try checkRefusals(mayDangle: session.defersReferences)
    try delete()
    try session.checkReferences()
  }

  /// Deletes the collected rows; inside a transaction.
  ///
  /// - Throws: `.constraint` if a trigger ignores a deletion; the errors of the statements.
  package func delete() throws {
    // The engine counts deferred references apart from others, so all are deferred or none.
    // It applies `RESTRICT` to each row at once, even if the referring row is deleted too, unless
    // references are deferred.
    let mustDefer =
      scope.groups.flatMap(\.circle).contains(where: mustBeReplaced)
      || scope.refusals.contains { $0.action == .restrict && tables[$0.table] != nil }
    if mustDefer, !catalog.cascadesToAnyDepth { try session.execute(catalog.deferReferences) }
    for group in scope.groups.reversed() {
      if try !cutCircle(group) { try deleteFromFarEnd(group) }
      for table in group.tables.reversed() {
        guard let isGone = isGone(table) else { continue }
        try session.with("DELETE FROM \(SQL.quoted(table)) WHERE \(isGone)") { try $0.run() }
        if scope.ignoring.contains(table) { try checkGone(table, isGone) }
      }
    }
  }

  /// Checks that no trigger ignored a deletion.
  ///
  /// A trigger can also delete the rows itself, or insert rows with the same row numbers.
  private func checkGone(_ table: String, _ isGone: String) throws {
    guard try session.connection.changes < count(table) else { return }
    let select = "SELECT 1 FROM \(SQL.quoted(table)) WHERE \(isGone) LIMIT 1"
    guard try session.with(select, { try $0.step() }) else { return }
    throw VaultError(
      .constraint,
      "A trigger of the file ignores the removal of an object of class "
        + "'\(scope.className(of: table))' with RAISE(IGNORE). Nothing was removed. Change the "
        + "trigger to raise an error, or drop it.")
  }

  /// Clears the references among the deleted rows, so that the cascade of SQLite does not follow
  /// them to any depth.
  ///
  /// The columns of the primary key stay unchanged: they identify the rows, and triggers record
  /// another key as another object. References by other columns are cut if the remaining ones form
  /// no cycle of tables. A column that must not be NULL is assigned a value that no row has until
  /// its row is deleted. If a constraint of the column rejects that value, the column is assigned
  /// the value of another row, so that all references point to one deleted row or to a remaining
  /// row.
  ///
  /// - Returns: Whether the remaining references lead only a few levels deep. Otherwise they are
  ///   unchanged, because object IDs or constraints prevent it.
  /// - Throws: The errors of the statements.
  private func cutCircle(_ group: RemovalScope.Group) throws -> Bool {
    if group.circle.isEmpty || catalog.cascadesToAnyDepth { return true }
    let fixed = group.circle.filter { freeColumns(of: $0).isEmpty }
    if RemovalScope.groups(of: group.tables, fixed).contains(where: { !$0.circle.isEmpty }) {
      return false
    }
    for table in group.tables {
      guard let shape = tables[table], let isGone = isGone(table) else { continue }
      var emptied: Set<String> = []
      var replaced: Set<String> = []
      for key in group.circle where key.table == table {
        let free = freeColumns(of: key)
        if let column = free.first(where: shape.optionalColumns.contains) {
          emptied.insert(column)
        } else if let column = free.first {
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
      guard try set(emptied, { _ in "NULL" }) else { return false }
      if try set(replaced, { _ in "randomblob(16)" }) { continue }
      let present = try set(replaced) {
        "(SELECT min(\($0)) FROM \(SQL.quoted(table)) WHERE \(isGone))"
      }
      if !present { return false }
    }
    return true
  }

  /// Returns whether a cut must replace the value of a foreign key, because it cannot be NULL.
  private func mustBeReplaced(_ key: ForeignKey) -> Bool {
    guard let optional = tables[key.table]?.optionalColumns else { return false }
    let free = freeColumns(of: key)
    return !free.isEmpty && !free.contains(where: optional.contains)
  }

  /// Returns the columns of a foreign key outside of the primary key.
  private func freeColumns(of key: ForeignKey) -> [String] {
    guard let shape = tables[key.table] else { return [] }
    return key.columns.filter { !shape.primaryKey.contains($0) }
  }

  /// Deletes rows without references from other rows of the group until none are left.
  ///
  /// The method runs one statement for each table and level. Only cycles of rows remain afterwards.
  ///
  /// - Throws: The errors of the statements.
  private func deleteFromFarEnd(_ group: RemovalScope.Group) throws {
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
        if session.connection.changes > 0 { found = true }
      }
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
