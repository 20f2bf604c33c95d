import ObjectVaultDriver
import ObjectVaultSession

/// The table cache of one file, and the changes of tables that are not committed yet.
final class TableCache: SessionHook, @unchecked Sendable {
  let tables = Locked(KnownTables())
  /// The file, which owns the cache.
  private unowned(unsafe) var file: VaultFile!
  /// The number of open transactions, nested in one another.
  ///
  /// Accessed only while the writer lock is held, like the changes.
  private var depth = 0
  /// The table changes in order, each with the depth at which it was made.
  private var changes: [(depth: Int, change: TableChange)] = []

  /// Sets the file, while it is being opened and not yet used.
  func belong(to file: VaultFile) { self.file = file }

  /// Records a change of a table by this thread's transaction, which other threads must not see
  /// before the commit.
  func add(_ change: TableChange) {
    changes.append((depth, change))
    file.sessions.keepTransactionPrivate()
  }

  /// The classes with uncommitted stores, latest first.
  var madeClasses: [ClassDescription] {
    changes.reversed().compactMap { entry in
      if case .made(let state) = entry.change { state.description } else { nil }
    }
  }

  /// Returns whether an uncommitted transaction removed the table, given in lower case.
  func hasRemoved(_ table: String) -> Bool {
    changes.contains { if case .removed(table) = $0.change { true } else { false } }
  }

  // MARK: SessionHook

  func didBegin(on session: Session) { depth += 1 }

  func didKeep(on session: Session) {
    depth -= 1
    if changes.isEmpty { return }
    // Entries of this savepoint now belong to the enclosing level.
    for index in changes.indices { changes[index].depth = min(changes[index].depth, depth) }
  }

  func didUndo(on session: Session) {
    changes.removeAll { $0.depth >= depth }
    depth -= 1
    tables.withLock { $0.noteRollback(in: session.transaction) }
  }

  func didCommit(on session: Session) -> (() -> Void)? {
    depth = 0
    if changes.isEmpty { return nil }
    // Do this under the writer lock: the next writer must not take a table it creates for the old
    // one.
    for entry in changes { apply(entry.change) }
    changes = []
    return nil
  }

  private func apply(_ change: TableChange) {
    tables.withLock { $0.apply(change) }
    if case .made = change { return }
    for other in file.others { other.tableCache.tables.withLock { $0.apply(change) } }
  }
}
