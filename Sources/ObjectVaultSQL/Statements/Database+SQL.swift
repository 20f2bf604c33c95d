import Logging
import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession
public import ObjectVaultStores

// SQL statements on the vault. Read-only statements run on a reader connection. Other statements
// run in a transaction, or in the current transaction of the thread.

extension Database {
  /// Returns the rows of an SQL statement.
  ///
  /// ```swift
  /// let rows = try vault.rows(
  ///   "SELECT name, count(*) AS n FROM \(Student.self) WHERE age >= \(18) GROUP BY name")
  /// for row in rows {
  ///   print(try row.value("name", as: String.self), try row.value("n", as: Int.self))
  /// }
  /// ```
  ///
  /// Inside a transaction or a read scope, the statement is part of it.
  ///
  /// - Throws: ``VaultError``: `.engineRefused` for invalid SQL or names that do not exist;
  ///   `.invalidArgument` for no statement or several statements, for a number of values that
  ///   differs from the number of `?`, and for forbidden SQL, with the reason: transactions,
  ///   settings and keys, other files, and changes of system tables; `.invalidValue` for a value
  ///   that can't be stored; `.readOnly` for a change of a read-only vault; the errors of violated
  ///   constraints.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func rows(_ statement: SQLStatement) throws -> [SQLRow] {
    try run(statement) { try $0.rows() }
  }

  /// Returns the first row of an SQL statement, or `nil` if it has none.
  ///
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func row(_ statement: SQLStatement) throws -> SQLRow? {
    try run(statement) { run in
      let row = try run.next()
      if !run.isReadOnly { _ = try run.finish() }
      return row
    }
  }

  /// Returns the single value of an SQL statement's first row, or `nil` if there is no row.
  ///
  /// ```swift
  /// let oldest = try vault.value("SELECT max(age) FROM \(Student.self)", as: Int?.self) ?? nil
  /// ```
  ///
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)`` and ``SQLRow/value(at:as:)``;
  ///   `.invalidArgument` for a statement with a number of columns other than one.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func value<T: StorableValue>(
    _ statement: SQLStatement, as type: T.Type = T.self
  ) throws -> T? {
    try singleColumnRow(statement)?.value(at: 0, as: type)
  }

  /// Runs an SQL statement.
  ///
  /// Observers are notified of its changes, and foreign keys are enforced. Values are stored as
  /// given: the checks of classes do not apply.
  ///
  /// - Returns: The number of inserted, updated or deleted rows, without changes by cascades and
  ///   triggers; 0 for a schema change.
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)``; nothing is changed in that case.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func execute(_ statement: SQLStatement) throws -> Int {
    try run(statement) { try $0.finish() }
  }

  /// Runs SQL statements in one transaction: all of them, or none if one fails.
  ///
  /// - Returns: The total number of changed rows, or 0 for no statements.
  /// - Throws: The errors of ``execute(_:)-(SQLStatement)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func execute(_ statements: some Sequence<SQLStatement>) throws -> Int {
    try opened().transaction { session in
      var changes = 0
      var last: (sql: String, run: SQLRun)?
      for statement in statements {
        try Cancellation.check()
        // Most inserts in a sequence have the same text.
        if let last, last.sql.hasSameBytes(as: statement.sql), !last.run.screened.changesSchema {
          try statement.check()
          try last.run.bind(statement.values)
          changes += try last.run.finish()
        } else {
          let run = try SQLRun(statement, on: session)
          changes += try perform(run, on: session) { try $0.finish() }
          last = (statement.sql, run)
        }
        last?.run.statement.reset()
      }
      return changes
    }
  }

  /// Checks whether an SQL statement can run, without running it.
  ///
  /// The check covers syntax, the existence of names, permissions and the number of values.
  ///
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)`` that are detectable without running the
  ///   statement.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func validate(_ statement: SQLStatement) throws {
    try opened().read { _ = try SQLRun(statement, on: $0) }
  }

  // MARK: Running

  /// Returns the first row of a statement with one column.
  func singleColumnRow(_ statement: SQLStatement) throws -> SQLRow? {
    try run(statement) { run -> SQLRow? in
      guard run.columns.names.count == 1 else {
        throw VaultError(
          .invalidArgument,
          "The statement returns \(run.columns.names.count) columns, but one value is expected. "
            + "Select one column, or request the row.")
      }
      let row = try run.next()
      if !run.isReadOnly { _ = try run.finish() }
      return row
    }
  }
}
