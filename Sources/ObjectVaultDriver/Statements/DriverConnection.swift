public import ObjectVaultCondition

/// A connection to a database, as an engine provides it to sessions.
///
/// One thread at a time uses it and its statements.
@usableFromInline
package protocol DriverConnection: StatementOwner {
  /// Compiles a statement.
  ///
  /// - Parameters:
  ///   - sql: The text of one statement.
  ///   - isPersistent: Whether the statement will run many times.
  /// - Returns: The statement.
  /// - Throws: ``DriverError`` if the text is rejected.
  func prepare(_ sql: String, persistent isPersistent: Bool) throws(DriverError) -> Statement

  /// Returns the statement with this text from the connection's cache, or compiles it.
  ///
  /// - Parameter sql: The text of one statement.
  /// - Returns: The statement, which the caller resets after use.
  /// - Throws: ``DriverError`` if the text is rejected.
  func statement(_ sql: StatementText) throws(DriverError) -> Statement

  /// Removes all statements from the cache if the schema changed since the last call.
  ///
  /// SQLite compiles a statement again by itself after a change of the schema, but then
  /// ``Statement/readTables`` still has the tables of the first time. New statements have those of
  /// the present schema.
  ///
  /// - Returns: Whether the schema changed.
  /// - Throws: ``DriverError`` if the schema cannot be read.
  func forgetOutdatedStatements() throws(DriverError) -> Bool

  /// Runs statements that need no values and return no rows.
  ///
  /// - Parameter sql: The text of the statements.
  /// - Throws: ``DriverError`` if a statement is rejected or fails.
  func execute(_ sql: String) throws(DriverError)

  /// Compiles one SQL statement of the application, which may use only the application's tables.
  ///
  /// - Parameters:
  ///   - sql: The text of the statement.
  ///   - removesByRow: Whether a removal of all rows of a table must remove them one by one.
  /// - Returns: The statement and its effects on the schema.
  /// - Throws: ``DriverError`` as ``prepare(_:persistent:)``; ``DriverError/Code/notAuthorized``,
  ///   with the reason, for an action that the application's SQL may not perform.
  func prepareScreened(
    _ sql: String, removingByRow removesByRow: Bool
  ) throws(DriverError) -> ScreenedStatement

  /// Calls `note` with each column that statements read while `body` compiles them.
  ///
  /// - Parameters:
  ///   - note: The function to call with the name of a column.
  ///   - body: The work that compiles statements.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  func notingReadColumns<R>(
    _ note: @escaping (String) -> Void, _ body: () throws -> R
  ) rethrows -> R

  /// Registers a function that SQL may call with stored values.
  ///
  /// - Parameters:
  ///   - name: The name in SQL.
  ///   - arguments: The number of arguments.
  ///   - body: The function. An error makes the statement fail; its message must not quote values.
  /// - Throws: ``DriverError`` if the engine rejects the function.
  func addFunction(
    _ name: String, arguments: Int, _ body: @escaping ([StoredValue]) throws -> StoredValue
  ) throws(DriverError)

  /// Unregisters a function of ``addFunction(_:arguments:_:)``.
  func removeFunction(_ name: String, arguments: Int)

  /// The statements of the engine that read and change its schema.
  var catalog: any Catalog { get }

  /// The version of the engine as a number, such as 3046001 for SQLite 3.46.1.
  var engineVersion: Int { get }

  /// Returns whether the engine has a module for full-text indexes, given by its name in SQL.
  func hasSearchModule(_ name: String) -> Bool

  /// Returns the value of a setting of the connection or the file; `nil` if there is none.
  ///
  /// - Parameter name: The name of the setting.
  /// - Returns: The value as text.
  /// - Throws: ``DriverError`` if the setting cannot be read.
  func setting(_ name: String) throws(DriverError) -> String?

  /// Changes a setting and reads it back.
  ///
  /// - Parameters:
  ///   - name: The name of the setting.
  ///   - value: The new value.
  ///   - expected: The value that the engine must report afterwards.
  /// - Throws: ``DriverError`` if the engine does not accept the setting.
  func set(_ name: String, to value: String, expecting expected: String) throws(DriverError)

  /// Whether a transaction is open; an error can make the engine roll it back.
  var isInTransaction: Bool { get }

  /// Whether the next statement that writes is all that the transaction does, so that the engine
  /// may commit it at once.
  var isWholeTransaction: Bool { get set }

  /// Whether the transaction in progress was committed with its statement.
  var hasCommitted: Bool { get }

  /// The number of rows that the last statement changed, without cascades and triggers.
  var changes: Int { get }

  /// The number that the engine generated for the last inserted row.
  var lastInsertRowID: Int64 { get }

  /// The number of references that lack their rows and are checked at the commit; 0 if none does.
  var deferredForeignKeyViolations: Int { get }

  /// A number that differs if another connection committed since it was last read.
  var dataVersion: Int64 { get throws(DriverError) }

  /// The number of rows changed since the connection was opened.
  var totalChanges: Int { get }

  /// The number of times that a writing statement was compiled, for the first time or again after
  /// a change of the schema.
  var compiledWriteCount: Int { get }

  /// Tells the connection that the schema may have changed since its statements were compiled.
  ///
  /// SQLite compiles them again by itself.
  ///
  /// - Parameter version: The version of the schema with which the classes were compared.
  func schemaChanged(to version: Int64)

  /// Whether a change of the schema before the last statement that wrote would have been noticed, by
  /// ``compiledWriteCount`` or by an error.
  var noticesSchemaChanges: Bool { get }

  /// Begins a new version of the schema, so that other connections compare their classes with it
  /// before they write.
  ///
  /// A change of a table does so by itself. Must be called inside a transaction.
  ///
  /// - Throws: ``DriverError`` if the engine cannot write.
  func beginSchemaVersion() throws(DriverError)

  /// Whether the connection met damage after which it must be replaced.
  var hasMetDamage: Bool { get }

  /// Calls a function while statements run, to ask whether to interrupt them.
  ///
  /// - Parameters:
  ///   - steps: The approximate number of steps of the engine between two calls.
  ///   - isCancelled: The function; `nil` removes it.
  func setProgress(every steps: Int32, _ isCancelled: (() -> Bool)?)

  /// Returns the plan of a query, without running it and without values.
  ///
  /// - Parameter sql: The text of the query.
  /// - Returns: The steps, each after those whose rows it reads; `nil` if the engine has a statement
  ///   of SQLite's form for it.
  /// - Throws: ``DriverError`` if the text is rejected.
  func plan(of sql: String) throws(DriverError) -> [EnginePlanStep]?

  /// Finalizes all statements and closes the connection.
  ///
  /// - Throws: ``DriverError`` if the engine cannot close it.
  func close() throws(DriverError)
}

/// A step of the plan of an engine other than SQLite.
@usableFromInline
package struct EnginePlanStep: Sendable {
  package enum Kind: Sendable {
    case search, scan, sort, store
  }

  package var kind: Kind
  /// The table, or `nil` for steps in memory.
  package var table: String?
  /// The index; `nil` for the table itself.
  package var index: String?
  /// Whether the index is that of the object ID.
  package var isByObjectID = false
  package var isCovering = false
  /// The terms of the search, such as `age>? AND age<?`.
  package var terms = ""
  /// The estimated number of rows.
  package var rows: Int?

  package init(_ kind: Kind) { self.kind = kind }
}

// An engine in the process has nothing to gain from these.
extension DriverConnection {
  package func schemaChanged(to version: Int64) {}

  package var noticesSchemaChanges: Bool { true }

  package func beginSchemaVersion() throws(DriverError) {
    // Both change the version, and neither uses a page.
    try execute("CREATE VIEW objectvault_version AS SELECT 1")
    try execute("DROP VIEW objectvault_version")
  }

  package func plan(of sql: String) throws(DriverError) -> [EnginePlanStep]? { nil }

  package var isWholeTransaction: Bool {
    get { false }
    set {}
  }

  package var hasCommitted: Bool { false }
}
