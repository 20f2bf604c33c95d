public import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

// Updates of objects found by their object IDs, without the object type.

extension StoreAccess {
  /// Updates one object.
  ///
  /// - Parameters:
  ///   - partial: The properties to write; `nil` for all of them.
  ///   - bind: Binds the object's values and its object ID.
  /// - Throws: `.noSuchObject`, `.danglingReference`, and the errors of writing.
  @usableFromInline
  func update(_ partial: PartialUpdate? = nil, _ bind: (Binder) throws -> Void) throws {
    if let partial, let sealing = table.sealing, sealing.rows.needsNames(partial.positions) {
      // The names of the keys are read before.
      return try transaction { session in
        try with(partial, isGuarding: false, on: session) {
          try update($0, partial, on: session, bind)
        }
        try session.checkReferences()
      }
    }
    try write(isOneStatement: true) { session in
      let isGuarding = !table.foreignKeys.isEmpty && !session.defersReferences
      try with(partial, isGuarding: isGuarding, on: session) {
        try update($0, partial, on: session, bind)
      }
    }
  }

  /// Calls `body` with a closure that updates one object, in one transaction that an error rolls
  /// back.
  @usableFromInline
  func updating(
    _ partial: PartialUpdate?,
    _ body: (_ update: (_ bind: (Binder) throws -> Void) throws -> Void) throws -> Void
  ) throws {
    try transaction { session in
      try with(partial, isGuarding: false, on: session) { statement in
        guard statement.runsTogether else {
          return try body { try update(statement, partial, on: session, $0) }
        }
        let queue = WriteQueue(statement) { bind in
          // The values are sealed, and those of the partition are among them.
          bind(statement.binder)
          try statement.run()
          if session.connection.changes > 0 { return }
          throw try dangling(only: partial?.positions, on: session, bind) ?? noSuchObject
        }
        try body { bind in
          try self.bind(partial, to: statement, on: session, bind)
          try queue.add()
        }
        try queue.finish()
      }
      try session.checkReferences()
    }
  }

  /// Calls `body` with the statement of an update.
  ///
  /// - Parameters:
  ///   - partial: The properties to write; `nil` for all of them.
  ///   - isGuarding: Whether an update must check that references have their objects.
  ///   - session: The writer connection.
  ///   - body: The work to do.
  /// - Throws: The error of `body`, and engine errors.
  @inline(__always)
  private func with(
    _ partial: PartialUpdate?, isGuarding: Bool, on session: Session,
    _ body: (Statement) throws -> Void
  ) throws {
    if let partial {
      return try session.with(isGuarding ? partial.guarded : partial.plain, body)
    }
    try with(isGuarding ? .guardedUpdate : .update, on: session, body)
  }

  /// Runs an update that must find its object.
  @inline(__always)
  func update(
    _ statement: Statement, _ partial: PartialUpdate? = nil, on session: Session,
    _ bind: (Binder) throws -> Void
  ) throws {
    if try change(statement, partial, on: session, bind) { return }
    // A guarded update finds no row if a reference lacks its object.
    throw try dangling(only: partial?.positions, on: session, bind) ?? noSuchObject
  }

  /// Runs an update.
  ///
  /// - Returns: Whether the row exists.
  @inline(__always)
  func change(
    _ statement: Statement, _ partial: PartialUpdate? = nil, on session: Session,
    _ bind: (Binder) throws -> Void
  ) throws -> Bool {
    try self.bind(partial, to: statement, on: session, bind)
    try statement.run()
    return session.connection.changes > 0
  }

  /// Binds the values of an object to an update.
  @inline(__always)
  private func bind(
    _ partial: PartialUpdate?, to statement: Statement, on session: Session,
    _ bind: (Binder) throws -> Void
  ) throws {
    let binder = statement.binder
    var own = binder
    if let partial { own = binder.only(partial.parameters) }
    if let sealing = table.sealing {
      try self.bind(sealing: sealing, partial, on: session, to: own, bind)
    } else {
      try bind(own)
    }
    // Its values are after those of the properties.
    partition?.bind(to: binder)
  }
}
