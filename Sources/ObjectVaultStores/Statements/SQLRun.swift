package import ObjectVaultCondition
package import ObjectVaultDriver
package import ObjectVaultModel
import ObjectVaultSchema
package import ObjectVaultSession

/// A compiled, checked and bound SQL statement, and its rows.
package struct SQLRun {
  package let columns: SQLColumns
  package let screened: ScreenedStatement
  private let session: Session
  /// Whether the statement is an `EXPLAIN`, which runs nothing.
  private let isExplanation: Bool

  package var statement: Statement { screened.statement }
  /// Whether the statement can't change the file.
  package var isReadOnly: Bool {
    isExplanation || screened.tellsOnly || statement.isReadOnly && !screened.changesSchema
  }

  /// Compiles, checks and binds a statement with the present schema.
  ///
  /// The columns are those of its rows only if no other program can change the schema before the
  /// first one: inside a transaction, a read scope or ``OpenDatabase/readForStatement(_:)``.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` for forbidden SQL, for no statement or several
  ///   statements, and for a wrong number of values; the errors of ``SQLStatement/check()``.
  package init(_ sql: SQLStatement, on session: Session) throws {
    try sql.check()
    let schema = Schema(on: session)
    try schema.refresh()
    func compile(removingByRow removesByRow: Bool) throws -> ScreenedStatement {
      do {
        return try session.connection.prepareScreened(sql.sql, removingByRow: removesByRow)
      } catch {
        throw Self.refusal(error) ?? error
      }
    }
    var compiled = try compile(removingByRow: false)
    // The engine removes all rows of a table without row numbers at once, and does not count them.
    if try compiled.emptiedTables.contains(where: schema.isWithoutRowID) {
      compiled = try compile(removingByRow: true)
    }
    let mayChange =
      !compiled.statement.isReadOnly || compiled.changesSchema || compiled.isSilent
    let tokens = mayChange ? SQLToken.tokens(of: sql.sql).drop { $0.text == ";" } : []
    isExplanation = tokens.first?.keyword == "explain"
    screened = isExplanation ? compiled.explained : compiled
    guard !screened.isSilent || Self.mayDoNothing(tokens) else {
      throw VaultError(
        .invalidArgument,
        "The statement affects the whole file, like VACUUM, which is not available in SQL. Use the "
          + "vault's methods.")
    }
    self.session = session
    let statement = screened.statement
    columns = SQLColumns((0..<statement.columnCount).map { statement.columnName(at: $0) })
    let makesTrigger = tokens.prefix(2).map(\.keyword) == ["create", "trigger"]
    if makesTrigger {
      try Self.checkTrigger(tokens)
      try checkIgnoring(tokens)
    }
    if !screened.writtenTables.isEmpty {
      if Self.replaces(tokens) { try checkReplacing(inTrigger: makesTrigger) }
      if Self.skips(tokens, inTrigger: makesTrigger) { try checkSkipping(inTrigger: makesTrigger) }
      try screened.checkSealing(on: session)
    }
    try bind(sql.values)
    session.reads?.note(statement)
  }

  package func bind(_ values: [StoredValue]) throws {
    guard statement.parameterCount == values.count else {
      throw VaultError(
        .invalidArgument,
        "The statement has \(statement.parameterCount) parameters but \(values.count) values. Pass "
          + "one value for each, and do not put interpolations in quotes or comments.")
    }
    let binder = statement.binder
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
  }

  /// Returns whether a statement may have no effect.
  ///
  /// `DROP … IF EXISTS` of a missing object and `CREATE … IF NOT EXISTS` of an existing one do
  /// nothing, and SQLite reports no action to the authorizer for them.
  private static func mayDoNothing(_ tokens: ArraySlice<SQLToken>) -> Bool {
    ["drop", "create"].contains(tokens.first?.keyword)
  }

  /// Rejects a trigger that writes to a table of the library.
  ///
  /// The engine does not report the actions of a trigger before it fires. The authorizer then
  /// rejects them, also those of a trigger that another program created.
  ///
  /// - Throws: `.invalidArgument`.
  private static func checkTrigger(_ tokens: ArraySlice<SQLToken>) throws(VaultError) {
    for position in tokens.indices.dropFirst() {
      guard let name = tokens[position].name, name.asciiLowercased.hasBytePrefix("objectvault_"),
        writes(tokens[..<position])
      else { continue }
      throw VaultError(
        .invalidArgument,
        "The trigger writes to '\(name)', which belongs to the library. SQL can only read names "
          + "that begin with objectvault_. Write to a table of your own.")
    }
  }

  /// Returns whether the next token names the table of an `INSERT`, `UPDATE` or `DELETE`.
  private static func writes(_ tokens: ArraySlice<SQLToken>) -> Bool {
    switch tokens.last?.keyword {
    case "into", "update": true
    case "from": tokens.dropLast().last?.keyword == "delete"
    // An UPDATE with a conflict rule.
    default: tokens.suffix(3).map(\.keyword).prefix(2) == ["update", "or"]
    }
  }

  /// Returns whether the statement contains `REPLACE` as a conflict rule.
  private static func replaces(_ tokens: ArraySlice<SQLToken>) -> Bool {
    tokens.indices.contains { position in
      guard tokens[position].keyword == "replace",
        let next = tokens[(position + 1)...].first
      else { return false }
      // Before a parenthesis, it is the function `replace`.
      return next.keyword == "into"
        || tokens[..<position].last?.keyword == "or" && next.text != "("
    }
  }

  /// Rejects `REPLACE` in tables with triggers of the library.
  ///
  /// SQLite deletes the conflicting rows without running their triggers, which would make the
  /// full-text index and the reference counts incorrect, and the history incomplete. The conflict
  /// rule of a statement also applies to the statements of its triggers. The tables of a new trigger
  /// are not known: its body is compiled when it fires, and a class may get triggers later.
  ///
  /// - Parameter isInTrigger: Whether the statement creates a trigger.
  /// - Throws: `.invalidArgument`.
  private func checkReplacing(inTrigger isInTrigger: Bool) throws {
    if isInTrigger {
      throw VaultError(
        .invalidArgument,
        "REPLACE in a trigger would remove rows without updating full-text indexes, shared contents "
          + "or histories. Delete the rows in the trigger before it inserts or updates.")
    }
    for table in screened.writtenTables.sorted() where try isMaintained(table) {
      throw VaultError(
        .invalidArgument,
        "REPLACE would remove rows of '\(table)' without updating its full-text index, shared "
          + "contents or history. Call the store's replace(_:), or delete the rows first.")
    }
  }

  /// Returns whether triggers of the library maintain something of a table.
  private func isMaintained(_ table: String) throws -> Bool {
    try Schema(on: session).objects("trigger", of: table).contains {
      $0.name.hasBytePrefix("objectvault_")
    }
  }

  /// Rejects a trigger that skips the triggers of the library by `RAISE(IGNORE)`.
  ///
  /// After a change, SQLite skips all triggers that have not run yet, and does not undo the change.
  /// The trigger that was created last runs first, so that the triggers of a class that gets some
  /// later are not skipped.
  ///
  /// - Parameter tokens: The statement that creates the trigger.
  /// - Throws: `.invalidArgument`.
  private func checkIgnoring(_ tokens: ArraySlice<SQLToken>) throws {
    guard SQLToken.timeOfSkipping(tokens) == .after else { return }
    guard let table = SQLToken.target(ofTrigger: tokens).table, try isMaintained(table) else {
      return
    }
    throw VaultError(
      .invalidArgument,
      "RAISE(IGNORE) after a change of '\(table)' would skip the triggers that maintain its "
        + "full-text index, shared contents, history or ordered lists. Write the condition as "
        + "WHEN, or use RAISE(ABORT, 'reason').")
  }

  /// Returns whether the statement contains `IGNORE` or `FAIL` as a conflict rule that can be that
  /// of an update.
  ///
  /// The conflict rule of an `INSERT` also applies to the updates in the triggers that it fires.
  ///
  /// - Parameters:
  ///   - tokens: The statement.
  ///   - isInTrigger: Whether the statement creates a trigger.
  /// - Returns: Whether it does.
  private static func skips(
    _ tokens: ArraySlice<SQLToken>, inTrigger isInTrigger: Bool
  ) -> Bool {
    let words = tokens.map(\.keyword)
    return words.indices.dropFirst(2).contains { position in
      ["ignore", "fail"].contains(words[position]) && words[position - 1] == "or"
        && (words[position - 2] == "update" || words[position - 2] == "insert" && !isInTrigger)
    }
  }

  /// Rejects the conflict rules IGNORE and FAIL for updates before which a trigger of the library
  /// runs.
  ///
  /// Before an update, the trigger removes the row from the full-text index. SQLite does not undo
  /// this for a row that violates a constraint and is skipped. The tables of a new trigger are not
  /// known; see ``checkReplacing(inTrigger:)``.
  ///
  /// - Parameter isInTrigger: Whether the statement creates a trigger.
  /// - Throws: `.invalidArgument`.
  private func checkSkipping(inTrigger isInTrigger: Bool) throws {
    if isInTrigger {
      throw VaultError(
        .invalidArgument,
        "An UPDATE with the conflict rule IGNORE or FAIL in a trigger would remove the rows that "
          + "it skips from full-text indexes. Exclude these rows by a condition.")
    }
    let schema = Schema(on: session)
    for (table, columns) in screened.updatedColumns.sorted(by: { $0.key < $1.key }) {
      let searched = try schema.columnsRemovedBeforeUpdate(of: table)
      guard columns.contains(where: { searched.contains($0.asciiLowercased) }) else { continue }
      throw VaultError(
        .invalidArgument,
        "The conflict rules IGNORE and FAIL would remove the rows of '\(table)' that they skip "
          + "from its full-text index. Exclude these rows by a condition.")
    }
  }

  /// Returns the error for statements that are invalid by themselves.
  private static func refusal(_ error: DriverError) -> VaultError? {
    switch error.code {
    case .notAuthorized, .misuse, .tooBig:
      VaultError(
        .invalidArgument, error.message.asSentence,
        engineCode: error.resultCode == 0 ? nil : error.resultCode)
    default: nil
    }
  }

  // MARK: Running

  /// Returns the values of the statement's current row.
  ///
  /// - Throws: `.invalidValue` for text that is not UTF-8.
  package func values() throws(VaultError) -> [StoredValue] {
    var values: [StoredValue] = []
    values.reserveCapacity(columns.names.count)
    for position in columns.names.indices {
      guard let value = statement.row.exactValue(at: position) else {
        throw VaultError(
          .invalidValue,
          "Column '\(columns.names[position])' contains text that is not UTF-8, written by another "
            + "program. Read its bytes with CAST(… AS BLOB).")
      }
      values.append(value)
    }
    return values
  }

  /// Returns the values of all rows.
  package func allValues() throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append(try values()) }
    return rows
  }

  /// Runs the statement to the end.
  ///
  /// - Returns: The number of changed rows, without changes by cascades and triggers.
  /// - Throws: The error of the statement.
  package func finish() throws -> Int {
    while try statement.step() {}
    return statement.writes && !isReadOnly && !screened.changesSchema
      ? session.connection.changes : 0
  }
}

extension Row {
  /// Returns the stored value of a column, or `nil` for text that is not valid UTF-8.
  fileprivate func exactValue(at position: Int) -> StoredValue? {
    if storage(at: position) == .text {
      return validText(at: position).map { .text($0) }
    }
    return storedValue(at: position)
  }
}
