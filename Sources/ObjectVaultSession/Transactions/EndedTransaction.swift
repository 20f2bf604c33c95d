/// A finished transaction whose observers must be notified after all locks are released.
struct EndedTransaction {
  /// The database, which must not close before.
  let owner: AnyObject
  /// The writes that wait for the transaction.
  let group: CommitGroup?
  let outcome: Result<Void, any Error>
  /// The work that follows the commit.
  let work: [() -> Void]

  func notify() {
    let thread = ThreadState.current
    let executor = thread.executor
    // Work that the application does in a notification is complete when the notification returns.
    thread.executor = nil
    defer { thread.executor = executor }
    for action in work { action() }
    group?.finish(outcome)
  }
}
