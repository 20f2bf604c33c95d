import ObjectVaultEngine

extension ObjectStore {
  /// Removes a stored object, with all that must go with it: the objects whose references to it
  /// cascade, those whose references to them do, and so on without limit, in one transaction.
  /// References that are nullified become `nil`.
  ///
  /// - Throws: ``VaultError``: `.noObjectID` where the object has none, `.noSuchObject` where
  ///   nothing is stored under it; `.removalDenied` where an object that would stay forbids it,
  ///   `.danglingReference` where its reference would be left without its object.
  public func remove(_ object: T) throws {
    try remove(id: objectID(of: object))
  }

  /// Removes the object stored under an objectID.
  ///
  /// - Throws: as ``remove(_:)``; `.invalidArgument` for a ``DynamicObjectID`` with more or fewer
  ///   parts than the class's.
  public func remove(id: T.ObjectIDType) throws {
    try removing { connection in
      try remove(id, on: connection)
    } planned: { removal, _ in
      try add(id, to: removal)
    }
  }

  /// Removes stored objects in one transaction: all of them, or none where one fails.
  ///
  /// - Throws: as ``remove(_:)``.
  public func remove(contentsOf objects: some Sequence<T>) throws {
    try remove(objects) { try objectID(of: $0) }
  }

  /// Removes the objects stored under objectIDs in one transaction: all of them, or none where one
  /// fails.
  ///
  /// - Throws: as ``remove(id:)``.
  public func remove(ids: some Sequence<T.ObjectIDType>) throws {
    try remove(ids) { $0 }
  }

  private func remove<S: Sequence>(
    _ elements: S, _ id: (S.Element) throws -> T.ObjectIDType
  ) throws {
    try transaction { connection in
      let scope = try removalScope(on: connection)
      if scope.isDirect {
        for element in elements { try remove(id(element), on: connection) }
        return
      }
      _ = try Removal.with(scope, on: connection) { removal in
        for element in elements { try add(id(element), to: removal) }
        return try removal.run()
      }
    }
  }

  /// Removes every object of the class, with all that must go with them; the table stays and can be
  /// used at once.
  ///
  /// - Returns: How many there were.
  /// - Throws: as ``remove(_:)``.
  @discardableResult
  public func removeAll() throws -> Int {
    if partition != nil { return try query.remove() }
    return try removing { connection in
      try connection.with("DELETE FROM \(state.sql.table)") { try $0.run() }
      return connection.engine.changes
    } planned: { removal, _ in
      try removal.add("SELECT \(removal.seedColumns) FROM \(state.sql.table)") { _ in }
    }
  }

  /// Removes objects in the way that fits what refers to them.
  ///
  /// - Parameters:
  ///   - directly: Deletes them, where the engine's own cascade does the rest.
  ///   - planned: Adds them to a removal, where it does not.
  /// - Returns: What either of them returns.
  func removing<R>(
    _ directly: (VaultConnection) throws -> R,
    planned: (Removal, VaultConnection) throws -> R
  ) throws -> R {
    let result = try write { connection -> R? in
      try removalScope(on: connection).isDirect ? try directly(connection) : nil
    }
    if let result { return result }
    return try transaction { connection in
      try Removal.with(try removalScope(on: connection), on: connection) { removal in
        let result = try planned(removal, connection)
        _ = try removal.run()
        return result
      }
    }
  }

  /// What may go with objects of the class.
  func removalScope(on connection: VaultConnection) throws -> RemovalScope {
    try connection.referenceGraph().scope(of: state.description.table, on: connection)
  }

  /// Adds the object stored under an objectID to those to be removed.
  func add(_ id: T.ObjectIDType, to removal: Removal) throws {
    let count = try removal.add(
      "SELECT \(removal.seedColumns) FROM \(sql.table) WHERE \(sql.hasObjectID)"
    ) { try bind(id, to: $0) }
    if count == 0 { throw access.noSuchObject }
  }

  private func remove(_ id: T.ObjectIDType, on connection: VaultConnection) throws {
    try with(.remove, on: connection) { statement in
      try bind(id, to: statement)
      try statement.run()
      if connection.engine.changes == 0 { throw access.noSuchObject }
    }
  }

  /// Binds an objectID where the statements of the class's slots expect its parts.
  func bind(_ id: T.ObjectIDType, to statement: Statement) throws {
    try bind(id, to: statement.binder)
  }

  /// Binds an objectID where the statements of the class's slots expect its parts.
  func bind(_ id: T.ObjectIDType, to binder: Binder) throws {
    try bindParts(of: id, to: binder)
    partition?.bind(to: binder)
  }

  /// Binds the parts of an objectID alone.
  @inlinable
  func bindParts(of id: T.ObjectIDType, to binder: Binder) throws {
    let position = access.objectIDPosition
    if position >= 0 {
      try id.bindObjectID(to: binder, at: position)
    } else {
      try bindSeveralParts(of: id, to: binder)
    }
  }

  @usableFromInline
  func bindSeveralParts(of id: T.ObjectIDType, to binder: Binder) throws {
    if state.type == nil { try checkParts(of: id) }
    for (position, part) in zip(state.objectIDPositions, try id.objectIDParts) {
      part.bind(to: binder, at: position)
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
