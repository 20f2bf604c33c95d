import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization

// The table cache, shared by the stores.

extension OpenDatabase {
  /// Returns the table that all stores of a class share.
  ///
  /// If none is cached for the class or for a class that was given with it, the class is compared
  /// with the file, in the snapshot from which the table is read.
  ///
  /// - Parameters:
  ///   - declaration: The class.
  ///   - compare: Compares the class with the file. It returns the creation or upgrade that the file
  ///     needs, or `nil`.
  /// - Returns: The shared table.
  /// - Throws: `.invalidClass` if another Swift type uses the table.
  func table(
    of declaration: ClassDeclaration, comparing compare: () throws -> (() throws -> Void)?
  ) throws -> Table {
    let (description, type) = (declaration.description, declaration.type)
    // A table that this thread's transaction removed must be created again.
    let key = description.table.asciiLowercasedUTF8
    if !(sessions.isInTransaction && state.tableCache.hasRemoved(key)) {
      let known = try state.tableCache.tables.withLock { tables throws(VaultError) in
        let areComplete = declaration.companions.allSatisfy {
          (try? tables.table(of: $0, type: nil)) != nil
        }
        return areComplete ? try tables.table(of: description, type: type) : nil
      }
      if let known { return known }
    }
    // Without its keys, no table of the class is created or changed.
    if description.hasSealed { try checkSealingKeys() }
    if description.hasErasable { try checkErasableKeys() }
    let (order, keys, missing) = try readParts(of: description, comparing: compare)
    try prepareSealing(of: description)
    let slots = state.nextSlot.wrappingAdd(Table.Slot.allCases.count, ordering: .relaxed)
    let made = try Table(
      declaration, insertionOrder: order, foreignKeys: keys, searchUnavailable: missing,
      firstSlot: slots.oldValue,
      givenNumbers: state.tableCache.tables.withLock {
        $0.givenNumbers(ofTable: description.table)
      }, dialect: dialect, collated: state.collated, sealers: SealerSource(of: self))
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

  /// The parts of a `Table` that the file has.
  private typealias Parts = (order: [String], keys: [ForeignKey], missingSearch: VaultError?)

  /// The number of changes by other processes between a change and the next comparison.
  private static var maximumComparisons: Int { 3 }

  /// Compares a class with the file, changes the file if it must be changed, and reads these
  /// parts in the snapshot of the last comparison.
  private func readParts(
    of description: ClassDescription, comparing compare: () throws -> (() throws -> Void)?
  ) throws -> Parts {
    for _ in 1..<Self.maximumComparisons {
      var change: (() throws -> Void)?
      let found = try readSnapshot { session -> Parts? in
        change = try compare()
        return change == nil ? try parts(of: description, on: session) : nil
      }
      if let found { return found }
      try change?()
    }
    return try readSnapshot { try parts(of: description, on: $0) }
  }

  private func parts(of description: ClassDescription, on session: Session) throws -> Parts {
    let schema = Schema(on: session)
    try state.collated.read(on: session)
    return (
      try schema.insertionOrder(of: description),
      try schema.foreignKeys(of: description.table, description),
      description.missingSearch(on: session)
    )
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
