import ObjectVaultCondition
import ObjectVaultEngine

/// A statement of SQL that is compiled, checked and bound, and the rows it gives.
struct SQLRun {
  let columns: SQLColumns
  let screened: ScreenedStatement
  private let connection: VaultConnection

  var statement: Statement { screened.statement }
  /// Whether it cannot change the file.
  var isReadOnly: Bool { statement.isReadOnly && !screened.changesSchema }

  /// - Throws: ``VaultError``: `.invalidArgument` for what SQL may not do, for no statement or several,
  ///   and for another number of values; what ``SQLStatement/check()`` throws.
  init(_ sql: SQLStatement, on connection: VaultConnection) throws {
    try sql.check()
    do {
      screened = try connection.engine.prepareScreened(sql.sql)
    } catch {
      throw Self.refusal(error) ?? error
    }
    guard !screened.isSilent || Self.mayDoNothing(sql.sql) else {
      throw VaultError(
        .invalidArgument,
        "The statement does something to the whole file, as VACUUM does, which is not offered.")
    }
    self.connection = connection
    let statement = screened.statement
    columns = SQLColumns((0..<statement.columnCount).map { statement.columnName(at: $0) })
    if !screened.writtenTables.isEmpty, Self.replaces(sql.sql) { try checkReplacing() }
    try bind(sql.values)
    connection.reads?.note(statement)
  }

  func bind(_ values: [StoredValue]) throws {
    guard statement.parameterCount == values.count else {
      throw VaultError(
        .invalidArgument,
        "The statement has \(statement.parameterCount) parameters and was given \(values.count) "
          + "values. Give one for each; what is interpolated needs no quotes around it, and none "
          + "counts in a comment.")
    }
    let binder = statement.binder
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
  }

  /// `DROP … IF EXISTS` of what is not there and `CREATE … IF NOT EXISTS` of what is there do nothing, and
  /// the engine tells of nothing then.
  private static func mayDoNothing(_ sql: String) -> Bool {
    ["drop", "create"].contains(SQLToken.tokens(of: sql).first { $0.text != ";" }?.keyword)
  }

  /// Whether rows that are in the way of others are removed, in a statement's own words.
  private static func replaces(_ sql: String) -> Bool {
    let tokens = SQLToken.tokens(of: sql)
    return tokens.indices.contains { position in
      guard tokens[position].keyword == "replace",
        let next = tokens[(position + 1)...].first
      else { return false }
      // Before a parenthesis it is the function that replaces texts.
      return next.keyword == "into"
        || tokens[..<position].last?.keyword == "or" && next.text != "("
    }
  }

  /// The engine removes such rows without their triggers, which would leave what those keep up untrue.
  private func checkReplacing() throws {
    let schema = Schema(on: connection)
    for table in screened.writtenTables.sorted() {
      let isKept = try schema.objects("trigger", of: table).contains {
        $0.name.hasPrefix("objectvault_")
      }
      guard isKept else { continue }
      throw VaultError(
        .invalidArgument,
        "REPLACE would remove rows of '\(table)' without a word to the library, which keeps an index "
          + "of words or shared contents for them. Call the store's replace(_:), or delete the rows "
          + "before.")
    }
  }

  /// What is wrong with the text itself.
  private static func refusal(_ error: EngineError) -> VaultError? {
    switch error.code {
    case .notAuthorized, .misuse, .tooBig:
      VaultError(
        .invalidArgument, error.message.asSentence,
        engineCode: error.resultCode == 0 ? nil : error.resultCode)
    default: nil
    }
  }

  // MARK: Running

  /// The next row, or `nil` after the last.
  func next() throws -> SQLRow? {
    try statement.step() ? row() : nil
  }

  /// The row that the statement stands on.
  func row() throws -> SQLRow {
    var values: [StoredValue] = []
    values.reserveCapacity(columns.names.count)
    for position in columns.names.indices {
      guard let value = statement.row.exactValue(at: position) else {
        throw VaultError(
          .invalidValue,
          "Column '\(columns.names[position])' holds text that is not UTF-8. Another program wrote "
            + "it; read its bytes with CAST(… AS BLOB).")
      }
      values.append(value)
    }
    return SQLRow(columns: columns, values: values)
  }

  /// All rows.
  func rows() throws -> [SQLRow] {
    var rows: [SQLRow] = []
    while let row = try next() { rows.append(row) }
    return rows
  }

  /// Runs to the end.
  ///
  /// - Returns: How many rows it changed, without those that cascades and triggers changed.
  func finish() throws -> Int {
    while try statement.step() {}
    return statement.writes && !screened.changesSchema ? connection.engine.changes : 0
  }
}

extension Row {
  /// The column's value as the file keeps it; `nil` for text that is no UTF-8.
  fileprivate func exactValue(at position: Int) -> StoredValue? {
    if storageClass(at: position) == StorageClass.text {
      return validText(at: position).map { .text($0) }
    }
    return storedValue(at: position)
  }
}
