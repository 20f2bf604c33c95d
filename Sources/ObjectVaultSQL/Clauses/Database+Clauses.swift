// Methods that run clauses as statements.

public import ObjectVaultModel
public import ObjectVaultStores

extension Database {
  /// Returns the rows of a query: `vault.rows(Select("name").from("students"))`.
  ///
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func rows(_ clause: some SQLConvertible) throws -> [SQLRow] {
    try rows(clause.statement)
  }

  /// Returns the first row of a query, or `nil` if it has none.
  ///
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func row(_ clause: some SQLConvertible) throws -> SQLRow? {
    try row(clause.statement)
  }

  /// Returns the single value of a query's first row, or `nil` if there is no row.
  ///
  /// - Throws: The errors of ``value(_:as:)-(SQLStatement,_)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func value<T: StorableValue>(
    _ clause: some SQLConvertible, as type: T.Type = T.self
  ) throws -> T? {
    try value(clause.statement, as: type)
  }

  /// Runs the statement of a clause.
  ///
  /// - Returns: The number of inserted, updated or deleted rows.
  /// - Throws: The errors of ``execute(_:)-(SQLStatement)``; nothing is changed in that case.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func execute(_ clause: some SQLConvertible) throws -> Int {
    try execute(clause.statement)
  }

  /// Checks the statement of a clause without running it.
  ///
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func validate(_ clause: some SQLConvertible) throws {
    try validate(clause.statement)
  }
}
