import ObjectVaultEngine

extension ObjectStore {
  /// Writes every property of a stored object.
  ///
  /// - Throws: ``VaultError``: `.noObjectID` where the object has none, `.noSuchObject` where
  ///   nothing is stored under it, `.duplicate` where a unique property's value is taken,
  ///   `.danglingReference` where it refers to an object that is not stored.
  public func update(_ object: T, owned: OwnedSaving = .save) throws {
    if savesOwned(of: object, owned) { return try update(contentsOf: [object], owned: owned) }
    try write { connection in
      let slot: TableState.Slot =
        isGuarding(on: connection) ? .guardedUpdate : .update
      try with(slot, on: connection) { try update(object, $0, on: connection) }
    }
  }

  /// Whether an update must see that references have their objects.
  private func isGuarding(on connection: VaultConnection) -> Bool {
    !state.foreignKeys.isEmpty && !connection.defersReferences
  }

  /// Writes the named properties of a stored object and leaves the others as they are.
  ///
  /// - Parameters:
  ///   - object: An object with the new values.
  ///   - properties: The names of the properties, as in Swift. None of them: nothing is written.
  /// - Throws: as ``update(_:)``; `.noSuchProperty` for a name that the class does not have, and
  ///   `.invalidArgument` for one that is part of the objectID.
  public func update(_ object: T, only properties: String...) throws {
    try update(object, only: properties)
  }

  /// Writes the named properties of a stored object and leaves the others as they are.
  ///
  /// A ``DynamicObject`` needs no value for the others.
  ///
  /// - Throws: as ``update(_:only:)-(T,String...)``.
  public func update(_ object: T, only properties: [String]) throws {
    let partial = try partialUpdate(of: properties)
    guard !partial.positions.isEmpty else { return }
    try write { connection in
      let sql = isGuarding(on: connection) ? partial.guarded : partial.plain
      try connection.with(sql) { try update(object, $0, only: partial.positions, on: connection) }
    }
  }

  /// Writes every property of stored objects in one transaction: all of them, or none where one
  /// fails.
  ///
  /// - Throws: as ``update(_:)``.
  public func update(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws {
    try transaction { connection in
      var owners: [T] = []
      let collects = state.hasOwned
      for object in objects {
        try update(object, on: connection)
        if collects { owners.append(object) }
      }
      try saveOwned(of: &owners, owned, on: connection)
      try connection.checkReferences()
    }
  }

  func update(_ object: T, on connection: VaultConnection) throws {
    try with(.update, on: connection) { try update(object, $0, on: connection) }
  }

  private func update(
    _ object: T, _ statement: Statement, only positions: [Int]? = nil,
    on connection: VaultConnection
  ) throws {
    if try change(object, statement, only: positions, on: connection) { return }
    // A guarded update finds no row where a reference has no object.
    throw try dangling(of: object, only: positions, on: connection) ?? noSuchObject
  }

  /// Runs an update for one object.
  ///
  /// - Parameter positions: The properties that the statement writes; `nil` for all of them.
  /// - Returns: Whether there was a row.
  func change(
    _ object: T, _ statement: Statement, only positions: [Int]? = nil,
    on connection: VaultConnection
  ) throws -> Bool {
    let id = try objectID(of: object)
    try checkPartition(of: object, only: positions)
    let binder = statement.binder
    if let positions, T.self == DynamicObject.self, let object = object as? DynamicObject {
      // It may lack values that are not written, which a Swift type cannot.
      try object.encode(positions, into: binder)
    } else {
      try encode(object, into: positions.map { binder.only(state.parameters(of: $0)) } ?? binder)
    }
    if case .generated = state.description.objectID {
      try id.bindObjectID(to: binder, at: state.description.properties.count)
    }
    partition?.bind(to: binder)
    try statement.run()
    return connection.engine.changes > 0
  }

  var noSuchObject: VaultError {
    VaultError(
      .noSuchObject,
      "No object of class '\(classDescription.name)' is stored under that objectID. Insert it, or "
        + "use `save`, which does either.")
  }
}

extension ClassDescription {
  /// The positions of properties that an update may change.
  func changeablePositions(of names: [String]) throws(VaultError) -> [Int] {
    var positions: [Int] = []
    for name in names {
      guard let position = properties.firstIndex(where: { $0.name == name }) else {
        throw noSuchProperty(name)
      }
      if objectIDPositions.contains(position) {
        throw VaultError(
          .invalidArgument,
          "Property '\(name)' is part of the objectID of class '\(self.name)', which an update "
            + "cannot change. Use `changeID(of:to:)`.")
      }
      if !positions.contains(position) { positions.append(position) }
    }
    return positions
  }

  func noSuchProperty(_ name: String) -> VaultError {
    let names = properties.map { "'\($0.name)'" }.joined(separator: ", ")
    return VaultError(
      .noSuchProperty, "Class '\(self.name)' has no property '\(name)'. It has \(names).")
  }
}
