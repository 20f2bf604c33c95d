import ObjectVaultDriver
import ObjectVaultSession

/// Notifies the observers of all handles of the process of the tables that a transaction wrote to.
final class ObservationHook: SessionHook, @unchecked Sendable {
  private unowned let opened: any OpenDatabase
  /// The tables that were written to and not rolled back.
  ///
  /// Accessed only while the writer lock is held.
  private var tables = WrittenTables()

  init(of opened: any OpenDatabase) {
    self.opened = opened
  }

  func didBegin(on session: Session, isNested: Bool) {
    tables.begin(in: session.connection.record, isNested: isNested)
  }

  func didKeep(on session: Session) { tables.keep(in: session.connection.record) }

  func didUndo(on session: Session) { tables.undo(in: session.connection.record) }

  func didCommit(on session: Session) -> (() -> Void)? {
    opened.noteOthers(session)
    guard ObserverCenter.isAnyActive else { return nil }
    let written = session.connection.record.written
    if written.isEmpty { return nil }
    return { [opened] in opened.publish(written) }
  }
}
