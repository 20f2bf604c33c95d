import ObjectVaultEngine

/// The transactions in progress on a vault's writer; touched only by the thread inside the gate.
struct TransactionStack {
  /// How many transactions are open, one inside the other.
  private(set) var depth = 0
  /// Whether the engine rolled everything back, so that nothing inside can go on.
  private(set) var isAborted = false

  /// What is to be done after the commit, with the depth at which it was asked for.
  private var actions: [(depth: Int, run: () -> Void)] = []

  var isActive: Bool { depth > 0 }

  /// Adds something to be done once the outermost transaction is committed.
  mutating func addAction(_ action: @escaping () -> Void) {
    actions.append((depth, action))
  }

  /// What is to be done now that everything is committed; nothing inside a transaction.
  mutating func takeCommittedActions() -> [() -> Void] {
    guard depth == 0 else { return [] }
    defer { actions = [] }
    return actions.map(\.run)
  }

  /// - Throws: `.transactionAborted` inside a transaction that the engine rolled back.
  func checkUsable() throws(VaultError) {
    if isAborted { throw .transactionAborted }
  }

  /// Opens a transaction, or a savepoint inside one.
  mutating func begin(on connection: VaultConnection) throws {
    try checkUsable()
    try connection.execute(depth == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name(depth))")
    depth += 1
  }

  /// Keeps what the innermost transaction did.
  mutating func commit(on connection: VaultConnection) throws {
    try checkUsable()
    if depth == 1 {
      try connection.execute("COMMIT")
    } else {
      try connection.execute("RELEASE \(name(depth - 1))")
    }
    depth -= 1
    // What was asked for inside is now for the transaction around to keep or to undo.
    for index in actions.indices { actions[index].depth = min(actions[index].depth, depth) }
    reset()
  }

  /// Undoes what the innermost transaction did.
  ///
  /// Whatever failed before, afterwards the transaction is over: what the engine rolled back of
  /// itself needs no more.
  mutating func rollBack(on connection: VaultConnection) {
    noteFailure(on: connection)
    if !isAborted {
      do {
        if depth == 1 {
          try connection.execute("ROLLBACK")
        } else {
          try connection.execute("ROLLBACK TO \(name(depth - 1))")
          try connection.execute("RELEASE \(name(depth - 1))")
        }
      } catch {
        // The savepoint cannot be undone alone: undo all, and let nothing go on inside.
        if connection.engine.isInTransaction { try? connection.execute("ROLLBACK") }
        isAborted = true
      }
    }
    actions.removeAll { $0.depth >= depth || isAborted }
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
