public import ObjectVaultCondition

/// What the upgrade of a class or of a vault can work with: the vault itself, and the tables as they
/// are, with columns that no property has any more.
///
/// It is of use only while the call that it was given to lasts.
public struct MigrationContext {
  /// The vault. Its stores are part of the upgrade's transaction.
  public let vault: Vault
  let file: VaultFile

  /// Runs one statement of SQL.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` where a value is to be. Values are never part of the text.
  ///   - arguments: The values.
  /// - Returns: How many rows it changed.
  /// - Throws: ``VaultError``: `.invalidArgument` for what would end the transaction or change a
  ///   setting, and for another number of arguments than the statement has; `.engineRefused` for what
  ///   is no statement; what constraints forbid.
  @discardableResult
  public func execute(_ sql: String, _ arguments: any StorableValue...) throws -> Int {
    try run(sql, arguments) { statement, connection in
      while try statement.step() {}
      return connection.engine.changes
    }
  }

  /// The rows that one statement of SQL gives.
  ///
  /// - Throws: as ``execute(_:_:)``.
  public func rows(_ sql: String, _ arguments: any StorableValue...) throws -> [[StoredValue]] {
    try run(sql, arguments) { statement, _ in
      var rows: [[StoredValue]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map { statement.row.storedValue(at: $0) })
      }
      return rows
    }
  }

  private static let refused: Set<String> = [
    "begin", "commit", "end", "rollback", "savepoint", "release", "pragma", "attach", "detach",
    "vacuum",
  ]

  private func run<R>(
    _ sql: String, _ arguments: [any StorableValue],
    _ body: (Statement, VaultConnection) throws -> R
  ) throws -> R {
    guard file.isInTransaction else {
      throw VaultError(
        .invalidArgument,
        "The migration that this context was given to is over. Use it only inside the call.")
    }
    let tokens = SQLToken.tokens(of: sql)
    if let word = tokens.first?.keyword, Self.refused.contains(word) {
      throw VaultError(
        .invalidArgument,
        "\(word.uppercased()) is not for a migration: it is one transaction of the vault. Leave it out."
      )
    }
    return try file.write { connection in
      let statement = try connection.engine.prepare(sql, persistent: false)
      guard statement.parameterCount == arguments.count else {
        throw VaultError(
          .invalidArgument,
          "A statement of a migration has \(statement.parameterCount) parameters and was given "
            + "\(arguments.count) values. Give one for each.")
      }
      let binder = statement.binder
      for (position, argument) in arguments.enumerated() {
        try argument.storedValue.bind(to: binder, at: position)
      }
      return try body(statement, connection)
    }
  }
}
