import ObjectVaultEngine

/// The transactions in progress on a vault's writer; touched only by the thread inside the gate.
struct TransactionStack {
  /// How many transactions are open, one inside the other.
  private(set) var depth = 0
  /// Whether the engine rolled everything back, so that nothing inside can go on.
  private(set) var isAborted = false

  /// What is to be done after the commit, with the depth at which it was asked for.
  private var actions: [(depth: Int, run: () -> Void)] = []
  /// What is to be done when the transaction is undone, with the depth at which it was asked for.
  private var undoActions: [(depth: Int, run: () -> Void)] = []
  /// What happened to tables, in order, with the depth at which it was done.
  private var tableChanges: [(depth: Int, change: TableChange)] = []
  /// The iterations that were begun inside.
  private var cursors = OpenCursors()
  /// What was changed, and what of it was undone.
  private var tally = ChangeTally()
  /// The tables that were written to, and not undone.
  private var writtenTables = WrittenTables()
  /// The copy of the file that was made before all of this changed it, with the depth at which it was
  /// wanted.
  private var preimage: (depth: Int, copy: Preimage)?

  var isActive: Bool { depth > 0 }

  /// Adds something to be done once the outermost transaction is committed.
  mutating func addAction(_ action: @escaping () -> Void) {
    actions.append((depth, action))
  }

  /// Adds something to be done when the innermost transaction, or one around it, is undone.
  mutating func addUndoAction(_ action: @escaping () -> Void) {
    undoActions.append((depth, action))
  }

  /// What is to be done now that everything is committed; nothing inside a transaction.
  mutating func takeCommittedActions() -> [() -> Void] {
    guard depth == 0 else { return [] }
    defer { actions = [] }
    return actions.map(\.run)
  }

  var hasPreimage: Bool { preimage != nil }

  /// Has a copy of the file stay once everything is committed, and go when what wanted it is undone.
  mutating func keep(_ copy: Preimage) { preimage = (depth, copy) }

  /// Notes what happened to a table: nobody else may learn of it before the commit.
  mutating func add(_ change: TableChange) { tableChanges.append((depth, change)) }

  /// The classes whose stores were made by what is not committed yet, latest first.
  var madeClasses: [ClassDescription] {
    tableChanges.reversed().compactMap { entry in
      if case .made(let state) = entry.change { state.description } else { nil }
    }
  }

  /// Whether the table, in lower case, was removed by what is not committed yet.
  func hasRemoved(_ table: String) -> Bool {
    tableChanges.contains { if case .removed(table) = $0.change { true } else { false } }
  }

  /// Whether others may go on in what is open: not with tables that nobody else may learn of yet.
  var mayBeShared: Bool { depth == 1 && !isAborted && tableChanges.isEmpty }

  /// What happened to tables and is committed now; nothing inside a transaction.
  mutating func takeTableChanges() -> [TableChange] {
    guard depth == 0 else { return [] }
    defer { tableChanges = [] }
    return tableChanges.map(\.change)
  }

  /// The tables that were written to and are committed now; none inside a transaction.
  mutating func takeWrittenTables() -> Set<String> { writtenTables.takeCommitted() }

  /// Has an iteration end with the innermost transaction.
  mutating func add(_ cursor: any ExpiringCursor) { cursors.add(cursor, depth: depth) }

  /// - Throws: `.transactionAborted` inside a transaction that the engine rolled back.
  func checkUsable() throws(VaultError) {
    if isAborted { throw .transactionAborted }
  }

  /// Opens a transaction, or a savepoint inside one.
  mutating func begin(on connection: VaultConnection) throws {
    try checkUsable()
    try connection.execute(depth == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name(depth))")
    if depth == 0 { connection.schemaEpoch.beginTransaction() }
    tally.begin(at: connection.changeCount)
    writtenTables.begin(on: connection.engine)
    depth += 1
  }

  /// Keeps what the innermost transaction did.
  mutating func commit(on connection: VaultConnection) throws {
    try checkUsable()
    cursors.expire(deeperThan: depth - 1)
    if depth == 1 {
      if tally.hasChanges(at: connection.changeCount) {
        try CommitCounter.raise(on: connection)
      }
      try connection.settleSchemaEpoch()
      try connection.execute("COMMIT")
    } else {
      try connection.execute("RELEASE \(name(depth - 1))")
    }
    tally.keep()
    writtenTables.keep(on: connection.engine)
    depth -= 1
    preimage = depth == 0 ? nil : preimage.map { (min($0.depth, depth), $0.copy) }
    // What was asked for inside is now for the transaction around to keep or to undo.
    for index in actions.indices { actions[index].depth = min(actions[index].depth, depth) }
    if depth == 0 {
      undoActions = []
    } else {
      // Those asked for inside are last.
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

  /// Undoes what the innermost transaction did.
  ///
  /// Whatever failed before, afterwards the transaction is over: what the engine rolled back of
  /// itself needs no more.
  mutating func rollBack(on connection: VaultConnection) {
    cursors.expire(deeperThan: depth - 1)
    // A schema that is undone leaves its number to another.
    connection.graph = nil
    connection.schemaEpoch.rollBack()
    noteFailure(on: connection)
    connection.unwatched {
      if depth > 1, !isAborted {
        do {
          try connection.execute("ROLLBACK TO \(name(depth - 1))")
          try connection.execute("RELEASE \(name(depth - 1))")
        } catch {
          // The savepoint cannot be undone alone: undo all, and let nothing go on inside.
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
    writtenTables.undo(on: connection.engine)
    if let preimage, preimage.depth >= depth || isAborted {
      preimage.copy.discard()
      self.preimage = nil
    }
    depth -= 1
    reset()
  }

  /// Looks, after a failed write, whether the engine rolled the whole transaction back.
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
      "The enclosing transaction was rolled back after an error, so nothing more can be done in "
        + "it. Let the error leave the transaction, then begin again.")
  }
}
