import ObjectVaultDriver

// Group commit: statements of several threads that share one commit. Operations of more than one
// statement have their own commit. They could take long, and a closure of the application could
// wait for one of the threads that it blocks.
//
// A thread that finishes a write while others wait releases the writer lock with the transaction
// open, and waits for its commit. The next thread continues the same transaction. A thread that
// finds no one waiting commits it. Any other use of the writer lock commits the transaction first.

extension SessionPool {
  /// Acquires the writer lock.
  ///
  /// A transaction that was left open for others is committed first, unless the caller continues
  /// it.
  ///
  /// - Parameter sharing: Whether the caller continues an open group transaction.
  /// - Throws: ``VaultError`` if the lock cannot be acquired.
  func acquire(sharing: Bool = false) throws(VaultError) {
    while true {
      do {
        try writerLock.acquire()
      } catch {
        // This thread may have been the one expected to continue the open transaction.
        if acquireIfFree() { release() }
        throw error
      }
      guard writerLock.isOutermost, let group, !(sharing && group.mayGrow) else { return }
      endGroup()
    }
  }

  /// Acquires the writer lock if it is free and no one waits for it.
  ///
  /// - Returns: Whether the lock was acquired.
  func acquireIfFree() -> Bool {
    while writerLock.acquireIfFree() {
      guard group != nil else { return true }
      endGroup()
    }
    return false
  }

  /// Releases the writer lock once; the last release notifies of the transactions that ended.
  func release() {
    guard writerLock.isOutermost, !ended.isEmpty else { return writerLock.release() }
    let ended = ended
    self.ended = []
    writerLock.release()
    for transaction in ended { transaction.notify() }
  }

  /// Commits the open group transaction and releases the writer lock.
  private func endGroup() {
    _ = endTransaction()
    release()
  }

  /// Runs `body` as a write that may share its commit with others.
  ///
  /// - Parameter body: A single statement that leaves no changes behind if it fails.
  /// - Throws: The error of `body` or of the commit.
  func sharingCommit(_ body: (Session) throws -> Void) throws {
    try endAwaited()
    try acquire(sharing: true)
    let result = Result { try describingErrors { try takePart(body) } }
    let thread = ThreadState.current
    let executor = thread.executor.flatMap { $0 === executors.writing ? $0 : nil }
    if let group = leaveOpen(thread, executor) {
      if executor == nil {
        // A failed write waits too: the state that it read may be rolled back with the commit.
        let outcome = Result { try group.wait() }
        if case .success = result {
          try outcome.get()
          Cancellation.current?.noteCommit()
        }
      } else {
        thread.awaited = AwaitedCommit(pool: self, owner: owner, group: group)
      }
      return try result.get()
    }
    let outcome = endTransaction()
    release()
    if case .success = result {
      try outcome?.get()
      Cancellation.current?.noteCommit()
    }
    try result.get()
  }

  private func takePart(_ body: (Session) throws -> Void) throws {
    let session = try writerSession()
    guard let group else {
      try transactions.begin(on: session)
      do {
        try session.cancellable { try body(session) }
        try Cancellation.check()
        // A violation found at the commit would fail every write of the group.
        for hook in transactions.hooks { try hook.willShare(on: session) }
      } catch {
        undo(on: session)
        throw error
      }
      return
    }
    group.grow()
    try owner.validate(session)
    session.isShared = true
    defer { session.isShared = false }
    // A savepoint, so that an error after the statement rolls back this write alone.
    try transactions.begin(on: session)
    do {
      try session.cancellable { try body(session) }
      try Cancellation.check()
      for hook in transactions.hooks { try hook.willShare(on: session) }
      try commit(on: session)
    } catch {
      undo(on: session)
      throw error
    }
  }

  /// Releases the writer lock and leaves the transaction open if another thread continues it.
  ///
  /// - Returns: The group to wait for; `nil` if this thread still holds the lock and must end the
  ///   transaction.
  private func leaveOpen(_ thread: ThreadState, _ executor: ThreadExecutor?) -> CommitGroup? {
    if let writer { transactions.noteFailure(on: writer) }
    guard let groupLimits, transactions.mayBeShared, !thread.holdsMore, group?.mayGrow ?? true
    else { return nil }
    let nextInLine = executor?.isNextSharing ?? false
    guard nextInLine || writerLock.waiterCount > 0 else { return nil }
    let open = group ?? CommitGroup(groupLimits)
    group = open
    if nextInLine {
      thread.leftOpen = AwaitedCommit(pool: self, owner: owner, group: open)
      writerLock.release()
      return open
    }
    return writerLock.releaseToWaiter() ? open : nil
  }

  /// Ensures that earlier writes of this thread's asynchronous operation are committed, because the
  /// next call may read them.
  @inline(__always)
  func endAwaited() throws {
    if groupLimits != nil, let awaited = ThreadState.current.awaited {
      try withExtendedLifetime(awaited.owner) { () throws(VaultError) in
        try awaited.pool.endShared()
      }
      try awaited.group.wait()
      ThreadState.current.awaited = nil
    }
  }

  /// Commits a transaction that was left open for others, if it is still open.
  func endShared() throws(VaultError) {
    try acquire()
    release()
  }
}

/// A commit that an asynchronous operation awaits without blocking a thread.
@usableFromInline
package struct AwaitedCommit {
  let pool: SessionPool
  /// The database of the pool, which must not close before.
  let owner: AnyObject
  let group: CommitGroup
}
