public import ObjectVaultCondition

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
  package let session: any MigrationSession

  package init(_ session: any MigrationSession) { self.session = session }

  /// Executes one SQL statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` for each value. Values are never part of the text.
  ///   - arguments: The values of the parameters, in order.
  /// - Returns: The number of rows that the statement changed.
  /// - Throws: ``VaultError``: `.invalidArgument` for a statement that would end the transaction or
  ///   change a setting, as for ``Database/rows(_:)-(SQLStatement)``, if the number of arguments is
  ///   wrong, and if the call that the context was passed to has ended; `.engineRefused` for text
  ///   that is not a valid statement; an error of its own code for a constraint violation.
  @discardableResult
  public func execute(_ sql: String, _ arguments: any StorableValue...) throws -> Int {
    try session.execute(statement(sql, arguments))
  }

  /// Returns the rows of one SQL statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `?` for each value.
  ///   - arguments: The values of the parameters, in order.
  /// - Returns: The rows in order, each with the values of its columns.
  /// - Throws: ``VaultError``, as ``execute(_:_:)``.
  public func rows(_ sql: String, _ arguments: any StorableValue...) throws -> [[StoredValue]] {
    try session.rows(statement(sql, arguments))
  }

  private func statement(
    _ sql: String, _ arguments: [any StorableValue]
  ) throws -> SQLStatement {
    SQLStatement(unchecked: sql, values: try arguments.map { try $0.storedValue })
  }
}

/// The statements of a migration, in the transaction that it belongs to.
package protocol MigrationSession {
  /// Executes a statement and returns the number of rows that it changed.
  func execute(_ statement: SQLStatement) throws -> Int

  /// Returns the rows of a statement, each with the values of its columns.
  func rows(_ statement: SQLStatement) throws -> [[StoredValue]]
}
