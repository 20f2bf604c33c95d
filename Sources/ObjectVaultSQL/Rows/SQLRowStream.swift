import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSession
public import ObjectVaultStores

/// An asynchronous sequence of an SQL statement's rows.
///
/// Rows are read ahead in batches: memory usage is bounded by one batch, regardless of the number
/// of rows. All rows reflect the state of the file when the first row is requested. The stream
/// holds a reader connection until the last row is returned or the iteration is abandoned.
/// Cancelling the task stops the reading.
public struct SQLRowStream: AsyncSequence, Sendable {
  /// A row.
  public typealias Element = SQLRow

  let database: any Database
  let statement: SQLStatement
  let batchSize: Int

  /// Returns a new iterator, which reads nothing before its first row is requested.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      reader: StreamReader(database, batchSize: batchSize) { [database, statement] in
        try SQLCursor(statement, database)
      })
  }

  /// An iteration over the rows.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: StreamReader<SQLRow>

    /// Returns the next row, or `nil` after the last one.
    ///
    /// - Throws: The errors of ``Database/rows(_:)-(SQLStatement)``, which end the iteration.
    ///   `.invalidArgument` for a statement that writes, `.cancelled` if the task is cancelled,
    ///   `.asyncInTransaction` inside a transaction of the vault.
    public mutating func next() async throws -> SQLRow? {
      try await reader.next()
    }
  }
}

/// A lazy iteration over the rows of a statement, on the vault's own threads, which are not in a
/// transaction or a read scope.
final class SQLCursor: StreamedCursor {
  private let opened: any OpenDatabase
  // Both are released before the file, which must outlive its connections.
  private var session: Session?
  private var run: SQLRun?
  private var isWatching = false
  /// Whether the cursor began a read transaction on its session.
  private var hasTransaction = false

  init(_ statement: SQLStatement, _ database: any Database) throws {
    opened = try database.opened()
    let session = try opened.lease()
    self.session = session
    beginWatching()
    do {
      // No commit may change the columns of the statement before its first row.
      if opened.dialect.isInProcess {
        try session.execute(session.connection.catalog.beginReading)
        hasTransaction = true
      }
      let run = try SQLRun(statement, on: session)
      guard run.isReadOnly else {
        throw VaultError(
          .invalidArgument,
          "The statement writes, but a stream only reads. Run it with `execute` or `rows`.")
      }
      self.run = run
    } catch {
      let error = failure(error)
      finish()
      throw error
    }
  }

  func next() throws -> SQLRow? {
    guard let run else { return nil }
    do {
      try Cancellation.check()
      try opened.sessions.checkUsable()
      if let row = try run.next() { return row }
    } catch {
      let error = failure(error)
      finish()
      throw error
    }
    finish()
    return nil
  }

  private func failure(_ error: any Error) -> any Error {
    if isWatching, Cancellation.current?.isCancelled == true { return VaultError.cancelled }
    return opened.describe(error)
  }

  func beginWatching() {
    if let session, !isWatching { isWatching = session.watch() }
  }

  func endWatching() {
    if isWatching { session?.endWatch() }
    isWatching = false
  }

  private func finish() {
    guard let session else { return }
    // Finalize the statement now: a remaining owner may release it when another thread already has
    // the connection.
    run?.statement.finalize()
    run = nil
    endWatching()
    if hasTransaction { try? session.execute("COMMIT") }
    hasTransaction = false
    self.session = nil
    opened.endLease(session)
  }

  deinit { finish() }
}

extension Database {
  /// Returns the rows of a statement as an asynchronous sequence with bounded memory usage.
  ///
  /// - Parameters:
  ///   - statement: The query, which must not write.
  ///   - batchSize: The number of rows that are read ahead. Use fewer for large rows. Default: 128.
  /// - Returns: The sequence of rows.
  /// - Throws: ``VaultError`` `.invalidArgument` for a size below 1.
  public func stream(_ statement: SQLStatement, batchSize: Int = 128) throws -> SQLRowStream {
    try StreamReader<SQLRow>.check(batchSize: batchSize)
    return SQLRowStream(database: self, statement: statement, batchSize: batchSize)
  }

  /// Calls `body` with each row of a statement, with one row in memory at a time.
  ///
  /// - Parameters:
  ///   - statement: The query.
  ///   - columns: A function that is called once with the names of the columns, before the first
  ///     row and even if there is no row.
  ///   - body: A function that is called for each row.
  /// - Throws: The errors of ``rows(_:)-(SQLStatement)`` and of the functions.
  package func forEachRow(
    _ statement: SQLStatement, columns: ([String]) throws -> Void, _ body: (SQLRow) throws -> Void
  ) throws {
    try run(statement) { run in
      try columns(run.columns.names)
      while let row = try run.next() { try body(row) }
    }
  }
}
