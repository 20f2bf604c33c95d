import Logging
import ObjectVaultCondition
import ObjectVaultEngine

// SQL beside the objects. What only reads goes to a connection that reads; the rest is a transaction,
// or part of the one that the thread is in.

extension Vault {
  /// The rows that a statement of SQL gives.
  ///
  /// ```swift
  /// let rows = try vault.rows(
  ///   "SELECT name, count(*) AS n FROM \(Student.self) WHERE age >= \(18) GROUP BY name")
  /// for row in rows { print(try row.value("name", as: String.self), try row.value("n", as: Int.self)) }
  /// ```
  ///
  /// Inside a transaction or a read scope it is part of that, as every other call.
  ///
  /// - Throws: ``VaultError``: `.engineRefused` for what is not SQL, or names what is not there;
  ///   `.invalidArgument` for several statements or none, for another number of values than `?`, and for
  ///   what SQL may not do, with the reason: transactions, settings and keys, other files, and changes of
  ///   the library's own tables; `.invalidValue` for a value that no file could keep; `.readOnly` for a
  ///   change of a vault that is open for reading only; what constraints forbid.
  public func rows(_ statement: SQLStatement) throws -> [SQLRow] {
    try run(statement) { try $0.rows() }
  }

  /// The first row that a statement of SQL gives, or `nil` where it gives none.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func row(_ statement: SQLStatement) throws -> SQLRow? {
    try run(statement) { run in
      let row = try run.next()
      if !run.isReadOnly { _ = try run.finish() }
      return row
    }
  }

  /// The one value of the first row that a statement of SQL gives, or `nil` where it gives no row.
  ///
  /// ```swift
  /// let oldest = try vault.value("SELECT max(age) FROM \(Student.self)", as: Int?.self) ?? nil
  /// ```
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``; `.invalidArgument` for a statement whose rows have
  ///   another number of columns than one; as ``SQLRow/value(at:as:)``.
  public func value<T: StorableValue>(
    _ statement: SQLStatement, as type: T.Type = T.self
  ) throws -> T? {
    try singleColumnRow(statement)?.value(at: 0, as: type)
  }

  /// Runs a statement of SQL.
  ///
  /// Objects that are observed hear of what it changes, and foreign keys hold. Values are stored as they
  /// are given: what a class would refuse, the statement does not.
  ///
  /// - Returns: How many rows it inserted, updated or deleted, without those that cascades and triggers
  ///   changed; 0 for what changes the schema.
  /// - Throws: as ``rows(_:)-(SQLStatement)``; nothing is changed then.
  @discardableResult
  public func execute(_ statement: SQLStatement) throws -> Int {
    try run(statement) { try $0.finish() }
  }

  /// Runs statements of SQL in one transaction: all of them, or none where one fails.
  ///
  /// - Returns: How many rows they changed together; 0 where there are none.
  /// - Throws: as ``execute(_:)-(SQLStatement)``.
  @discardableResult
  public func execute(_ statements: some Sequence<SQLStatement>) throws -> Int {
    try file().transaction { connection in
      var changes = 0
      var last: (sql: String, run: SQLRun)?
      for statement in statements {
        try Cancellation.check()
        // Many inserts are mostly of one form.
        if let last, last.sql == statement.sql, !last.run.screened.changesSchema {
          try statement.check()
          try last.run.bind(statement.values)
          changes += try last.run.finish()
        } else {
          let run = try SQLRun(statement, on: connection)
          changes += try perform(run, on: connection) { try $0.finish() }
          last = (statement.sql, run)
        }
        last?.run.statement.reset()
      }
      return changes
    }
  }

  /// Sees whether a statement of SQL could run, without running it: whether it can be read, what it
  /// names is there, it may do what it does, and each `?` has a value.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``, but for what only running shows.
  public func validate(_ statement: SQLStatement) throws {
    try file().read { _ = try SQLRun(statement, on: $0) }
  }

  // MARK: Running

  /// The first row of a statement whose rows have one column.
  func singleColumnRow(_ statement: SQLStatement) throws -> SQLRow? {
    try run(statement) { run -> SQLRow? in
      guard run.columns.names.count == 1 else {
        throw VaultError(
          .invalidArgument,
          "The statement gives \(run.columns.names.count) columns, and one value is asked for. Select "
            + "one column, or ask for the row.")
      }
      let row = try run.next()
      if !run.isReadOnly { _ = try run.finish() }
      return row
    }
  }

  /// Calls `body` with a compiled statement, where it may run.
  func run<R>(_ statement: SQLStatement, _ body: (SQLRun) throws -> R) throws -> R {
    let file = try file()
    let result = try file.read { connection -> R? in
      let run = try SQLRun(statement, on: connection)
      guard run.isReadOnly else { return nil }
      defer { run.statement.reset() }
      return .some(try body(run))
    }
    if let result { return result }
    return try file.transaction { connection in
      try perform(SQLRun(statement, on: connection), on: connection, body)
    }
  }

  /// Calls `body` with a statement inside a transaction, and settles what it did to the schema.
  func perform<R>(
    _ run: SQLRun, on connection: VaultConnection, _ body: (SQLRun) throws -> R
  ) throws -> R {
    var dropped: [(table: String, description: ClassDescription?)] = []
    for table in run.screened.droppedTables {
      let description = try knownClass(ofTable: table, on: connection)
      if let description { try checkNotReferredTo(description, on: connection) }
      dropped.append((table, description))
    }
    let altered = try run.screened.alteredTables.map { table in
      (table, try knownClass(ofTable: table, on: connection))
    }
    // The engine does not tell to what a table is renamed, nor which tables a virtual one brings.
    let own = run.screened.changesSchema ? try Schema(on: connection).ownNames() : nil
    let result: R
    do {
      defer { run.statement.reset() }
      result = try body(run)
    }
    if let own, let name = try Schema(on: connection).ownNames().subtracting(own).min() {
      throw VaultError(
        .invalidArgument,
        "'\(name)' is a name of the library's own: choose one that does not begin with objectvault_."
      )
    }
    for (table, description) in dropped {
      try forgetTable(table, className: description?.name, on: connection)
    }
    for (table, description) in altered {
      try settle(altered: table, description, on: connection)
    }
    return result
  }

  /// The class that is written down for a table; `nil` also for a file without classes.
  private func knownClass(
    ofTable table: String, on connection: VaultConnection
  ) throws -> ClassDescription? {
    guard try Schema(on: connection).hasTable("objectvault_classes") else { return nil }
    return try SystemTables(connection).description(ofTable: table)
  }

  private func settle(
    altered table: String, _ description: ClassDescription?, on connection: VaultConnection
  ) throws {
    let columns = try Schema(on: connection).names(of: table)
    if !columns.isEmpty { return try file().noteChange(ofTable: table, columns: columns) }
    if let description {
      throw VaultError(
        .invalidArgument,
        "The table of class '\(description.name)' is not renamed by SQL, since the vault describes the "
          + "class with it. Give the class's description the old name as `renamedFrom`.")
    }
    try file().noteRemoval(ofTable: table)
  }
}

extension Vault {
  /// Has nothing stand for a table that was dropped: neither its class nor its index of words, and no
  /// store of it.
  func forgetTable(
    _ table: String, className: String?, on connection: VaultConnection
  ) throws {
    let file = try file()
    // Its triggers went with the table.
    let index = SearchDefinition.name(ofTable: table)
    try connection.execute("DROP TABLE IF EXISTS \(SQL.quoted(index))")
    try SharedBlobs.forget(table: table, on: connection)
    if try Schema(on: connection).hasTable("objectvault_classes") {
      try SystemTables(connection).forget(table: table)
    }
    file.noteRemoval(ofTable: table)
    guard let className else { return }
    file.afterCommit { [path, logger = configuration.logger] in
      logger?.info("store removed", metadata: ["path": "\(path)", "class": "\(className)"])
      file.post(.storeRemoved(className))
    }
  }
}
