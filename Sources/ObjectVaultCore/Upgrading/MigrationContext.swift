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
  ///   setting, as for ``Vault/rows(_:)-(SQLStatement)``, and for another number of arguments than the
  ///   statement has; `.engineRefused` for what
  ///   is no statement; what constraints forbid.
  @discardableResult
  public func execute(_ sql: String, _ arguments: any StorableValue...) throws -> Int {
    try run(sql, arguments) { try $0.finish() }
  }

  /// The rows that one statement of SQL gives.
  ///
  /// - Throws: as ``execute(_:_:)``.
  public func rows(_ sql: String, _ arguments: any StorableValue...) throws -> [[StoredValue]] {
    try run(sql, arguments) { try $0.rows().map(\.values) }
  }

  private func run<R>(
    _ sql: String, _ arguments: [any StorableValue], _ body: (SQLRun) throws -> R
  ) throws -> R {
    guard file.isInTransaction else {
      throw VaultError(
        .invalidArgument,
        "The migration that this context was given to is over. Use it only inside the call.")
    }
    let statement = SQLStatement(
      unchecked: sql, values: try arguments.map { try $0.storedValue })
    return try file.write { connection in
      try vault.perform(SQLRun(statement, on: connection), on: connection, body)
    }
  }
}
