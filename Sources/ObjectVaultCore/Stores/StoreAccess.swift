import ObjectVaultEngine
import ObjectVaultKeys

/// What a store is but for the Swift type of its objects: a class's table in a vault, or a part of it.
///
/// What is generic for the sake of objects alone is compiled with the application, where their type
/// is known; all that can do without them is here, and compiled once.
@usableFromInline
struct StoreAccess: Sendable {
  @usableFromInline let vault: Vault
  @usableFromInline let state: TableState
  /// The objects that the store is limited to; `nil` for all of the class.
  private(set) var partition: Partition?
  /// Whether fetched objects are given those that belong to them.
  private(set) var loadsOwned = true
  /// Whether the store sees the class's objects as every other store that is neither limited nor without
  /// owned objects does.
  @usableFromInline private(set) var isWhole = true

  init(vault: Vault, state: TableState) {
    self.vault = vault
    self.state = state
  }

  /// The same for a part of the objects.
  func limited(to partition: Partition) -> StoreAccess {
    var access = self
    access.partition = partition
    access.isWhole = false
    return access
  }

  /// The same without the objects that belong to others.
  func withoutOwned() -> StoreAccess {
    var access = self
    access.loadsOwned = false
    if state.hasOwned { access.isWhole = false }
    return access
  }

  /// Whether objects that are fetched must be given others.
  @usableFromInline var mustLoadOwned: Bool { loadsOwned && state.hasOwned }

  /// Whether the store is limited to a part of the objects.
  @usableFromInline var isLimited: Bool { partition != nil }

  /// Where an objectID is bound that the vault generates; -1 for classes that bind it to properties.
  @inlinable var generatedPosition: Int { state.generatedPosition }

  /// Where an objectID is bound that has one part, whatever object it is of; -1 for others.
  @usableFromInline var objectIDPosition: Int { state.objectIDPosition }

  /// What is meant by an object without an objectID.
  @usableFromInline var noObjectID: VaultError {
    VaultError(
      .noObjectID,
      "The object of class '\(state.description.name)' has no objectID, so no stored object is "
        + "meant. Insert it first, or take one that was fetched.")
  }

  /// What is meant where nothing is stored under an objectID.
  var noSuchObject: VaultError {
    VaultError(
      .noSuchObject,
      "No object of class '\(state.description.name)' is stored under that objectID. Insert it, or "
        + "use `save`, which does either.")
  }

  // MARK: Ways to the connections

  @inline(__always)
  func read<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    let record = ThreadRecord.current
    if state.isValid {
      do {
        if let connection = vault.handle.scopeConnection(record) {
          return try connection._withUnsafeGuaranteedRef { try body($0) }
        }
        if record.readsOutsideScopes, let result = try vault.handle.readAlone(record, body) {
          return result
        }
      } catch {
        return try explain(error)
      }
    }
    return try readAnywhere(body)
  }

  /// Throws what the error of a read means, which is said where all others are read from; an error of the
  /// program's own means what it says.
  private func explain<R>(_ error: any Error) throws -> R {
    guard error is EngineError || error is VaultError || error is KeyError else { throw error }
    return try readAnywhere { _ in throw error }
  }

  private func readAnywhere<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try noticingRemoval { try $0.read(body) }
  }

  func write<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    // Statements inside of the one statement are undone, and counted, with it.
    if state.sharesBlobs { return try transaction(body) }
    if let error = state.searchUnavailable { throw error }
    return try noticingRemoval { try $0.write(of: state, body) }
  }

  func transaction<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    if let error = state.searchUnavailable { throw error }
    return try noticingRemoval { file in
      try file.transaction { connection in
        try state.checkSchema(on: connection)
        return try body(connection)
      }
    }
  }

  /// Uses the file, when neither it nor the table has gone.
  private func noticingRemoval<R>(_ body: (VaultFile) throws -> R) throws -> R {
    let file = try vault.file()
    try state.checkValid()
    do {
      return try body(file)
    } catch let error as VaultError where error.code == .engineRefused {
      throw try meaning(of: error, in: file)
    } catch var error as VaultError where error.isOfConstraint && error.className == nil {
      error.className = state.description.name
      throw error
    }
  }

  /// Tells a table that another process removed, or a changed class took columns from, from other
  /// reasons for which the engine refuses a statement.
  func meaning(of error: VaultError, in file: VaultFile) throws -> VaultError {
    func names(of description: ClassDescription) throws -> Set<String> {
      try file.read { try Schema(on: $0).names(of: description.table) }
    }
    let found = try names(of: state.description)
    if found.isEmpty {
      // What a transaction removed can come back, and a read scope sees what was.
      if !file.isInScope { state.invalidate() }
      return state.removed
    }
    guard state.fits(found) else { return state.changed }
    for other in associatedClasses(in: file)
    where try !names(of: other).isSuperset(of: other.rowColumns) {
      state.forgetGraph()
      return state.changed(other)
    }
    return error
  }

  /// The classes that the class's associations lead to, near and far, as this process knows them: by
  /// conditions, and by stores of their own, those of owned objects among them.
  private func associatedClasses(in file: VaultFile) -> [ClassDescription] {
    var classes = [state.description]
    var seen: Set<String> = [state.description.table.asciiLowercased]
    var position = 0
    while position < classes.count {
      for table in classes[position].associatedTables
      where seen.insert(table.asciiLowercased).inserted {
        classes += state.keptClass(ofTable: table).map { [$0] } ?? []
        classes += file.knownClasses(ofTable: table)
      }
      position += 1
    }
    return Array(classes.dropFirst())
  }

  // MARK: Statements

  /// The statements of the store, which find none but its objects.
  var sql: TableSQL { partition?.sql ?? state.sql }

  /// Calls `body` with a slot's statement on this connection, or that of the partition.
  @inline(__always)
  func with<R>(
    _ slot: TableState.Slot, on connection: VaultConnection, _ body: (Statement) throws -> R
  ) throws -> R {
    if let partition {
      return try connection.with(partition.sql.text(of: slot), body)
    }
    return try state.with(slot, on: connection, body)
  }
}
