internal import CSQLCipher
package import ObjectVaultDriver

extension Connection {
  /// The extent of a checkpoint.
  package enum CheckpointMode: Sendable {
    /// Copies as many pages as readers permit, without waiting.
    case passive
    /// Copies the whole log, and waits for writers and readers.
    case full
    /// Like `full`; in addition, the next writer restarts the log from the beginning.
    case restart
    /// Like `restart`; in addition, the log is truncated to zero bytes.
    case truncate
  }

  /// The result of a checkpoint.
  ///
  /// Both values are -1 if the file is not in write-ahead mode.
  package struct CheckpointResult: Sendable {
    /// The number of pages in the log.
    package let framesInLog: Int
    /// The number of pages of the log that are now in the file.
    package let framesCheckpointed: Int
  }

  /// Copies the pages of the write-ahead log into the file.
  ///
  /// - Throws: ``DriverError/Code/busy`` if readers or a writer prevent it.
  @discardableResult
  package func checkpoint(_ mode: CheckpointMode) throws(DriverError) -> CheckpointResult {
    let code: Int32
    switch mode {
    case .passive: code = SQLITE_CHECKPOINT_PASSIVE
    case .full: code = SQLITE_CHECKPOINT_FULL
    case .restart: code = SQLITE_CHECKPOINT_RESTART
    case .truncate: code = SQLITE_CHECKPOINT_TRUNCATE
    }
    var inLog: Int32 = -1
    var done: Int32 = -1
    let result = sqlite3_wal_checkpoint_v2(try open(), "main", code, &inLog, &done)
    guard result == SQLITE_OK else { throw failure(result) }
    // The next commit begins the log again. The engine reports no pages until then.
    if mode == .restart || mode == .truncate { pagesInLog = 0 }
    return CheckpointResult(framesInLog: Int(inLog), framesCheckpointed: Int(done))
  }

  /// Counts the pages of the write-ahead log from now on.
  ///
  /// This replaces the engine's automatic checkpoints.
  package func countLogPages() {
    guard let database else { return }
    sqlite3_wal_hook(
      database,
      { context, _, _, pages in
        if let context { Connection.from(context).pagesInLog = Int(pages) }
        return SQLITE_OK
      }, context)
  }

  /// Sets the time that the engine waits for another connection's lock.
  package func wait(milliseconds: Int32) throws(DriverError) {
    try expectTaken("busy_timeout", sqlite3_busy_timeout(try open(), milliseconds))
  }

  /// A number that changes when another connection changes the file.
  package var dataVersion: Int64 {
    get throws(DriverError) {
      let statement = try statement("PRAGMA data_version")
      defer { statement.reset() }
      return try statement.step() ? statement.row.integer(at: 0) : 0
    }
  }
}
