import ObjectVaultEngine

extension ObjectStore {
  /// Stores an object: updates the row with its objectID, or inserts one where there is none.
  ///
  /// The row is never deleted to do so, so whatever refers to it stays as it is.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has, in the same transaction.
  /// - Returns: The object with its objectID.
  /// - Throws: as ``insert(_:)-(T)``.
  @discardableResult
  public func save(_ object: T, owned: OwnedSaving = .save) throws -> T {
    var object = object
    try save(&object, owned: owned)
    return object
  }

  /// Stores an object, and gives it its objectID in place.
  ///
  /// - Throws: as ``insert(_:)-(T)``.
  public func save(_ object: inout T, owned: OwnedSaving = .save) throws {
    if object.storedObjectID == nil { return try insert(&object, owned: owned) }
    // Two statements: no other process may come in between.
    var objects = [object]
    try transaction { connection in
      try save(&objects[0], on: connection)
      try saveOwned(of: &objects, owned, on: connection)
      try connection.checkReferences()
    }
    object = objects[0]
  }

  /// Saves objects in one transaction: all of them, or none where one fails.
  ///
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as ``insert(_:)-(T)``.
  @discardableResult
  public func save(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws -> [T.ObjectIDType] {
    try transaction { connection in
      var ids: [T.ObjectIDType] = []
      var owners: [T] = []
      let collects = state.hasOwned
      for var object in objects {
        try save(&object, on: connection)
        ids.append(try objectID(of: object))
        if collects { owners.append(object) }
      }
      try saveOwned(of: &owners, owned, on: connection)
      try connection.checkReferences()
      return ids
    }
  }

  /// Updates or inserts one object; what it refers to is for the caller to check.
  func save(_ object: inout T, on connection: VaultConnection) throws {
    if object.storedObjectID != nil {
      let current = object
      let exists = try with(.update, on: connection) {
        try access.change($0, on: connection) { try bind(current, to: $0) }
      }
      if exists { return }
    }
    try put(&object, .insert, on: connection)
  }

  /// Gives a stored object another objectID; references to it follow.
  ///
  /// - Throws: ``VaultError``: `.noSuchObject` where nothing is stored under `id`, `.duplicate`
  ///   where something is stored under `newID`; `.invalidArgument` for a ``DynamicObjectID`` with
  ///   more or fewer parts than the class's.
  public func changeID(of id: T.ObjectIDType, to newID: T.ObjectIDType) throws {
    if state.type == nil {
      try checkParts(of: id)
      try checkParts(of: newID)
    }
    try checkPartition(of: newID)
    let positions = state.objectIDPositions
    let count = positions.count
    let assignments = positions.enumerated()
      .map { "\(state.sql.quotedColumns[$1]) = ?\($0 + 1)" }.joined(separator: ", ")
    let condition = positions.enumerated()
      .map { "\(state.sql.qualifiedColumns[$1]) = ?\($0 + count + 1)" }
      .joined(separator: " AND ")
    let limits = partition?.clause(from: 2 * count + 1) ?? ""
    let sql = "UPDATE OR FAIL \(state.sql.table) SET \(assignments) WHERE \(condition)\(limits)"
    func change(_ connection: VaultConnection) throws {
      try connection.with(sql) { statement in
        let binder = statement.binder
        try newID.bindObjectID(to: binder, at: 0)
        try id.bindObjectID(to: binder, at: count)
        partition?.bind(to: binder, at: 2 * count)
        try statement.run()
        if connection.engine.changes == 0 { throw access.noSuchObject }
      }
      // A number that an object had is not given again, also after the object is removed.
      if state.generatedPosition >= 0, case .integer(let number) = try newID.objectIDParts.first {
        if number == .max { state.noteLastNumber() }
        try state.raiseSequence(to: number, on: connection)
      }
    }
    if state.foreignKeys.isEmpty, state.generatedPosition < 0 { return try write(change) }
    // An objectID can be a reference itself.
    try transaction { connection in
      try change(connection)
      try connection.checkReferences()
    }
  }
}
