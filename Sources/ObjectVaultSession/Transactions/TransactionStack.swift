package import ObjectVaultDriver

/// The nested transactions in progress on the session that writes.
///
/// Accessed only by the thread that holds the writer lock.
struct TransactionStack {
  /// A transaction, or a savepoint in it.
  ///
  /// Its actions run, and its references go, outside of the methods that change the stack: both can
  /// run code of the application that uses the database.
  struct Level {
    /// The actions to run after the outermost commit.
    fileprivate(set) var commitActions: [() -> Void] = []
    /// The actions to run on rollback, in reverse order.
    fileprivate(set) var rollbackActions: [() -> Void] = []
    /// The iterations that began inside.
    fileprivate var cursors = OpenCursors()
  }

  /// The open transaction and the savepoints in it, outermost first.
  private var levels: [Level] = []
  /// The features that attach to the transactions.
  var hooks: [any SessionHook] = []
  /// Whether the engine rolled back everything, so that no nested transaction can continue.
  private(set) var isAborted = false
  /// Whether other threads must not see what the transaction changes.
  var isPrivate = false

  /// The number of open transactions, nested in one another.
  var depth: Int { levels.count }

  var isActive: Bool { !levels.isEmpty }

  /// Adds an action to run after the outermost commit.
  mutating func addCommitAction(_ action: @escaping () -> Void) {
    levels[depth - 1].commitActions.append(action)
  }

  /// Adds an action to run when the innermost transaction, or one around it, is rolled back.
  mutating func addRollbackAction(_ action: @escaping () -> Void) {
    levels[depth - 1].rollbackActions.append(action)
  }

  /// Registers an iteration that ends with the innermost transaction.
  mutating func add(_ cursor: any ExpiringCursor) { levels[depth - 1].cursors.add(cursor) }

  /// Whether other threads may continue the open transaction.
  var mayBeShared: Bool { depth == 1 && !isAborted && !isPrivate }

  /// Throws `.transactionAborted` inside a transaction that the engine rolled back.
  func checkUsable() throws(VaultError) {
    if isAborted { throw .transactionAborted }
  }

  /// Begins a transaction, or a savepoint inside one.
  mutating func begin(on session: Session) throws {
    try checkUsable()
    if depth == 0 {
      try session.execute(session.connection.catalog.begin)
      session.noteBegin()
    } else {
      try session.execute("SAVEPOINT \(name(depth))")
    }
    for hook in hooks { hook.didBegin(on: session, isNested: depth > 0) }
    levels.append(Level())
  }

  /// Commits the innermost transaction.
  ///
  /// - Returns: The outermost transaction, whose commit actions follow after all locks are released;
  ///   `nil` for a savepoint.
  mutating func commit(on session: Session) throws -> Level? {
    try checkUsable()
    levels[depth - 1].cursors.expire()
    guard depth == 1 else {
      try session.execute("RELEASE \(name(depth - 1))")
      for hook in hooks { hook.didKeep(on: session) }
      let level = levels.removeLast()
      levels[depth - 1].commitActions += level.commitActions
      levels[depth - 1].rollbackActions += level.rollbackActions
      return nil
    }
    for hook in hooks { try hook.willCommit(on: session) }
    do {
      try session.execute(Self.commit)
    } catch {
      guard try hooks.contains(where: { try $0.isStored(despite: error) }) else { throw error }
    }
    var level = levels.removeLast()
    reset()
    var work: [() -> Void] = []
    for hook in hooks { if let action = hook.didCommit(on: session) { work.append(action) } }
    if !work.isEmpty { level.commitActions.insert(contentsOf: work, at: 0) }
    return level
  }

  /// Rolls back the innermost transaction.
  ///
  /// The transaction is over afterwards, whatever failed before. Nothing more is needed if the
  /// engine already rolled it back.
  ///
  /// - Returns: The transaction, whose rollback actions follow.
  mutating func rollBack(on session: Session) -> Level {
    levels[depth - 1].cursors.expire()
    session.schemaEpoch.rollBack()
    noteFailure(on: session)
    session.unwatched {
      if depth > 1, !isAborted {
        do {
          try session.execute("ROLLBACK TO \(name(depth - 1))")
          try session.execute("RELEASE \(name(depth - 1))")
        } catch {
          // The savepoint cannot be rolled back alone: roll back everything and abort all nested
          // transactions.
          isAborted = true
        }
      }
      if depth == 1 || isAborted, session.connection.isInTransaction {
        try? session.execute("ROLLBACK")
      }
    }
    for hook in hooks { hook.didUndo(on: session) }
    let level = levels.removeLast()
    reset()
    return level
  }

  /// Checks, after a failed write, whether the engine rolled back the whole transaction.
  mutating func noteFailure(on session: Session) {
    if depth > 0, !session.connection.isInTransaction { isAborted = true }
  }

  private mutating func reset() {
    if depth == 0 { (isAborted, isPrivate) = (false, false) }
  }

  private static let commit = StatementText("COMMIT")

  private func name(_ level: Int) -> String { "ov_level_\(level)" }
}

extension VaultError {
  package static var transactionAborted: VaultError {
    VaultError(
      .transactionAborted,
      "The enclosing transaction was rolled back after an error and cannot continue. Let the error "
        + "leave the transaction, then begin again.")
  }
}
