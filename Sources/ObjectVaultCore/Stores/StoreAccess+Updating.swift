public import ObjectVaultEngine

// Updates of objects that are found by their objectIDs, as far as they do without the objects' type.

extension StoreAccess {
  /// Updates one object.
  ///
  /// - Parameters:
  ///   - partial: What is written of the object; `nil` for all of it.
  ///   - bind: Binds the object's values and its objectID.
  @usableFromInline
  func update(_ partial: PartialUpdate? = nil, _ bind: (Binder) throws -> Void) throws {
    try write { connection in
      let isGuarding = !state.foreignKeys.isEmpty && !connection.defersReferences
      try with(partial, isGuarding: isGuarding, on: connection) {
        try update($0, partial, on: connection, bind)
      }
    }
  }

  /// Calls `body` with what updates one object after another in one transaction, which `body`'s failure
  /// undoes.
  @usableFromInline
  func updating(
    _ partial: PartialUpdate?,
    _ body: (_ update: (_ bind: (Binder) throws -> Void) throws -> Void) throws -> Void
  ) throws {
    try transaction { connection in
      try with(partial, isGuarding: false, on: connection) { statement in
        try body { try update(statement, partial, on: connection, $0) }
      }
      try connection.checkReferences()
    }
  }

  /// - Parameter isGuarding: Whether an update must see that references have their objects.
  @inline(__always)
  private func with(
    _ partial: PartialUpdate?, isGuarding: Bool, on connection: VaultConnection,
    _ body: (Statement) throws -> Void
  ) throws {
    if let partial {
      return try connection.with(isGuarding ? partial.guarded : partial.plain, body)
    }
    try with(isGuarding ? .guardedUpdate : .update, on: connection, body)
  }

  /// Runs an update, which must find its object.
  @inline(__always)
  func update(
    _ statement: Statement, _ partial: PartialUpdate? = nil, on connection: VaultConnection,
    _ bind: (Binder) throws -> Void
  ) throws {
    if try change(statement, partial, on: connection, bind) { return }
    // A guarded update finds no row where a reference has no object.
    throw try dangling(only: partial?.positions, on: connection, bind) ?? noSuchObject
  }

  /// Runs an update.
  ///
  /// - Returns: Whether there was a row.
  @inline(__always)
  func change(
    _ statement: Statement, _ partial: PartialUpdate? = nil, on connection: VaultConnection,
    _ bind: (Binder) throws -> Void
  ) throws -> Bool {
    var binder = statement.binder
    if let partial { binder = binder.only(partial.parameters) }
    try bind(binder)
    partition?.bind(to: binder)
    try statement.run()
    return connection.engine.changes > 0
  }
}
