import Dispatch
import Foundation
import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Query {
  /// Returns all objects of the query, in order.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  @inlinable
  public func all() throws -> [T] {
    do {
      return try allOnce()
    } catch {
      guard store.access.canRead(again: error) else { throw error }
      return try allOnce()
    }
  }

  @inlinable
  @inline(__always)
  func allOnce() throws -> [T] {
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
  /// If the class has owned objects, up to 256 objects with their owned objects are read at a time.
  /// Use ``withoutOwned()`` to read one object at a time.
  ///
  /// - Throws: Errors of the query, and any error that `body` throws, which ends the iteration.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func forEach(_ body: (T) throws -> Void) throws {
    let cursor = try cursor()
    while let object = try cursor.next() { try body(object) }
  }

  /// Calls `body` with the row of each object, from one snapshot, without its owned objects.
  ///
  /// The columns of a row are the properties in declaration order and then a generated object ID.
  ///
  /// - Throws: Errors of the query, and any error that `body` throws, which ends the iteration.
  package func forEachRow(_ body: (Row) throws -> Void) throws {
    try store.access.read(parts, expecting: { _ in }, body)
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
    let layout = store.table.layout
    let description = layout.description
    let named = Set(try properties.map { try layout.position(of: $0) })
    let positions = named.union(description.objectIDPositions).sorted()
    if let sealing = store.table.sealing { return try all(only: positions, sealing) }
    let columns = positions.map { store.table.sql.readColumns[$0] }
    return try readRows({ $0.select(columns.joined(separator: ", ")) }) {
      DynamicObject(row: $0, having: positions, of: layout)
    }
  }
}

extension Query where T == DynamicObject {
  /// Returns objects of a class with sealed properties with some of their properties.
  private func all(
    only positions: [Int], _ sealing: TableSealing
  ) throws -> [DynamicObject] {
    let layout = store.table.layout
    let read = sealing.rows.readPositions(for: positions)
    let columns = read.map { store.table.sql.readColumns[$0] }
    return try readRows({ $0.select(columns.joined(separator: ", ")) }) { row in
      var values = [StoredValue](repeating: .null, count: sealing.rows.width)
      for (place, position) in read.enumerated() {
        values[position] = row.storedValue(at: place)
      }
      let opened = try sealing.opened(values)
      return Row.withValues(positions.map { opened[$0] }) {
        DynamicObject(row: $0, having: positions, of: layout)
      }
    }
  }
}

extension Query {
  @usableFromInline
  func all(keepingIn kept: KeptObjects<T>) throws -> [T] {
    try store.access.objects(parts) { try kept.object($0) }
  }

  @usableFromInline
  func first(keepingIn kept: KeptObjects<T>) throws -> T? {
    var first: T?
    try store.access.readFirst(parts) { row in first = try kept.object(row) }
    return first
  }
}

extension Query {
  /// Returns one page of the objects and their total number, read from one snapshot.
  ///
  /// The pages divide the objects of the query, including its range. Sort the query: pages in
  /// insertion order shift if objects are removed.
  ///
  /// - Parameters:
  ///   - number: The number of the page, counted from 1. A page beyond the last one is empty.
  ///   - size: The number of objects on a page.
  /// - Returns: The page.
  /// - Throws: ``VaultError`` `.invalidArgument` for a number or size below 1.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func page(number: Int, size: Int) throws -> Page<T> {
    guard number >= 1, size >= 1 else {
      throw VaultError(
        .invalidArgument,
        "The number or the size of the page is less than 1. Count pages from 1, with at least one "
          + "object on each.")
    }
    return try store.database.opened().readScope {
      let total = try count()
      let (start, overflows) = (number - 1).multipliedReportingOverflow(by: size)
      guard !overflows, start < total else {
        return Page(items: [], number: number, size: size, totalItems: total)
      }
      let items = try range(offset: offset + start, length: Swift.min(size, total - start)).all()
      return Page(items: items, number: number, size: size, totalItems: total)
    }
  }
}

extension Query where T: Sendable {
  /// Returns an asynchronous sequence of the objects that holds one batch in memory.
  ///
  /// - Parameter batchSize: The number of objects to read ahead at a time; 128 by default. Use a
  ///   smaller number for large objects.
  /// - Returns: A stream for `for try await`.
  /// - Throws: ``VaultError`` `.invalidArgument` for a size below 1.
  public func stream(batchSize: Int = 128) throws -> ObjectStream<T> {
    try StreamReader<T>.check(batchSize: batchSize)
    return ObjectStream(query: self, batchSize: batchSize)
  }

  /// An asynchronous sequence of the objects that holds one batch in memory.
  public var objects: ObjectStream<T> { ObjectStream(query: self, batchSize: 128) }
}
