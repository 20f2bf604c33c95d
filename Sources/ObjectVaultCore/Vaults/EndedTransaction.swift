import ObjectVaultEngine
import ObjectVaultKeys

/// A transaction that is over, of which others are to be told outside every lock.
struct EndedTransaction {
  let file: VaultFile
  /// Those who wait for it.
  let group: CommitGroup?
  let outcome: Result<Void, any Error>
  /// The tables that it wrote to.
  var written: Set<String> = []
  /// What is to be done after it.
  var actions: [() -> Void] = []

  func tell() {
    let record = ThreadRecord.current
    let lane = record.lane
    // What the application does when it is told is done when it returns.
    record.lane = nil
    defer { record.lane = lane }
    file.publish(written)
    for action in actions { action() }
    group?.finish(outcome)
  }
}

extension VaultFile {
  /// Keeps what the innermost transaction did; inside the gate.
  ///
  /// - Returns: What others are to be told; `nil` inside another transaction.
  func commit(on connection: VaultConnection) throws -> EndedTransaction? {
    try checkProcess()
    try transactions.commit(on: connection)
    guard !transactions.isActive else { return nil }
    // Inside the gate: who comes next must not make a table that is then taken for the old.
    for change in transactions.takeTableChanges() { apply(change) }
    defer { group = nil }
    noteOthers(connection)
    limitLog(of: connection)
    return EndedTransaction(
      file: self, group: group, outcome: .success(()), written: transactions.takeWrittenTables(),
      actions: transactions.takeCommittedActions())
  }

  /// Undoes what the innermost transaction did; inside the gate.
  func undo(on connection: VaultConnection) {
    // In a forked child it is the parent's transaction, which goes on.
    guard process == ProcessNumber.current else { return }
    transactions.rollBack(on: connection)
    tables.withLock { $0.noteRollback() }
    if !transactions.isActive, connection.engine.isInTransaction { writerConnection = nil }
  }

  /// Commits the transaction in progress, or undoes it where that fails; inside the gate.
  ///
  /// - Returns: What others are to be told; `nil` where there is no transaction.
  func endTransaction() -> EndedTransaction? {
    guard transactions.isActive, let connection = writerConnection else { return nil }
    let isAborted = transactions.isAborted
    do {
      return try mappingErrors { try commit(on: connection) }
    } catch {
      undo(on: connection)
      defer { group = nil }
      return EndedTransaction(
        file: self, group: group,
        outcome: .failure(isAborted && group != nil ? VaultError.groupAborted : error))
    }
  }
}

extension VaultError {
  fileprivate static var groupAborted: VaultError {
    VaultError(
      .transactionAborted,
      "Another write that was to share this one's commit had the engine roll back the whole transaction, "
        + "so that nothing of either was kept. Try again.")
  }
}
