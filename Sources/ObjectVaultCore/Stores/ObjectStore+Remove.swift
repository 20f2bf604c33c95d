import ObjectVaultEngine

extension ObjectStore {
  /// Removes a stored object.
  ///
  /// - Throws: ``VaultError``: `.noObjectID` where the object has none, `.noSuchObject` where
  ///   nothing is stored under it.
  public func remove(_ object: T) throws {
    try remove(id: objectID(of: object))
  }

  /// Removes the object stored under an objectID.
  ///
  /// - Throws: ``VaultError``: `.noSuchObject` where there is none; `.invalidArgument` for a
  ///   ``DynamicObjectID`` with more or fewer parts than the class's.
  public func remove(id: T.ObjectIDType) throws {
    try write { try remove(id, on: $0) }
  }

  /// Removes stored objects in one transaction: all of them, or none where one fails.
  ///
  /// - Throws: as ``remove(_:)``.
  public func remove(contentsOf objects: some Sequence<T>) throws {
    try transaction { connection in
      for object in objects { try remove(objectID(of: object), on: connection) }
    }
  }

  /// Removes the objects stored under objectIDs in one transaction: all of them, or none where one
  /// fails.
  ///
  /// - Throws: as ``remove(id:)``.
  public func remove(ids: some Sequence<T.ObjectIDType>) throws {
    try transaction { connection in
      for id in ids { try remove(id, on: connection) }
    }
  }

  /// Removes every object of the class; the table stays and can be used at once.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func removeAll() throws -> Int {
    try write { connection in
      try connection.with("DELETE FROM \(state.sql.table)") { try $0.run() }
      return connection.engine.changes
    }
  }

  private func remove(_ id: T.ObjectIDType, on connection: VaultConnection) throws {
    try state.with(.remove, on: connection) { statement in
      try bind(id, to: statement)
      try statement.run()
      if connection.engine.changes == 0 { throw noSuchObject }
    }
  }

  /// Binds an objectID where the statements of the class's slots expect its parts.
  func bind(_ id: T.ObjectIDType, to statement: Statement) throws {
    if state.type == nil { try checkParts(of: id) }
    let binder = statement.binder
    let positions = state.objectIDPositions
    if positions.count == 1 {
      try id.bindObjectID(to: binder, at: positions[0])
    } else {
      for (position, part) in zip(positions, try id.objectIDParts) {
        part.bind(to: binder, at: position)
      }
    }
  }

  /// Sees that an objectID has as many parts as those of the class: the type of one for a class
  /// described at run time does not say how many.
  ///
  /// - Throws: `.invalidArgument`.
  func checkParts(of id: T.ObjectIDType) throws {
    let (count, expected) = (try id.objectIDParts.count, state.objectIDPositions.count)
    guard count != expected else { return }
    throw VaultError(
      .invalidArgument,
      "The objectID given has \(count) \(count == 1 ? "part" : "parts"); one of class "
        + "'\(classDescription.name)' has \(expected). Give the values of its parts in the order of "
        + "the class.")
  }
}
