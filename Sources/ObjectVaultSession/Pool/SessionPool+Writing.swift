import ObjectVaultDriver
import ObjectVaultPlatform

// Writing: the session that writes, its lock, transactions, and work that ends with them.

extension SessionPool {
  /// Calls `body` inside this thread's transaction, or inside one of its own.
  ///
  /// A transaction of its own is rolled back if `body` throws. In a transaction of this thread, the
  /// writes before the error remain, so `body` must undo them if a part of it must not remain alone.
  ///
  /// - Parameter body: The writes.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of the transaction.
  @inlinable
  package func write<R>(_ body: (Session) throws -> R) throws -> R {
    var result: R?
    try run(.write) { result = try body($0) }
    return result.unsafelyUnwrapped
  }

  /// Calls `body` inside a transaction, or inside a savepoint of this thread's transaction.
  ///
  /// - Parameters:
  ///   - isOfApplication: Whether `body` is a closure of an application: tasks created inside it
  ///     then know of the transaction.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of the transaction; nothing remains of it then.
  @inlinable
  package func transaction<R>(
    isOfApplication: Bool = false, _ body: (Session) throws -> R
  ) throws -> R {
    var result: R?
    try run(isOfApplication ? .applicationTransaction : .transaction) { result = try body($0) }
    return result.unsafelyUnwrapped
  }

  /// A kind of work that writes.
  @usableFromInline
  enum Work {
    /// Writes that join the transaction of the thread, or may share a commit with other threads.
    case write
    /// A transaction, or a savepoint in one.
    case transaction
    /// A transaction that a closure of an application runs in.
    case applicationTransaction
  }

  /// Runs work that writes.
  @usableFromInline
  func run(_ work: Work, _ body: (Session) throws -> Void) throws {
    if work == .write {
      if isInTransaction { return try join(body) }
      if groupLimits != nil, !hasOneSession, !writerLock.isHeldByCurrentThread {
        return try sharingCommit(body)
      }
    }
    try describingErrors {
      try acquire()
      // Observers are notified at the end of this, when no lock is held.
      defer { release() }
      let session = try writerSession()
      if work == .applicationTransaction, !transactions.isActive {
        for hook in transactions.hooks { try hook.willBeginForApplication(on: session) }
      }
      try transactions.begin(on: session)
      do {
        try session.cancellable {
          if work == .applicationTransaction {
            try TransactionMark.inside(self) { try body(session) }
          } else {
            try body(session)
          }
        }
        if !session.connection.hasCommitted { try Cancellation.check() }
        try commit(on: session)
      } catch {
        undo(on: session)
        throw error
      }
      if !transactions.isActive { Cancellation.current?.noteCommit() }
    }
  }

  /// Calls `body` with the session that writes, inside this thread's transaction if it has one.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of obtaining the session.
  package func join<R>(_ body: (Session) throws -> R) throws -> R {
    try withWriter { session in
      do {
        return try session.cancellable { try body(session) }
      } catch {
        transactions.noteFailure(on: session)
        throw error
      }
    }
  }

  /// Calls `body` with the session that writes outside any transaction, for settings of the
  /// database.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of obtaining the session.
  package func withWriter<R>(_ body: (Session) throws -> R) throws -> R {
    try describingErrors {
      try acquire()
      defer { release() }
      return try body(writerSession())
    }
  }

  /// Calls `body` while no other thread writes.
  ///
  /// - Parameter body: The work to do. It may replace ``writer``.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``VaultError`` if the writer lock cannot be acquired.
  package func excludingWriters<R>(_ body: () throws -> R) throws -> R {
    try acquire()
    defer { release() }
    return try body()
  }

  /// Calls `body` while no other thread writes, unless one does or waits to.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`; `nil` if the writer lock is not free.
  /// - Throws: The error of `body`.
  package func excludingWritersIfFree<R>(_ body: () throws -> R) rethrows -> R? {
    guard acquireIfFree() else { return nil }
    defer { release() }
    return try body()
  }

  /// Returns the session that writes after checking it.
  ///
  /// The caller holds the writer lock.
  package func writerSession() throws -> Session {
    try checkUsable()
    if let writer { transactions.noteFailure(on: writer) }
    try transactions.checkUsable()
    try owner.checkWritable()
    if let writer, transactions.isActive { return writer }
    if let writer, hasOneSession || !writer.isRejected {
      try owner.validate(writer)
      if hasOneSession || !writer.connection.hasMetDamage { return writer }
    }
    self.writer = nil
    let session = try owner.connectWriter()
    writer = session
    try owner.validate(session)
    return session
  }

  // MARK: The transaction of this thread

  /// Whether this thread is inside a transaction of this database.
  package var isInTransaction: Bool { writerLock.isHeldByCurrentThread && transactions.isActive }

  /// Runs `action` after the commit of this thread's transaction, with no lock held.
  ///
  /// It never runs after a rollback, and runs at once outside a transaction.
  package func afterCommit(_ action: @escaping () -> Void) {
    if isInTransaction { transactions.addCommitAction(action) } else { action() }
  }

  /// Runs `action` if this thread's innermost transaction, or one around it, is rolled back.
  package func onRollback(_ action: @escaping () -> Void) {
    if isInTransaction { transactions.addRollbackAction(action) }
  }

  /// Registers an iteration that ends with this thread's innermost transaction.
  package func add(_ cursor: any ExpiringCursor) { transactions.add(cursor) }

  /// Prevents that other threads continue this thread's transaction, because they must not see what
  /// it changes.
  package func keepTransactionPrivate() { transactions.isPrivate = true }

  /// Checks whether a failure ended this thread's transaction.
  package func noteFailure() {
    if isInTransaction, let writer { transactions.noteFailure(on: writer) }
  }

  // MARK: The end of a transaction

  /// Commits the innermost transaction.
  ///
  /// The caller holds the writer lock.
  func commit(on session: Session) throws {
    try checkProcess()
    guard let level = try transactions.commit(on: session) else { return }
    end(with: .success(()), level.commitActions)
  }

  /// Rolls back the innermost transaction.
  ///
  /// The caller holds the writer lock.
  func undo(on session: Session) {
    // In a forked child the transaction belongs to the parent and continues there.
    guard process == ProcessNumber.current else { return }
    let level = transactions.rollBack(on: session)
    for action in level.rollbackActions.reversed() { action() }
    if !transactions.isActive, session.connection.isInTransaction { writer = nil }
  }

  /// Commits the transaction in progress, or rolls it back if that fails.
  ///
  /// The caller holds the writer lock.
  ///
  /// - Returns: The outcome; `nil` if there is no transaction.
  func endTransaction() -> Result<Void, any Error>? {
    guard transactions.isActive, let session = writer else { return nil }
    let isAborted = transactions.isAborted
    do {
      try describingErrors { try commit(on: session) }
      return .success(())
    } catch {
      undo(on: session)
      let outcome = Result<Void, any Error>.failure(
        isAborted && group != nil ? VaultError.groupAborted : error)
      end(with: outcome, [])
      return outcome
    }
  }

  private func end(with outcome: Result<Void, any Error>, _ work: [() -> Void]) {
    if group == nil, work.isEmpty { return }
    ended.append(EndedTransaction(owner: owner, group: group, outcome: outcome, work: work))
    group = nil
  }
}

extension VaultError {
  fileprivate static var groupAborted: VaultError {
    VaultError(
      .transactionAborted,
      "Another write in the same commit caused the engine to roll back the whole transaction. "
        + "Nothing of either write was stored. Try again.")
  }
}
