import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization

// The table cache, shared by the stores.

extension OpenDatabase {
  /// Returns the state that all stores of a class share; runs `install` if none is cached for the
  /// class or for a class that was given with it.
  ///
  /// - Parameters:
  ///   - declaration: The class.
  ///   - install: Creates or upgrades the table of the class.
  /// - Returns: The shared state.
  /// - Throws: `.invalidClass` if another Swift type uses the table.
  func tableState(
    _ declaration: ClassDeclaration, install: () throws -> Void
  ) throws -> TableState {
    let (description, type) = (declaration.description, declaration.type)
    // A table that this thread's transaction removed must be created again.
    if !(sessions.isInTransaction && state.tableCache.hasRemoved(description.table.asciiLowercased))
    {
      let known = try state.tableCache.tables.withLock { tables throws(VaultError) in
        let areComplete = declaration.companions.allSatisfy {
          (try? tables.state(of: $0, type: nil)) != nil
        }
        return areComplete ? try tables.state(of: description, type: type) : nil
      }
      if let known { return known }
    }
    // Without its keys, no table of the class is created or changed.
    if description.hasSealed { try checkSealingKeys() }
    if description.hasErasable { try checkErasableKeys() }
    try install()
    let (order, keys, missing) = try read { session in
      let schema = Schema(on: session)
      return (
        try schema.insertionOrder(of: description),
        try schema.foreignKeys(of: description.table, description),
        description.missingSearch(on: session)
      )
    }
    try prepareSealing(of: description)
    let slots = state.nextSlot.wrappingAdd(TableState.Slot.allCases.count, ordering: .relaxed)
    let made = try TableState(
      declaration, insertionOrder: order, foreignKeys: keys, searchUnavailable: missing,
      firstSlot: slots.oldValue,
      givenNumbers: state.tableCache.tables.withLock {
        $0.givenNumbers(ofTable: description.table)
      }, dialect: dialect, sealers: SealerSource(of: self))
    // An unreadable page is reported by the operation that needs it.
    if description.objectID == .generated,
      (try? read { try made.hasLastNumber(on: $0) }) == true
    {
      made.noteLastNumber()
    }
    // A rollback can remove the table, so other threads must not see it yet.
    if sessions.isInTransaction {
      state.tableCache.add(.made(made))
      return made
    }
    return state.tableCache.tables.withLock { $0.register(made) }
  }

  /// The number of committed creations and removals of tables of this file by this process.
  var classGeneration: Int { state.tableCache.tables.withLock { $0.generation } }

  /// Returns the class descriptions that stores have registered for a table.
  func knownClasses(ofTable table: String) -> [ClassDescription] {
    state.tableCache.tables.withLock { $0.classes(ofTable: table) }
  }

  /// Makes every store of the database invalid, because the database was removed.
  package func invalidateTables() { state.tableCache.tables.withLock { $0.invalidateAll() } }
}
