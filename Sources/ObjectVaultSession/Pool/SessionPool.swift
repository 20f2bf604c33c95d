public import ObjectVaultDriver
public import ObjectVaultPlatform
public import Synchronization

/// The sessions of one database in this process: one that writes, and a pool of those that read.
///
/// It hands out every session, for one call, a read scope, a transaction or an iteration. A database
/// in memory has a single session: readers acquire the writer lock too, and an iteration, which must
/// not see changes, reads a copy.
@usableFromInline
package final class SessionPool: @unchecked Sendable {
  /// The name of the database in errors: the path of a file.
  @usableFromInline package let name: String
  /// Whether the database has a single session.
  package let hasOneSession: Bool
  package let writerLock: WriterLock
  package let readers: ReaderPool
  /// The limits of groups of writes that share a commit; `nil` if each has its own.
  let groupLimits: GroupLimits?
  private let readerCount: Int
  /// The session that writes.
  ///
  /// Accessed only while the writer lock is held.
  package var writer: Session?
  /// The transactions in progress.
  ///
  /// Accessed only while the writer lock is held.
  var transactions = TransactionStack()
  /// The writes that wait for the commit of the transaction in progress.
  ///
  /// Accessed only while the writer lock is held.
  var group: CommitGroup?
  /// The finished transactions that others are told of once the writer lock is released.
  ///
  /// Accessed only while the writer lock is held.
  var ended: [EndedTransaction] = []
  /// The database, which owns the pool and outlives each of its operations.
  unowned(unsafe) private(set) var owner: (any SessionPoolOwner)!
  /// The process that opened the database.
  ///
  /// The engine's locks and connections cannot be used in a forked process.
  @usableFromInline package let process = ProcessNumber.current
  @usableFromInline let removed = Atomic<Bool>(false)
  private let madeExecutors = MadeOnce<Executors>()

  /// Creates the pool of a database.
  ///
  /// - Parameters:
  ///   - name: The name of the database in errors.
  ///   - writer: The session that writes, if it is open already.
  ///   - hasOneSession: Whether `writer` is the only session.
  ///   - readers: The largest number of sessions in use for calls that read.
  ///   - timeout: The time to wait for one of them.
  ///   - groupLimits: The limits of groups of writes that share a commit; `nil` if each has its own.
  ///   - connect: Opens a session that reads. It may be called after the owner is gone.
  package init(
    name: String, writer: Session?, hasOneSession: Bool, readers: Int, timeout: Duration,
    groupLimits: GroupLimits?, connect: @escaping @Sendable () throws -> Session
  ) {
    self.name = name
    self.writer = writer
    self.hasOneSession = hasOneSession
    self.groupLimits = groupLimits
    readerCount = readers
    writerLock = WriterLock(name: name)
    self.readers = ReaderPool(name: name, limit: readers, timeout: timeout, make: connect)
  }

  /// Sets the owner and the hooks, while the database is being opened and not yet used.
  package func belong(to owner: any SessionPoolOwner, hooks: [any SessionHook]) {
    self.owner = owner
    transactions.hooks = hooks
  }

  /// Leaves the connections open until the process ends, because closing one could write to a file.
  ///
  /// Call it in a process that was forked after the database was opened, and if the log of the
  /// database may have pages of another file. The key stays in memory.
  package func abandon() {
    _ = Unmanaged.passRetained(readers)
    if let writer { _ = Unmanaged.passRetained(writer) }
  }

  /// The identity of the pool while it is retained; never 0.
  @inlinable
  package var mark: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  /// The executors of asynchronous operations, created on first use.
  package var executors: Executors {
    madeExecutors.value(
      orMake: Executors(name: String(name.fileName), readers: readerCount))
  }

  // MARK: Checks

  /// Whether the database was removed through a handle of this process.
  @inlinable @inline(__always)
  package var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// Makes every later use fail.
  package func becomeRemoved() { removed.store(true, ordering: .releasing) }

  /// Throws if the database was removed, or if this process was forked after it was opened.
  ///
  /// - Throws: `.invalidated`.
  @inlinable @inline(__always)
  package func checkUsable() throws(VaultError) {
    if isRemoved { throw .vaultRemoved(name) }
    try checkProcess()
  }

  /// Throws `.invalidated` if this process was forked after the database was opened.
  @inlinable @inline(__always)
  package func checkProcess() throws(VaultError) {
    if process != ProcessNumber.current { throw .openedBeforeFork(name) }
  }

  /// The time for which readers trust the last validation, in nanoseconds.
  @inlinable static var validationInterval: Int64 { 50_000_000 }

  /// Checks everything that may have changed since a session was last used for reading.
  @inlinable @inline(__always)
  package func check(_ session: Session) throws {
    try checkUsable()
    let now = CoarseClock.now
    if !session.mustAlwaysBeValidated, let last = session.lastValidation,
      now - last < Self.validationInterval
    {
      return
    }
    try validate(session, at: now)
  }

  @usableFromInline
  func validate(_ session: Session, at now: Int64) throws {
    try owner.validate(session)
    session.lastValidation = now
  }

  /// Calls `body` and translates its errors for the application.
  package func describingErrors<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw owner.describe(error)
    }
  }
}

/// A database that owns a pool of sessions.
package protocol SessionPoolOwner: AnyObject, Sendable {
  /// Opens the session that writes, after the former one was given up.
  ///
  /// - Throws: The errors of opening; ``VaultError`` if the former one cannot be replaced.
  func connectWriter() throws -> Session

  /// Throws if nothing may be written.
  func checkWritable() throws

  /// Throws if a session must not be used any more, and makes it ready.
  ///
  /// Called before each use of the session that writes, and before uses of the others after some
  /// time.
  func validate(_ session: Session) throws

  /// Returns the form of an error that an application receives.
  func describe(_ error: any Error) -> any Error

  /// Returns a session on a copy of a database that has a single session.
  func copy(of session: Session) throws -> Session
}

extension VaultError {
  @usableFromInline
  package static func openedBeforeFork(_ path: String) -> VaultError {
    VaultError(
      .invalidated,
      "The vault '\(path)' was opened before a fork and cannot be used in the child process. Fork "
        + "before the vault is opened, or open it in a program that the child starts.")
  }

  @usableFromInline
  package static func vaultRemoved(_ path: String) -> VaultError {
    VaultError(
      .invalidated,
      "The vault '\(path)' was removed after this handle was created. Create a new handle.")
  }
}
