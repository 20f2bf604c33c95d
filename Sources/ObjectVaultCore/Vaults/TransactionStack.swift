import ObjectVaultDriver
import ObjectVaultEngine

/// The nested transactions in progress on a vault's writer connection.
///
/// Accessed only by the thread that holds the writer lock.
struct TransactionStack {
  /// The number of open transactions, nested in one another.
  private(set) var depth = 0
  /// Whether the engine rolled back everything, so that no nested transaction can continue.
  private(set) var isAborted = false

  /// The actions to run after the commit, each with the depth at which it was added.
  private var actions: [(depth: Int, run: () -> Void)] = []
  /// The actions to run on rollback, each with the depth at which it was added.
  private var undoActions: [(depth: Int, run: () -> Void)] = []
  /// The table changes in order, each with the depth at which it was made.
  private var tableChanges: [(depth: Int, change: TableChange)] = []
  /// The iterations that began inside the transactions.
  private var cursors = OpenCursors()
  /// The tally of changes, to detect whether any remain after rollbacks.
  private var tally = ChangeTally()
  /// The tables that were written to and not rolled back.
  private var writtenTables = WrittenTables()
  /// The copy of the file from before these transactions, with the depth at which it was requested.
  private var preimage: (depth: Int, copy: Preimage)?

  var isActive: Bool { depth > 0 }

  /// Adds an action to run after the outermost commit.
  mutating func addAction(_ action: @escaping () -> Void) {
    actions.append((depth, action))
  }

  /// Adds an action to run when the innermost transaction, or one around it, is rolled back.
  mutating func addUndoAction(_ action: @escaping () -> Void) {
    undoActions.append((depth, action))
  }

  /// Removes and returns the actions to run after the outermost commit; returns none inside a
  /// transaction.
  mutating func takeCommittedActions() -> [() -> Void] {
    guard depth == 0 else { return [] }
    defer { actions = [] }
    return actions.map(\.run)
  }

  var hasPreimage: Bool { preimage != nil }

  /// Registers a copy of the file that remains after the outermost commit and is removed if its
  /// transaction is rolled back.
  mutating func keep(_ copy: Preimage) { preimage = (depth, copy) }

  /// Records a change of a table, which other threads must not see before the commit.
  mutating func add(_ change: TableChange) { tableChanges.append((depth, change)) }

  /// The classes with uncommitted stores, latest first.
  var madeClasses: [ClassDescription] {
    tableChanges.reversed().compactMap { entry in
      if case .made(let state) = entry.change { state.description } else { nil }
    }
  }

  /// Returns whether an uncommitted transaction removed the table, given in lower case.
  func hasRemoved(_ table: String) -> Bool {
    tableChanges.contains { if case .removed(table) = $0.change { true } else { false } }
  }

  /// Whether other threads may continue the open transaction.
  ///
  /// They may not if it changed tables, because other threads must not see those changes yet.
  var mayBeShared: Bool { depth == 1 && !isAborted && tableChanges.isEmpty }

  /// Removes and returns the committed table changes; returns none inside a transaction.
  mutating func takeTableChanges() -> [TableChange] {
    guard depth == 0 else { return [] }
    defer { tableChanges = [] }
    return tableChanges.map(\.change)
  }

  /// Removes and returns the tables with committed writes; returns none inside a transaction.
  mutating func takeWrittenTables() -> Set<String> { writtenTables.takeCommitted() }

  /// Registers an iteration that ends with the innermost transaction.
  mutating func add(_ cursor: any ExpiringCursor) { cursors.add(cursor, depth: depth) }

  /// Throws `.transactionAborted` inside a transaction that the engine rolled back.
  func checkUsable() throws(VaultError) {
    if isAborted { throw .transactionAborted }
  }

  /// Begins a transaction, or a savepoint inside one.
  mutating func begin(on connection: VaultConnection) throws {
    try checkUsable()
    try connection.execute(depth == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name(depth))")
    if depth == 0 { connection.noteBegin() }
    tally.begin(at: connection.changeCount)
    writtenTables.begin(in: connection.engine.record)
    depth += 1
  }

  /// Commits the innermost transaction.
  mutating func commit(on connection: VaultConnection) throws {
    try checkUsable()
    cursors.expire(deeperThan: depth - 1)
    if depth == 1 {
      if tally.hasChanges(at: connection.changeCount) {
        try CommitCounter.raise(on: connection)
      }
      try connection.execute("COMMIT")
    } else {
      try connection.execute("RELEASE \(name(depth - 1))")
    }
    tally.keep()
    writtenTables.keep(in: connection.engine.record)
    depth -= 1
    preimage = depth == 0 ? nil : preimage.map { (min($0.depth, depth), $0.copy) }
    // Entries of this transaction now belong to the enclosing one.
    for index in actions.indices { actions[index].depth = min(actions[index].depth, depth) }
    if depth == 0 {
      undoActions = []
    } else {
      // The entries of this transaction are the last ones.
      var index = undoActions.endIndex
      while index > 0, undoActions[index - 1].depth > depth {
        index -= 1
        undoActions[index].depth = depth
      }
    }
    for index in tableChanges.indices {
      tableChanges[index].depth = min(tableChanges[index].depth, depth)
    }
    reset()
  }

  /// Rolls back the innermost transaction.
  ///
  /// The transaction is over afterwards, whatever failed before. Nothing more is needed if the
  /// engine already rolled it back.
  mutating func rollBack(on connection: VaultConnection) {
    cursors.expire(deeperThan: depth - 1)
    // After a rollback, the same schema number can be used for another schema.
    connection.graph = nil
    connection.schemaEpoch.rollBack()
    noteFailure(on: connection)
    connection.unwatched {
      if depth > 1, !isAborted {
        do {
          try connection.execute("ROLLBACK TO \(name(depth - 1))")
          try connection.execute("RELEASE \(name(depth - 1))")
        } catch {
          // The savepoint cannot be rolled back alone: roll back everything and abort all nested
          // transactions.
          isAborted = true
        }
      }
      if depth == 1 || isAborted, connection.engine.isInTransaction {
        try? connection.execute("ROLLBACK")
      }
    }
    actions.removeAll { $0.depth >= depth || isAborted }
    while let last = undoActions.last, last.depth >= depth || isAborted {
      undoActions.removeLast()
      last.run()
    }
    tableChanges.removeAll { $0.depth >= depth || isAborted }
    tally.undo(at: connection.changeCount)
    writtenTables.undo(in: connection.engine.record)
    if let preimage, preimage.depth >= depth || isAborted {
      preimage.copy.discard()
      self.preimage = nil
    }
    depth -= 1
    reset()
  }

  /// Checks, after a failed write, whether the engine rolled back the whole transaction.
  mutating func noteFailure(on connection: VaultConnection) {
    if depth > 0, !connection.engine.isInTransaction { isAborted = true }
  }

  private mutating func reset() {
    if depth == 0 { isAborted = false }
  }

  private func name(_ level: Int) -> String { "ov_level_\(level)" }
}

extension VaultError {
  static var transactionAborted: VaultError {
    VaultError(
      .transactionAborted,
      "The enclosing transaction was rolled back after an error and cannot continue. Let the error "
        + "leave the transaction, then begin again.")
  }
}
