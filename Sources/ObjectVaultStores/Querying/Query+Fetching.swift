import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Query {
  /// Returns all objects of the query, in order.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func all() throws -> [T] {
    if store.access.mustLoadOwned { return try allWithOwned() }
    if IdentityMap.mayExist, let kept = try store.keptObjects() { return try all(keepingIn: kept) }
    return try store.access.objects(parts) { try T(row: $0) }
  }

  /// Returns the first object, or `nil` if there are no objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
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
    try store.readWithOwned { session in
      var objects = try QuerySQL.with(self, \.select, on: session) { try store.objects($0) }
      try store.complete(&objects, on: session)
      return objects
    }
  }

  @usableFromInline
  func firstWithOwned() throws -> T? {
    try range(offset: offset, length: Swift.min(length ?? 1, 1)).allWithOwned().first
  }

  /// Returns the number of objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func count() throws -> Int {
    try store.access.count(parts)
  }

  /// Returns whether the query has any objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func exists() throws -> Bool {
    try store.read { session in
      try QuerySQL.with(self, \.exists, on: session) { try $0.holds() }
    }
  }

  /// Calls `body` with each object, one in memory at a time, from one snapshot.
  ///
  /// - Throws: Errors of the query, and any error that `body` throws, which ends the iteration.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func forEach(_ body: (T) throws -> Void) throws {
    let cursor = try cursor()
    while let object = try cursor.next() { try body(object) }
  }

  /// Returns a cursor that reads the objects one at a time from a snapshot of this moment.
  public func cursor() throws -> ObjectCursor<T> {
    try ObjectCursor(self)
  }

  /// Removes the objects and everything that is deleted with them, in one transaction.
  ///
  /// - Returns: The number of objects of the query.
  /// - Throws: The errors of ``ObjectStore/remove(_:)`` except `.noSuchObject`.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func remove() throws -> Int {
    try store.removing { session in
      try QuerySQL.with(self, \.remove, on: session) { statement in
        try statement.run()
        // Read before the lists of the condition are emptied, because that also changes rows.
        return session.connection.changes
      }
    } planned: { removal, session in
      try add(to: removal, on: session)
    }
  }

  /// Adds the objects of the query to the objects to remove.
  ///
  /// - Returns: The number of added objects.
  func add(to removal: Removal, on session: Session) throws -> Int {
    try QuerySQL.with(
      self, { removal.adding($0.select(removal.seedColumns)) }, on: session
    ) { statement in
      try session.changingTemporaryTables {
        try statement.run()
        return session.connection.changes
      }
    }
  }
}

extension ObjectStore {
  /// Returns all objects, in insertion order.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func all() throws -> [T] { try query.all() }

  /// Returns the object that was inserted first, or `nil` if there are no objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func first() throws -> T? { try query.first() }

  /// Returns the number of objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func count() throws -> Int { try query.count() }

  /// Calls `body` with each object, one in memory at a time; see ``Query/forEach(_:)-((T)->Void)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func forEach(_ body: (T) throws -> Void) throws { try query.forEach(body) }
}

extension Query where T == DynamicObject {
  /// Returns the objects with some of their properties and their objectIDs; nothing else is read.
  ///
  /// Such a partial object has no value for the other properties, not even `nil`: reading one
  /// fails, and so does storing the whole object. `update(_:only:)` writes the properties that it
  /// has.
  ///
  /// - Parameter properties: The names of the properties.
  /// - Returns: The partial objects, in order.
  /// - Throws: ``VaultError`` `.noSuchProperty`.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func all(only properties: String...) throws -> [DynamicObject] {
    try all(only: properties)
  }

  /// Returns the objects with some of their properties and their objectIDs.
  ///
  /// - Throws: The errors of ``all(only:)-(String...)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func all(only properties: [String]) throws -> [DynamicObject] {
    let layout = store.state.layout
    let description = layout.description
    let named = Set(try properties.map { try layout.position(of: $0) })
    let positions = named.union(description.objectIDPositions).sorted()
    let columns = positions.map { store.state.sql.readColumns[$0] }
    return try readRows({ $0.select(columns.joined(separator: ", ")) }) {
      DynamicObject(row: $0, having: positions, of: layout)
    }
  }
}
