import ObjectVaultEngine

/// The rows that a statement of SQL gives, one after another, for `for try await`.
///
/// A few rows are read ahead at a time, and no more before those are taken: however many there are,
/// memory holds one batch. All are as they were when the first was asked for; until the last was given,
/// or the iteration is given up, it holds a reading connection. Cancelling the task ends the reading.
public struct SQLRowStream: AsyncSequence, Sendable {
  /// A row.
  public typealias Element = SQLRow

  let vault: Vault
  let statement: SQLStatement
  let batchSize: Int

  /// Begins a new iteration; nothing is read before its first row is asked for.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      reader: StreamReader(vault, batchSize: batchSize) { [vault, statement] in
        try SQLCursor(statement, vault)
      })
  }

  /// One iteration over the rows.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: StreamReader<SQLRow>

    /// The next row, or `nil` after the last.
    ///
    /// - Throws: ``VaultError`` as ``Vault/rows(_:)-(SQLStatement)``; the iteration is over then.
    ///   `.invalidArgument` for a statement that writes, `.cancelled` when the task is cancelled,
    ///   `.asyncInTransaction` inside a transaction of the vault.
    public mutating func next() async throws -> SQLRow? {
      try await reader.next()
    }
  }
}

/// A lazy iteration over the rows of a statement, on threads of the vault's own: those are in no
/// transaction or read scope.
final class SQLCursor: StreamedCursor {
  private let file: VaultFile
  // Both are given up before the file is, which must outlive its connections.
  private var connection: VaultConnection?
  private var run: SQLRun?
  private var isWatching = false

  init(_ statement: SQLStatement, _ vault: Vault) throws {
    file = try vault.file()
    let connection = try file.leaseReader()
    self.connection = connection
    beginWatching()
    do {
      let run = try SQLRun(statement, on: connection)
      guard run.isReadOnly else {
        throw VaultError(
          .invalidArgument,
          "A stream reads, and the statement writes. Run it by `execute` or `rows`.")
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
      try file.checkUsable()
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
    return VaultError.from(error, path: file.path)
  }

  func beginWatching() {
    if let connection, !isWatching { isWatching = file.watch(connection) }
  }

  func endWatching() {
    if isWatching { connection?.watched = nil }
    isWatching = false
  }

  private func finish() {
    guard let connection else { return }
    // Whoever still holds it lets go of it when the connection is another thread's already.
    run?.statement.finalize()
    run = nil
    endWatching()
    self.connection = nil
    file.endLease(connection)
  }

  deinit { finish() }
}

extension Vault {
  /// The rows of a statement one after another, for `for try await`, in memory that does not grow with
  /// their number.
  ///
  /// - Parameters:
  ///   - statement: What gives the rows; it may not write.
  ///   - batchSize: How many rows are read ahead at a time; 128 unless said otherwise. Take fewer where
  ///     rows are large.
  /// - Throws: ``VaultError`` `.invalidArgument` for a size below 1.
  public func stream(_ statement: SQLStatement, batchSize: Int = 128) throws -> SQLRowStream {
    try StreamReader<SQLRow>.check(batchSize: batchSize)
    return SQLRowStream(vault: self, statement: statement, batchSize: batchSize)
  }

  /// Calls `body` with each row that a statement gives, one in memory at a time.
  ///
  /// - Parameters:
  ///   - statement: What gives the rows.
  ///   - columns: Told the names of the columns before the first row, also where there is none.
  ///   - body: Called for each row.
  package func forEachRow(
    _ statement: SQLStatement, columns: ([String]) throws -> Void, _ body: (SQLRow) throws -> Void
  ) throws {
    try run(statement) { run in
      try columns(run.columns.names)
      while let row = try run.next() { try body(row) }
    }
  }
}
