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

  /// Whether a transaction is open; an error can make the engine roll it back.
  var isInTransaction: Bool { get }

  /// The number of rows changed since the connection was opened.
  var totalChanges: Int { get }

  /// The number of times that a writing statement was compiled, for the first time or again after
  /// a change of the schema.
  var compiledWriteCount: Int { get }

  /// Whether the connection met damage after which it must be replaced.
  var hasMetDamage: Bool { get }

  /// Calls a function while statements run, to ask whether to interrupt them.
  ///
  /// - Parameters:
  ///   - steps: The approximate number of steps of the engine between two calls.
  ///   - isCancelled: The function; `nil` removes it.
  func setProgress(every steps: Int32, _ isCancelled: (() -> Bool)?)

  /// Finalizes all statements and closes the connection.
  ///
  /// - Throws: ``DriverError`` if the engine cannot close it.
  func close() throws(DriverError)
}
