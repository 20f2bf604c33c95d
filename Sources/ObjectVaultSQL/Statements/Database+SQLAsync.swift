// The asynchronous variants, which run the synchronous ones on the vault's own threads.

public import ObjectVaultModel
import ObjectVaultSession
public import ObjectVaultStores

extension Database {
  /// Returns the rows of an SQL statement, without blocking the caller's thread.
  public func rows(_ statement: SQLStatement) async throws -> [SQLRow] {
    try await onExecutor(.read) { try self.rows(statement) }
  }

  /// Returns the first row of an SQL statement, without blocking the caller's thread.
  public func row(_ statement: SQLStatement) async throws -> SQLRow? {
    try await onExecutor(.read) { try self.row(statement) }
  }

  /// Returns the single value of the first row, without blocking the caller's thread.
  public func value<T: StorableValue & Sendable>(
    _ statement: SQLStatement, as type: T.Type = T.self
  ) async throws -> T? {
    // The value is decoded outside the closure, because the type is not sendable.
    try await onExecutor(.read) { try self.singleColumnRow(statement) }?.value(at: 0, as: type)
  }

  /// Runs an SQL statement, without blocking the caller's thread.
  @discardableResult
  public func execute(_ statement: SQLStatement) async throws -> Int {
    try await onExecutor(.write) { try self.execute(statement) }
  }

  /// Runs SQL statements in one transaction, without blocking the caller's thread.
  ///
  /// All statements run, or none if one fails or the task is cancelled.
  @discardableResult
  public func execute(_ statements: some Sequence<SQLStatement> & Sendable) async throws -> Int {
    try await onExecutor(.write) { try self.execute(statements) }
  }

  /// Checks whether an SQL statement can run, without blocking the caller's thread.
  public func validate(_ statement: SQLStatement) async throws {
    try await onExecutor(.read) { try self.validate(statement) }
  }
}
