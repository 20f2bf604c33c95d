import ObjectVaultEngine

extension ObjectStore {
  /// Stores a new object.
  ///
  /// - Parameters:
  ///   - object: The object. Where the vault generates the objectID and the object has none yet, it
  ///     is given one.
  ///   - owned: What becomes of the objects that belong to it: stored with it by default, in the
  ///     same transaction.
  /// - Returns: The object with its objectID; for a class type the same instance.
  /// - Throws: ``VaultError``: `.duplicate` where the objectID, or the value of a unique property,
  ///   is taken; `.invalidValue` where a value cannot be kept exactly, or the next number is no
  ///   value of the objectID's type; `.constraint` where no number is left; `.danglingReference`
  ///   where it refers to an object that is not stored; `.ownership` where an owned object is
  ///   claimed twice.
  @discardableResult
  @inlinable
  public func insert(_ object: T, owned: OwnedSaving = .save) throws -> T {
    var object = object
    try insert(&object, owned: owned)
    return object
  }

  /// Stores a new object, and gives it its objectID in place.
  ///
  /// - Throws: as ``insert(_:)-(T)``.
  @inlinable
  public func insert(_ object: inout T, owned: OwnedSaving = .save) throws {
    guard access.insertsByOneStatement else { return try insertCarefully(&object, owned) }
    try access.insertingOne { try insert(naming: &object, &$0) }
  }

  /// Inserts an object with what belongs to it, and takes it back where its number or a reference is none.
  @usableFromInline
  func insertCarefully(_ object: inout T, _ owned: OwnedSaving) throws {
    if savesOwned(of: object, owned) {
      var objects = [object]
      try transaction { connection in
        try insert(&objects[0], on: connection)
        try saveOwned(of: &objects, owned, on: connection)
      }
      object = objects[0]
      return
    }
    if mayGenerateMisfit(for: object) {
      return try transaction { try insert(&object, on: $0) }
    }
    try write { try insert(&object, on: $0) }
  }

  /// Inserts one object, and takes it back where a reference has no object.
  private func insert(_ object: inout T, on connection: VaultConnection) throws {
    guard !state.foreignKeys.isEmpty else { return try put(&object, .insert, on: connection) }
    let before = object
    let hadNoID = object.storedObjectID == nil
    do {
      try put(&object, .insert, on: connection)
    } catch let error as EngineError {
      guard error.code == .constraintForeignKey else { throw error }
      throw dangling(of: before, on: connection) ?? error
    }
    guard !connection.defersReferences, connection.engine.deferredForeignKeyViolations != 0 else {
      return
    }
    // Without a savepoint, whose journal SQLCipher 3.4 encrypts page by page: only here it is used.
    let (number, error) = (connection.engine.lastInsertRowID, dangling(of: object, on: connection))
    try state.with(.remove, on: connection) { statement in
      let binder = statement.binder
      try before.encode(into: binder)
      if state.description.objectIDIsRowID {
        binder.bind(integer: number, at: state.objectIDPositions[0])
      }
      try statement.run()
    }
    object = before
    if hadNoID { object.removeObjectID() }
    throw error ?? VaultError.dangling(nil)
  }

  /// Stores new objects in one transaction: all of them, or none where one fails.
  ///
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as ``insert(_:)-(T)``.
  @discardableResult
  @inlinable
  public func insert(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws -> [T.ObjectIDType] {
    if access.hasOwned { return try insertWithOwned(objects, owned) }
    var ids: [T.ObjectIDType] = []
    ids.reserveCapacity(objects.underestimatedCount)
    try access.inserting { insertion in
      let inOneRoom: Void? = try objects.withContiguousStorageIfAvailable {
        try insert($0, &insertion, &ids)
      }
      guard inOneRoom == nil else { return }
      for object in objects { ids.append(try insertOne(of: object, &insertion)) }
    }
    return ids
  }

  /// Stores an object in the place of the one that has its objectID, and of those that have the
  /// value of one of its unique properties.
  ///
  /// What refers to the object of the same objectID goes on doing so. Other objects in the way are
  /// removed, with whatever their removal means for those that refer to them.
  ///
  /// - Returns: The object with its objectID.
  /// - Throws: as ``insert(_:)-(T)``, but for `.duplicate`; and as ``remove(_:)``, but for
  ///   `.noSuchObject`.
  @discardableResult
  public func replace(_ object: T, owned: OwnedSaving = .save) throws -> T {
    var object = object
    if !mayGenerateMisfit(for: object), state.foreignKeys.isEmpty, !savesOwned(of: object, owned) {
      let isDone = try write { connection in
        guard try !mustReplaceByParts(on: connection) else { return false }
        try put(&object, .replace, on: connection)
        return true
      }
      if isDone { return object }
    }
    try transaction { connection in
      if try mustReplaceByParts(on: connection) {
        try clearWay(of: object, on: connection)
        try save(&object, on: connection)
        try renewInsertionTime(of: object, on: connection)
      } else {
        try put(&object, .replace, on: connection)
      }
      if savesOwned(of: object, owned) {
        var objects = [object]
        try saveOwned(of: &objects, owned, on: connection)
        object = objects[0]
      }
      try connection.checkReferences()
    }
    return object
  }

  /// Whether the engine's `REPLACE` cannot be used: it removes what is in the way without a word to those
  /// that refer to it, or to the triggers that keep an index of words or count shared contents. The file
  /// is asked, since another program may have made an index that the store knows nothing of.
  private func mustReplaceByParts(on connection: VaultConnection) throws -> Bool {
    // Nor may it touch objects of other partitions.
    if partition != nil { return true }
    let table = state.description.table
    let graph = try connection.referenceGraph()
    return graph.incoming[table] != nil || graph.triggered.contains(table)
  }

  @usableFromInline
  func insertWithOwned(
    _ objects: some Sequence<T>, _ owned: OwnedSaving
  ) throws -> [T.ObjectIDType] {
    try transaction { connection in
      var ids: [T.ObjectIDType] = []
      var owners: [T] = []
      for var object in objects {
        try put(&object, .insert, on: connection)
        ids.append(try objectID(of: object))
        owners.append(object)
      }
      try saveOwned(of: &owners, owned, on: connection)
      try connection.checkReferences()
      return ids
    }
  }

  /// Runs an insert for one object and gives it the generated objectID.
  func put(_ object: inout T, _ slot: TableState.Slot, on connection: VaultConnection) throws {
    try access.withInsertion(slot, on: connection) { try insert(naming: &object, &$0) }
  }
}
