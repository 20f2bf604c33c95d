import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys

/// A finished transaction whose observers must be notified after all locks are released.
struct EndedTransaction {
  let file: VaultFile
  /// The writes that wait for the transaction.
  let group: CommitGroup?
  let outcome: Result<Void, any Error>
  /// The tables that the transaction wrote to.
  var written: Set<String> = []
  /// The actions to run after the transaction.
  var actions: [() -> Void] = []

  func tell() {
    let record = ThreadRecord.current
    let lane = record.lane
    // Work that the application does in a notification is complete when the notification returns.
    record.lane = nil
    defer { record.lane = lane }
    file.publish(written)
    for action in actions { action() }
    group?.finish(outcome)
  }
}

extension VaultFile {
  /// Commits the innermost transaction.
  ///
  /// The caller holds the writer lock.
  ///
  /// - Returns: The notifications to send; `nil` inside another transaction.
  func commit(on connection: VaultConnection) throws -> EndedTransaction? {
    try checkProcess()
    try transactions.commit(on: connection)
    guard !transactions.isActive else { return nil }
    // Do this under the writer lock: the next writer must not take a table it creates for the old
    // one.
    for change in transactions.takeTableChanges() { apply(change) }
    defer { group = nil }
    noteOthers(connection)
    limitLog(of: connection)
    return EndedTransaction(
      file: self, group: group, outcome: .success(()), written: transactions.takeWrittenTables(),
      actions: transactions.takeCommittedActions())
  }

  /// Rolls back the innermost transaction.
  ///
  /// The caller holds the writer lock.
  func undo(on connection: VaultConnection) {
    // In a forked child the transaction belongs to the parent and continues there.
    guard process == ProcessNumber.current else { return }
    transactions.rollBack(on: connection)
    tables.withLock { $0.noteRollback(in: connection.transaction) }
    if !transactions.isActive, connection.engine.isInTransaction { writerConnection = nil }
  }

  /// Commits the transaction in progress, or rolls it back if that fails.
  ///
  /// The caller holds the writer lock.
  ///
  /// - Returns: The notifications to send; `nil` if there is no transaction.
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
      "Another write in the same commit caused the engine to roll back the whole transaction. "
        + "Nothing of either write was stored. Try again.")
  }
}
