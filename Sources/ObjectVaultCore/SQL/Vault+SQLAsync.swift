// The asynchronous forms: the synchronous ones, on a thread of the vault's own.

extension Vault {
  /// The rows that a statement of SQL gives, without blocking the caller's thread.
  public func rows(_ statement: SQLStatement) async throws -> [SQLRow] {
    try await onLane(.read) { try self.rows(statement) }
  }

  /// The first row that a statement of SQL gives, without blocking the caller's thread.
  public func row(_ statement: SQLStatement) async throws -> SQLRow? {
    try await onLane(.read) { try self.row(statement) }
  }

  /// The one value of the first row, without blocking the caller's thread.
  public func value<T: StorableValue & Sendable>(
    _ statement: SQLStatement, as type: T.Type = T.self
  ) async throws -> T? {
    // Made of the row outside: the type itself does not travel.
    try await onLane(.read) { try self.singleColumnRow(statement) }?.value(at: 0, as: type)
  }

  /// Runs a statement of SQL, without blocking the caller's thread.
  @discardableResult
  public func execute(_ statement: SQLStatement) async throws -> Int {
    try await onLane(.write) { try self.execute(statement) }
  }

  /// Runs statements of SQL in one transaction, without blocking the caller's thread: all of them, or
  /// none where one fails or the task is cancelled.
  @discardableResult
  public func execute(_ statements: some Sequence<SQLStatement> & Sendable) async throws -> Int {
    try await onLane(.write) { try self.execute(statements) }
  }

  /// Sees whether a statement of SQL could run, without blocking the caller's thread.
  public func validate(_ statement: SQLStatement) async throws {
    try await onLane(.read) { try self.validate(statement) }
  }
}
