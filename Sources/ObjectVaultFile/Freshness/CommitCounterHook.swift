import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession

/// Counts each transaction that changes the file, if the file counts its commits.
final class CommitCounterHook: SessionHook, @unchecked Sendable {
  /// The tally of changes, to detect whether any remain after rollbacks.
  ///
  /// Accessed only while the writer lock is held.
  private var tally = ChangeTally()

  func didBegin(on session: Session, isNested: Bool) {
    tally.begin(at: session.changeCount, isNested: isNested)
  }

  func willCommit(on session: Session) throws {
    // The engine counts no rows for a change of the schema alone. The record has no writes that were
    // rolled back: see `ObservationHook`.
    if tally.hasChanges(at: session.changeCount)
      || session.connection.record.written.contains(Schema.table)
    {
      try CommitCounter.raise(on: session)
    }
  }

  func didKeep(on session: Session) { tally.keep() }

  func didUndo(on session: Session) { tally.undo(at: session.changeCount) }
}
