import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// The table cache of one file, and the changes of tables that are not committed yet.
final class TableCache: SessionHook, @unchecked Sendable {
  let tables = Locked(KnownTables())
  /// The open database, which owns the cache.
  private unowned var opened: (any OpenDatabase)!
  /// The changes of the open transaction, in order.
  ///
  /// Accessed only while the writer lock is held, like the savepoints.
  private var changes: [TableChange] = []
  /// The number of changes before each open savepoint, outermost first.
  private var savepoints: [Int] = []

  /// Sets the open database, while it is being opened and not yet used.
  func belong(to opened: any OpenDatabase) { self.opened = opened }

  /// Records a change of a table by this thread's transaction, which other threads must not see
  /// before the commit.
  func add(_ change: TableChange) {
    changes.append(change)
    opened.sessions.keepTransactionPrivate()
  }

  /// The classes with uncommitted stores, latest first.
  var madeClasses: [ClassDescription] {
    changes.reversed().compactMap { change in
      if case .made(let table) = change { table.description } else { nil }
    }
  }

  /// Returns the table of a class that the transaction in progress made, if all classes that were
  /// given with it have tables; `nil` if there is none or a later change requires another one.
  func madeTable(of declaration: ClassDeclaration) -> Table? {
    guard let table = madeTable(of: declaration.description, type: declaration.type) else {
      return nil
    }
    let areComplete = declaration.companions.allSatisfy { companion in
      madeTable(of: companion, type: nil) != nil
        || (try? tables.withLock { tables throws(VaultError) in
          try tables.table(of: companion, type: nil)
        }) != nil
    }
    return areComplete ? table : nil
  }

  private func madeTable(of description: ClassDescription, type: ObjectIdentifier?) -> Table? {
    let key = description.table.asciiLowercasedUTF8
    for change in changes.reversed() {
      switch change {
      case .made(let table):
        guard table.type == type, table.isValid, !table.mustBeComparedAgain,
          table.description == description
        else { continue }
        return table
      case .changed(key, _), .removed(key): return nil
      case .changed, .removed: continue
      }
    }
    return nil
  }

  /// Returns whether an uncommitted transaction removed the table.
  func hasRemoved(_ table: TableKey) -> Bool {
    changes.contains { if case .removed(table) = $0 { true } else { false } }
  }

  // MARK: SessionHook

  func didBegin(on session: Session, isNested: Bool) {
    if isNested { savepoints.append(changes.count) }
  }

  func didKeep(on session: Session) { savepoints.removeLast() }

  func didUndo(on session: Session) {
    changes.removeSubrange((savepoints.popLast() ?? 0)...)
    guard session.connection.catalog.takesNumbersBack else { return }
    tables.withLock { $0.noteRollback(in: session.transaction) }
  }

  func didCommit(on session: Session) -> (() -> Void)? {
    if changes.isEmpty { return nil }
    // Do this under the writer lock: the next writer must not take a table it creates for the old
    // one.
    for change in changes { apply(change) }
    changes = []
    return nil
  }

  private func apply(_ change: TableChange) {
    tables.withLock { $0.apply(change) }
    if case .made = change { return }
    for other in opened.others { other.state.tableCache.tables.withLock { $0.apply(change) } }
  }
}
