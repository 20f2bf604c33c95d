import ObjectVaultDriver
import ObjectVaultKeys
import Synchronization

// Checks before each use of the file, and the mapping of its errors.

extension VaultFile {
  /// Whether the file was removed through a handle of this process.
  var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// Throws if the file was removed, or if this process was forked after the file was opened.
  ///
  /// - Throws: `.invalidated`.
  func checkUsable() throws(VaultError) {
    if isRemoved { throw .vaultRemoved(path) }
    try checkProcess()
  }

  /// Throws `.invalidated` if this process was forked after the file was opened.
  func checkProcess() throws(VaultError) {
    if process != ProcessNumber.current { throw .openedBeforeFork(path) }
  }

  /// The time for which readers trust the last check of the path, in nanoseconds.
  private static let pathCheckInterval: Int64 = 50_000_000

  /// Throws if the path no longer leads to the open file.
  ///
  /// Without this check, an insert into a replaced file would succeed and be lost.
  ///
  /// - Parameter reader: A connection that may rely on a recent check; `nil` checks every time.
  /// - Throws: `.replaced`.
  func checkNotReplaced(since reader: VaultConnection? = nil) throws {
    // Compare the time first: reading the facts of the open file costs more.
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
        "'\(path)' was removed or replaced by another file after this vault was opened. Nothing "
          + "was written. Close the vault and open it again.")
    }
  }

  /// Makes use of the connection in `body` cancellable together with the asynchronous operation
  /// that this thread runs.
  func cancellable<R>(_ connection: VaultConnection, _ body: () throws -> R) throws -> R {
    // A nested call on this connection is already watched.
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

  /// Makes cancellation of the operation on this thread interrupt the connection, until its
  /// `watched` is set to `nil`.
  ///
  /// - Returns: Whether the call changed anything; `false` if the connection is already watched or
  ///   shared.
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
    } catch let error as DriverError {
      // The removal may have happened between the check and the use.
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
