import ObjectVaultEngine
import ObjectVaultKeys
import Synchronization

// What every use looks at first, and what its errors become.

extension VaultFile {
  /// Whether the file was removed through a handle of this process.
  var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// - Throws: `.invalidated` after the file was removed, and in a process that was forked since the
  ///   file was opened.
  func checkUsable() throws(VaultError) {
    if isRemoved { throw .vaultRemoved(path) }
    try checkProcess()
  }

  /// - Throws: `.invalidated` in a process that was forked since the file was opened.
  func checkProcess() throws(VaultError) {
    if process != ProcessNumber.current { throw .openedBeforeFork(path) }
  }

  /// How long readers rely on what they saw of the path, in nanoseconds.
  private static let pathCheckInterval: Int64 = 50_000_000

  /// Sees whether the path still leads to the file that is open: an insert into a file that was
  /// replaced would answer OK and be lost.
  ///
  /// - Parameter reader: A connection for which a look shortly before is enough.
  func checkNotReplaced(since reader: VaultConnection? = nil) throws {
    // The time is looked at first: all that is known of the open file is dearer.
    let now = reader.map { _ in CoarseClock.now }
    if let now, let last = reader?.lastPathCheck, now - last < Self.pathCheckInterval { return }
    guard let identity else { return }
    try Self.checkPath(path, leadsTo: identity)
    reader?.lastPathCheck = now
  }

  static func checkPath(
    _ path: String, leadsTo identity: HeldFile.Identity
  ) throws(VaultError) {
    guard HeldFile.Identity(path: path) == identity else {
      throw VaultError(
        .replaced,
        "Another file, or none, stands at '\(path)' since this vault was opened. Nothing was "
          + "written. Close the vault and open it again.")
    }
  }

  /// Lets the asynchronous operation that the thread runs be cancelled while `body` uses the
  /// connection.
  func cancellable<R>(_ connection: VaultConnection, _ body: () throws -> R) throws -> R {
    // A call inside another on this connection is watched already.
    guard let cancellation = Cancellation.current, watch(connection) else {
      if connection.isShared { try Cancellation.check() }
      return try body()
    }
    defer { connection.watched = nil }
    do {
      return try body()
    } catch {
      throw cancellation.isCancelled ? VaultError.cancelled : error
    }
  }

  /// Has the cancellation of the operation that the thread runs end what runs on the connection,
  /// until its `watched` is set to nothing.
  ///
  /// - Returns: Whether it was not so before.
  func watch(_ connection: VaultConnection) -> Bool {
    guard let cancellation = Cancellation.current, connection.watched == nil,
      !connection.isShared
    else { return false }
    connection.watched = cancellation
    return true
  }

  func mappingErrors<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as EngineError {
      // The removal may have come between the look and the use.
      try checkUsable()
      throw constraintError(error) ?? VaultError(error, path: path)
    } catch let error as VaultError where error.code == .replaced {
      try checkUsable()
      throw error
    } catch let error as KeyError {
      throw VaultError(error, path: path)
    }
  }
}
