import ObjectVaultEngine

// Statements of several threads that one commit keeps. What takes more than one statement has a commit of
// its own: it could last, and a closure of the application could wait for one of those it makes wait.
//
// Who is done with a write and sees others wait leaves the gate with the transaction open, and waits for
// its commit. Who comes next goes on in the same transaction, and who finds nobody waiting commits it.
// Whatever else enters the gate commits it first.

extension VaultFile {
  /// Whether a write that begins now may share its commit.
  var mayShareCommit: Bool { settings.groupsCommits && !isInMemory && !gate.isHeldByCurrentThread }

  /// Enters the gate. What was left open for others is committed first, unless the caller goes on
  /// with it.
  func enter(sharing: Bool = false) throws(VaultError) {
    while true {
      do {
        try gate.enter()
      } catch {
        // It may have been this thread that was to go on.
        if enterIfFree() { gate.leave() }
        throw error
      }
      guard gate.isOutermost, let group, !(sharing && group.mayGrow) else { return }
      endGroup()
    }
  }

  /// Enters the gate where nobody is inside or waits.
  ///
  /// - Returns: Whether it did.
  func enterIfFree() -> Bool {
    while gate.enterIfFree() {
      guard group != nil else { return true }
      endGroup()
    }
    return false
  }

  /// Commits what was left open, and leaves the gate.
  private func endGroup() {
    let ended = endTransaction()
    gate.leave()
    ended?.tell()
  }

  /// Calls `body`, which is one statement and leaves nothing behind when it fails, as a write whose commit
  /// others may share.
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
        // A write that failed waits as well: what it saw may be undone with the commit.
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
        // At the commit it would fail all the others.
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

  /// Leaves the gate and the transaction open, where somebody comes who goes on with it.
  ///
  /// - Returns: What is committed then; `nil` where this thread is still inside and is to end it.
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

  /// Sees that what this thread's asynchronous operation wrote before is committed: what comes now may
  /// look for it.
  @inline(__always)
  func endAwaited() throws {
    if settings.groupsCommits, let awaited = ThreadRecord.current.awaited {
      try awaited.file.endShared()
      try awaited.group.wait()
      ThreadRecord.current.awaited = nil
    }
  }

  /// Commits what was left open for others, where nobody did yet.
  func endShared() throws(VaultError) {
    try enter()
    gate.leave()
  }
}

/// A commit that an asynchronous operation waits for without a thread.
struct AwaitedCommit {
  let file: VaultFile
  let group: CommitGroup
}
