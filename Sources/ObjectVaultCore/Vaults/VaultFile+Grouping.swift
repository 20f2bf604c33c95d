import ObjectVaultDriver

// Group commit: statements of several threads that share one commit. Operations of more than one
// statement have their own commit. They could take long, and a closure of the application could
// wait for one of the threads that it blocks.
//
// A thread that finishes a write while others wait releases the writer lock with the transaction
// open, and waits for its commit. The next thread continues the same transaction. A thread that
// finds no one waiting commits it. Any other use of the writer lock commits the transaction first.

extension VaultFile {
  /// Whether a write that begins now may share its commit.
  var mayShareCommit: Bool { settings.groupsCommits && !isInMemory && !gate.isHeldByCurrentThread }

  /// Acquires the writer lock.
  ///
  /// A transaction that was left open for others is committed first, unless the caller continues
  /// it.
  ///
  /// - Parameter sharing: Whether the caller continues an open group transaction.
  /// - Throws: ``VaultError`` if the lock cannot be acquired.
  func enter(sharing: Bool = false) throws(VaultError) {
    while true {
      do {
        try gate.enter()
      } catch {
        // This thread may have been the one expected to continue the open transaction.
        if enterIfFree() { gate.leave() }
        throw error
      }
      guard gate.isOutermost, let group, !(sharing && group.mayGrow) else { return }
      endGroup()
    }
  }

  /// Acquires the writer lock if it is free and no one waits for it.
  ///
  /// - Returns: Whether the lock was acquired.
  func enterIfFree() -> Bool {
    while gate.enterIfFree() {
      guard group != nil else { return true }
      endGroup()
    }
    return false
  }

  /// Commits the open group transaction and releases the writer lock.
  private func endGroup() {
    let ended = endTransaction()
    gate.leave()
    ended?.tell()
  }

  /// Runs `body` as a write that may share its commit with others.
  ///
  /// - Parameter body: A single statement that leaves no changes behind if it fails.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body` or of the commit.
  func sharingCommit<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try endAwaited()
    try enter(sharing: true)
    let result: Result<R, any Error>
    do {
      result = .success(try mappingErrors { try takePart(body) })
    } catch {
      result = .failure(error)
    }
    let record = ThreadRecord.current
    let lane = record.lane.flatMap { $0 === lanes.writing ? $0 : nil }
    if let group = leaveOpen(record, lane) {
      if lane == nil {
        // A failed write waits too: the state that it read may be rolled back with the commit.
        let outcome = Result { try group.wait() }
        if case .success = result { try outcome.get() }
      } else {
        record.awaited = AwaitedCommit(file: self, group: group)
      }
      return try result.get()
    }
    let ended = endTransaction()
    gate.leave()
    ended?.tell()
    if case .success = result { try ended?.outcome.get() }
    return try result.get()
  }

  private func takePart<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    let connection = try writer()
    guard let group else {
      try transactions.begin(on: connection)
      do {
        let result = try cancellable(connection) { try body(connection) }
        try Cancellation.check()
        // A violation found at the commit would fail every write of the group.
        try connection.checkReferences()
        return result
      } catch {
        undo(on: connection)
        throw error
      }
    }
    group.grow()
    try checkNotReplaced()
    connection.isShared = true
    defer { connection.isShared = false }
    do {
      return try cancellable(connection) { try body(connection) }
    } catch {
      transactions.noteFailure(on: connection)
      throw error
    }
  }

  /// Releases the writer lock and leaves the transaction open if another thread continues it.
  ///
  /// - Returns: The group to wait for; `nil` if this thread still holds the lock and must end the
  ///   transaction.
  private func leaveOpen(_ record: ThreadRecord, _ lane: Lane?) -> CommitGroup? {
    if let writerConnection { transactions.noteFailure(on: writerConnection) }
    guard transactions.mayBeShared, !record.holdsMore, group?.mayGrow ?? true else { return nil }
    let nextInLine = lane?.isNextSharing ?? false
    guard nextInLine || gate.waiterCount > 0 else { return nil }
    let open = group ?? CommitGroup(settings.groupLimits)
    group = open
    if nextInLine {
      record.leftOpen = self
      gate.leave()
      return open
    }
    return gate.leaveToWaiter() ? open : nil
  }

  /// Ensures that earlier writes of this thread's asynchronous operation are committed, because the
  /// next call may read them.
  @inline(__always)
  func endAwaited() throws {
    if settings.groupsCommits, let awaited = ThreadRecord.current.awaited {
      try awaited.file.endShared()
      try awaited.group.wait()
      ThreadRecord.current.awaited = nil
    }
  }

  /// Commits a transaction that was left open for others, if it is still open.
  func endShared() throws(VaultError) {
    try enter()
    gate.leave()
  }
}

/// A commit that an asynchronous operation awaits without blocking a thread.
struct AwaitedCommit {
  let file: VaultFile
  let group: CommitGroup
}
