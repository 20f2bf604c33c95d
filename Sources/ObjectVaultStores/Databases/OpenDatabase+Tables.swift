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
    let description = declaration.description
    if let known = try knownTable(of: declaration) { return known }
    // Without its keys, no table of the class is created or changed.
    if description.hasSealed { try checkSealingKeys() }
    if description.hasErasable { try checkErasableKeys() }
    let ((order, keys, missing), isChanged) = try readParts(of: description, comparing: compare)
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
      // Without its migration, it would read other values and write some that are migrated later.
      if isChanged { sessions.onRollback { made.invalidate() } }
      return made
    }
    return state.tableCache.tables.withLock { $0.register(made) }
  }

  /// Returns the cached table of a class.
  ///
  /// - Parameter declaration: The class.
  /// - Returns: The table; `nil` if the class, or one that was given with it, has none.
  /// - Throws: `.invalidClass` if another Swift type uses the table.
  func knownTable(of declaration: ClassDeclaration) throws(VaultError) -> Table? {
    let (description, cache) = (declaration.description, state.tableCache)
    if sessions.isInTransaction {
      if let made = cache.madeTable(of: declaration) { return made }
      // A table that this thread's transaction removed must be created again.
      if cache.hasRemoved(description.table.asciiLowercasedUTF8) { return nil }
    }
    return try cache.tables.withLock { tables throws(VaultError) in
      let areComplete = declaration.companions.allSatisfy {
        (try? tables.table(of: $0, type: nil)) != nil
      }
      return areComplete ? try tables.table(of: description, type: declaration.type) : nil
    }
  }

  /// The parts of a `Table` that the file has.
  private typealias Parts = (order: [String], keys: [ForeignKey], missingSearch: VaultError?)

  /// The number of changes by other processes between a change and the next comparison.
  private static var maximumComparisons: Int { 3 }

  /// Compares a class with the file, changes the file if it must be changed, and reads these
  /// parts in the snapshot of the last comparison.
  ///
  /// - Returns: The parts, and whether the file was changed.
  private func readParts(
    of description: ClassDescription, comparing compare: () throws -> (() throws -> Void)?
  ) throws -> (Parts, isChanged: Bool) {
    var isChanged = false
    for _ in 1..<Self.maximumComparisons {
      var change: (() throws -> Void)?
      let found = try readSnapshot { session -> Parts? in
        change = try compare()
        return change == nil ? try parts(of: description, on: session) : nil
      }
      if let found { return (found, isChanged) }
      try change?()
      isChanged = true
    }
    return (try readSnapshot { try parts(of: description, on: $0) }, isChanged)
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
