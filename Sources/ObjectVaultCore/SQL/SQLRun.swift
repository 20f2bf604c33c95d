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
    guard !screened.isSilent || Self.isDrop(sql.sql) else {
      throw VaultError(
        .invalidArgument,
        "The statement does something to the whole file, as VACUUM does, which is not offered.")
    }
    self.connection = connection
    let statement = screened.statement
    columns = SQLColumns((0..<statement.columnCount).map { statement.columnName(at: $0) })
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

  private static func isDrop(_ sql: String) -> Bool {
    SQLToken.tokens(of: sql).first { $0.text != ";" }?.keyword == "drop"
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
