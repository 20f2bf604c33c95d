public import ObjectVaultCondition
import ObjectVaultSession

/// The vault and SQL access that are passed to a migration of a class or of a vault.
///
/// SQL reads and changes the tables as they are, including columns that no property has any more. A
/// context is valid only during the call that it is passed to.
///
/// ```swift
/// let schema = VaultSchema(version: 3, classes: [Student.self])
///   .step(from: 2) { context in
///     try context.execute("UPDATE \"Student\" SET \"age\" = \"years\"")
///   }
/// ```
public struct MigrationContext {
  /// The vault.
  ///
  /// Its stores take part in the transaction of the upgrade.
  public let vault: Vault
  let file: VaultFile

  /// Executes one SQL statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` for each value. Values are never part of the text.
  ///   - arguments: The values of the parameters, in order.
  /// - Returns: The number of rows that the statement changed.
  /// - Throws: ``VaultError``: `.invalidArgument` for a statement that would end the transaction or
  ///   change a setting, as for ``Vault/rows(_:)-(SQLStatement)``, if the number of arguments is
  ///   wrong, and if the call that the context was passed to has ended; `.engineRefused` for text
  ///   that is not a valid statement; an error of its own code for a constraint violation.
  @discardableResult
  public func execute(_ sql: String, _ arguments: any StorableValue...) throws -> Int {
    try run(sql, arguments) { try $0.finish() }
  }

  /// Returns the rows of one SQL statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` for each value.
  ///   - arguments: The values of the parameters, in order.
  /// - Returns: The rows in order, each with the values of its columns.
  /// - Throws: ``VaultError``, as ``execute(_:_:)``.
  public func rows(_ sql: String, _ arguments: any StorableValue...) throws -> [[StoredValue]] {
    try run(sql, arguments) { try $0.rows().map(\.values) }
  }

  private func run<R>(
    _ sql: String, _ arguments: [any StorableValue], _ body: (SQLRun) throws -> R
  ) throws -> R {
    guard file.sessions.isInTransaction else {
      throw VaultError(
        .invalidArgument,
        "The context was used after its migration ended. Use it only inside the call.")
    }
    let statement = SQLStatement(
      unchecked: sql, values: try arguments.map { try $0.storedValue })
    return try file.join { session in
      try vault.perform(SQLRun(statement, on: session), on: session, body)
    }
  }
}
