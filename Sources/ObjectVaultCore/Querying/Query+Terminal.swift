import ObjectVaultEngine

extension Query {
  /// The objects.
  @inlinable
  public func all() throws -> [T] {
    if store.access.mustLoadOwned { return try allWithOwned() }
    if IdentityMap.mayExist, let kept = try store.keptObjects() { return try all(keepingIn: kept) }
    return try store.access.objects(parts) { try T(row: $0) }
  }

  /// The first object, or `nil` where there is none.
  @inlinable
  public func first() throws -> T? {
    if store.access.mustLoadOwned { return try firstWithOwned() }
    if IdentityMap.mayExist, let kept = try store.keptObjects() {
      return try first(keepingIn: kept)
    }
    return try StoreAccess.one { take in try store.access.readFirst(parts, take) }
  }

  @usableFromInline
  func allWithOwned() throws -> [T] {
    try store.readWithOwned { connection in
      var objects = try QuerySQL.with(self, \.select, on: connection) { try store.objects($0) }
      try store.complete(&objects, on: connection)
      return objects
    }
  }

  @usableFromInline
  func firstWithOwned() throws -> T? {
    try range(offset: offset, length: Swift.min(length ?? 1, 1)).allWithOwned().first
  }

  /// How many objects there are.
  public func count() throws -> Int {
    try store.access.count(parts)
  }

  /// Whether there is an object.
  public func exists() throws -> Bool {
    try store.read { connection in
      try QuerySQL.with(self, \.exists, on: connection) { try $0.holds() }
    }
  }

  /// Calls `body` with each object, one in memory at a time, as they are at this moment.
  ///
  /// - Throws: What `body` throws, which ends the iteration.
  public func forEach(_ body: (T) throws -> Void) throws {
    let cursor = try cursor()
    while let object = try cursor.next() { try body(object) }
  }

  /// The objects one at a time, as they are at this moment: a lazy iteration.
  public func cursor() throws -> ObjectCursor<T> {
    try ObjectCursor(self)
  }

  /// Removes the objects, with all that must go with them, in one transaction.
  ///
  /// - Returns: How many there were.
  /// - Throws: as ``ObjectStore/remove(_:)``, but for `.noSuchObject`.
  @discardableResult
  public func remove() throws -> Int {
    try store.removing { connection in
      try QuerySQL.with(self, \.remove, on: connection) { statement in
        try statement.run()
        // Before the lists of the condition are emptied, which changes rows too.
        return connection.engine.changes
      }
    } planned: { removal, connection in
      try add(to: removal, on: connection)
    }
  }

  /// Adds the objects to those to be removed.
  ///
  /// - Returns: How many they are.
  func add(to removal: Removal, on connection: VaultConnection) throws -> Int {
    try QuerySQL.with(
      self, { removal.adding($0.select(removal.seedColumns)) }, on: connection
    ) { statement in
      try connection.changingTemporaryTables {
        try statement.run()
        return connection.engine.changes
      }
    }
  }
}

extension ObjectStore {
  /// Every object, in the order of insertion.
  @inlinable
  public func all() throws -> [T] { try query.all() }

  /// The object inserted first, or `nil` where there is none.
  @inlinable
  public func first() throws -> T? { try query.first() }

  /// How many objects there are.
  public func count() throws -> Int { try query.count() }

  /// Calls `body` with each object, one in memory at a time; see ``Query/forEach(_:)-((T)->Void)``.
  public func forEach(_ body: (T) throws -> Void) throws { try query.forEach(body) }
}
