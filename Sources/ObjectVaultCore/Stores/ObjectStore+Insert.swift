import ObjectVaultEngine

extension ObjectStore {
  /// Stores a new object.
  ///
  /// - Parameter object: The object. Where the vault generates the objectID and the object has
  ///   none yet, it is given one.
  /// - Returns: The object with its objectID; for a class type the same instance.
  /// - Throws: ``VaultError``: `.duplicate` where the objectID, or the value of a unique property,
  ///   is taken; `.invalidValue` where a value cannot be kept exactly, or the next number is no
  ///   value of the objectID's type; `.constraint` where no number is left.
  @discardableResult
  public func insert(_ object: T) throws -> T {
    var object = object
    try insert(&object)
    return object
  }

  /// Stores a new object, and gives it its objectID in place.
  ///
  /// - Throws: as ``insert(_:)-(T)``.
  public func insert(_ object: inout T) throws {
    if mayGenerateMisfit(for: object) {
      return try transaction { try put(&object, .insert, on: $0) }
    }
    try write { try put(&object, .insert, on: $0) }
  }

  /// Stores new objects in one transaction: all of them, or none where one fails.
  ///
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as ``insert(_:)-(T)``.
  @discardableResult
  public func insert(contentsOf objects: some Sequence<T>) throws -> [T.ObjectIDType] {
    try transaction { connection in
      var ids: [T.ObjectIDType] = []
      ids.reserveCapacity(objects.underestimatedCount)
      try state.with(.insert, on: connection) { statement in
        for var object in objects {
          try put(&object, statement, on: connection)
          ids.append(try objectID(of: object))
        }
      }
      return ids
    }
  }

  /// Stores an object in the place of those that have its objectID or the value of one of its
  /// unique properties: they are deleted first.
  ///
  /// ``save(_:)-(T)`` keeps the row and whatever refers to it, and is what most callers want.
  ///
  /// - Returns: The object with its objectID.
  /// - Throws: as ``insert(_:)-(T)``, but for `.duplicate`.
  @discardableResult
  public func replace(_ object: T) throws -> T {
    var object = object
    if mayGenerateMisfit(for: object) {
      try transaction { try put(&object, .replace, on: $0) }
    } else {
      try write { try put(&object, .replace, on: $0) }
    }
    return object
  }

  func put(_ object: inout T, _ slot: TableState.Slot, on connection: VaultConnection) throws {
    try state.with(slot, on: connection) { try put(&object, $0, on: connection) }
  }

  /// Runs an insert for one object and takes the generated objectID.
  @inline(__always)
  private func put(
    _ object: inout T, _ statement: Statement, on connection: VaultConnection
  ) throws {
    let binder = statement.binder
    try object.encode(into: binder)
    let id = object.storedObjectID
    if case .generated = state.description.objectID {
      if let id {
        try id.bindObjectID(to: binder, at: state.description.properties.count)
        try statement.run()
        if connection.engine.lastInsertRowID == .max { state.noteLastNumber() }
        return
      }
      try checkNumbersLeft(on: connection)
      binder.bindNull(at: state.description.properties.count)
    }
    do {
      try statement.run()
    } catch  where id == nil {
      throw failure(error, on: connection)
    }
    if id == nil, let generated = try generatedID(on: connection) {
      object.assignObjectID(generated)
    }
  }
}
