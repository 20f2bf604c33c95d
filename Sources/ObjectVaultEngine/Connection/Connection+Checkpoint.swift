internal import CSQLCipher

extension Connection {
  /// How far a checkpoint goes.
  package enum CheckpointMode: Sendable {
    /// As far as readers let it, without waiting.
    case passive
    /// All of the log, waiting for writers and readers.
    case full
    /// As `full`, and the next writer starts the log anew.
    case restart
    /// As `restart`, and the log is cut to no bytes.
    case truncate
  }

  /// What a checkpoint did; both -1 when the file is not in write-ahead mode.
  package struct CheckpointResult: Sendable {
    /// The pages in the log.
    package let framesInLog: Int
    /// Those of them that are in the file now.
    package let framesCheckpointed: Int
  }

  /// Moves the pages of the write-ahead log into the file.
  ///
  /// - Throws: ``EngineError/Code/busy`` when readers or a writer stayed in the way.
  @discardableResult
  package func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointResult {
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
    return CheckpointResult(framesInLog: Int(inLog), framesCheckpointed: Int(done))
  }

  /// Counts the pages of the write-ahead log from now on, which the engine no longer checkpoints by itself.
  package func countLogPages() {
    guard let database else { return }
    sqlite3_wal_hook(
      database,
      { context, _, _, pages in
        if let context { Connection.from(context).pagesInLog = Int(pages) }
        return SQLITE_OK
      }, context)
  }

  /// Sets how long the engine waits for another connection's lock.
  package func wait(milliseconds: Int32) throws(EngineError) {
    try expectTaken("busy_timeout", sqlite3_busy_timeout(try open(), milliseconds))
  }

  /// A number that changes when another connection changed the file.
  package var dataVersion: Int64 {
    get throws(EngineError) {
      let statement = try statement("PRAGMA data_version")
      defer { statement.reset() }
      return try statement.step() ? statement.row.integer(at: 0) : 0
    }
  }
}
