import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultSession
import ObjectVaultStores

// Checkpointing: copying the write-ahead log into the database file.

extension VaultFile {
  /// Keeps the write-ahead log small.
  ///
  /// Call it after a commit, while the writer lock is held. Errors are ignored because a log that
  /// stays is harmless: the next commit tries again.
  func limitLog(of session: Session) {
    let pages = session.engine.pagesInLog
    if pages > 0 {
      let log = session.engine.logState
      // If the numbers differ, another connection has committed since.
      session.file.ownLog = log?.frames == pages ? log : nil
    }
    let step = session.file.logLimit.step(pages: pages, now: CoarseClock.now)
    switch step {
    case .none: break
    case .move: _ = try? session.engine.checkpoint(.passive)
    case .restart(let milliseconds):
      let began = CoarseClock.now
      let wait = min(milliseconds, settings.busyMilliseconds)
      let isMoved = try? move(.restart, on: session, holdingReaders: true, wait: wait)
      if isMoved != true { session.file.logLimit.fail(began: began, ended: CoarseClock.now) }
    }
  }

  /// Copies the whole write-ahead log into the file and truncates the log to zero bytes.
  ///
  /// - Throws: `.busy` if readers or another process block the checkpoint; `.invalidArgument`
  ///   inside a transaction or read scope; `.readOnly`.
  func checkpoint() throws {
    if isInMemory { return }
    if sessions.isInScope {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be checkpointed inside one of its own transactions or read scopes. End "
          + "them first.")
    }
    try withWriter { session in
      let short = min(Self.shortHold, settings.busyMilliseconds)
      if try move(.truncate, on: session, holdingReaders: true, wait: short) { return }
      // The rest of the wait does not hold back readers of this process.
      let rest = settings.busyMilliseconds - short
      if try move(.truncate, on: session, holdingReaders: false, wait: rest) { return }
      throw VaultError(
        .busy,
        "The write-ahead log of '\(path)' could not be checkpointed within \(settings.busyTimeout), "
          + "because a read scope, an iteration or another process still reads it. End "
          + "those and try again. No data is lost; the file and its log are valid.")
    }
  }

  /// The longest time that a requested checkpoint holds back readers of this process, in
  /// milliseconds.
  private static let shortHold: Int32 = 100

  /// Copies the whole log into the file.
  ///
  /// - Parameters:
  ///   - mode: The checkpoint mode.
  ///   - session: The writer connection.
  ///   - holdingReaders: Whether new readers of this process wait until the checkpoint ends.
  ///   - milliseconds: The time to wait for readers and other processes.
  /// - Returns: `false` if readers or another process blocked the checkpoint for that time.
  /// - Throws: Engine errors other than `.busy`.
  private func move(
    _ mode: Connection.CheckpointMode, on session: Session, holdingReaders: Bool,
    wait milliseconds: Int32
  ) throws -> Bool {
    let engine = session.engine
    try engine.wait(milliseconds: milliseconds)
    let held = holdingReaders ? [self] + others : []
    for file in held { file.sessions.readers.hold() }
    let result = Result { try engine.checkpoint(mode) }
    for file in held { file.sessions.readers.endHold() }
    try engine.wait(milliseconds: settings.busyMilliseconds)
    switch result {
    case .success:
      session.file.logLimit.begin()
      return true
    case .failure(let error as DriverError) where error.code == .busy: return false
    case .failure(let error): throw error
    }
  }
}

extension Vault {
  /// Copies the write-ahead log into the file and truncates the log to zero bytes.
  ///
  /// The vault does this when it is closed, and partly while it is in use: see
  /// ``VaultConfiguration/writeAheadLogLimit``. Call it before you copy the file by other means, or
  /// after a large import. New readers of this process wait for at most a tenth of a second. A
  /// vault in memory has no log, so the call does nothing.
  ///
  /// - Throws: ``VaultError``: `.busy` if a reader or another process blocks the checkpoint for
  ///   longer than ``VaultConfiguration/busyTimeout``, `.invalidArgument` inside a transaction or a
  ///   read scope, `.readOnly`.
  @available(*, noasync, message: "It blocks its thread. Run it on a thread of its own.")
  public func checkpoint() throws { try file().checkpoint() }
}
