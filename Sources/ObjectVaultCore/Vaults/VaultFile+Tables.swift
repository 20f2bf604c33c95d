import ObjectVaultEngine
import Synchronization

// What is known of the tables, shared by the stores.

extension VaultFile {
  /// The state that stores of one class share; `install` runs where there is none yet.
  ///
  /// - Throws: `.invalidClass` where another Swift type has the table.
  func tableState(
    _ declaration: ClassDeclaration, install: () throws -> Void
  ) throws -> TableState {
    let (description, type) = (declaration.description, declaration.type)
    // What this thread's transaction removed must be made anew.
    if !(isInTransaction && transactions.hasRemoved(description.table.asciiLowercased)) {
      let known = try tables.withLock { tables throws(VaultError) in
        try tables.state(of: description, type: type)
      }
      if let known { return known }
    }
    try install()
    let (order, keys) = try read { connection in
      let schema = Schema(on: connection)
      return (
        try schema.insertionOrder(of: description),
        try schema.foreignKeys(of: description.table, description)
      )
    }
    let slots = nextSlot.wrappingAdd(TableState.Slot.allCases.count, ordering: .relaxed)
    let made = TableState(
      declaration, insertionOrder: order, foreignKeys: keys, firstSlot: slots.oldValue,
      givenNumbers: tables.withLock { $0.givenNumbers(ofTable: description.table) })
    // A page that cannot be read is for those who need it to report.
    if description.objectID == .generated,
      (try? read { try made.hasLastNumber(on: $0) }) == true
    {
      made.noteLastNumber()
    }
    // Nobody else may learn of a table that a rollback can take away again.
    if isInTransaction {
      transactions.add(.made(made))
      return made
    }
    return tables.withLock { $0.register(made) }
  }

  /// How often this process made or removed a table of the file, as far as that is committed.
  var classGeneration: Int { tables.withLock { $0.generation } }

  /// The classes kept in a table, as stores of them know them.
  func knownClasses(ofTable table: String) -> [ClassDescription] {
    tables.withLock { $0.classes(ofTable: table) }
  }

  func apply(_ change: TableChange) {
    tables.withLock { $0.apply(change) }
    if case .made = change { return }
    for other in others {
      other.tables.withLock { $0.apply(change) }
    }
  }
}
