// What clauses say, run as the statement that they become.

extension Vault {
  /// The rows that a query gives: `vault.rows(Select("name").from("students"))`.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func rows(_ clause: some SQLConvertible) throws -> [SQLRow] {
    try rows(clause.statement)
  }

  /// The first row that a query gives, or `nil` where it gives none.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func row(_ clause: some SQLConvertible) throws -> SQLRow? {
    try row(clause.statement)
  }

  /// The one value of the first row that a query gives, or `nil` where it gives no row.
  ///
  /// - Throws: as ``value(_:as:)-(SQLStatement,_)``.
  public func value<T: StorableValue>(
    _ clause: some SQLConvertible, as type: T.Type = T.self
  ) throws -> T? {
    try value(clause.statement, as: type)
  }

  /// Runs what clauses say.
  ///
  /// - Returns: How many rows it inserted, updated or deleted.
  /// - Throws: as ``execute(_:)-(SQLStatement)``; nothing is changed then.
  @discardableResult
  public func execute(_ clause: some SQLConvertible) throws -> Int {
    try execute(clause.statement)
  }

  /// Checks what clauses say without running it.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func validate(_ clause: some SQLConvertible) throws {
    try validate(clause.statement)
  }

  /// The rows that a query gives.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func rows(_ clause: some SQLConvertible) async throws -> [SQLRow] {
    try await rows(clause.statement)
  }

  /// The first row that a query gives, or `nil` where it gives none.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func row(_ clause: some SQLConvertible) async throws -> SQLRow? {
    try await row(clause.statement)
  }

  /// The one value of the first row that a query gives, or `nil` where it gives no row.
  ///
  /// - Throws: as ``value(_:as:)-(SQLStatement,_)``.
  public func value<T: StorableValue & Sendable>(
    _ clause: some SQLConvertible, as type: T.Type = T.self
  ) async throws -> T? {
    try await value(clause.statement, as: type)
  }

  /// Runs what clauses say.
  ///
  /// - Returns: How many rows it inserted, updated or deleted.
  /// - Throws: as ``execute(_:)-(SQLStatement)``; nothing is changed then.
  @discardableResult
  public func execute(_ clause: some SQLConvertible) async throws -> Int {
    try await execute(clause.statement)
  }

  /// Checks what clauses say without running it.
  ///
  /// - Throws: as ``rows(_:)-(SQLStatement)``.
  public func validate(_ clause: some SQLConvertible) async throws {
    try await validate(clause.statement)
  }
}
