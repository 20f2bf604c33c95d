import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
package import ObjectVaultSession

/// The objects of one class in a vault, with operations to insert, update, find and remove them.
///
/// A store is a value that any thread or task can use. Every operation has a synchronous form,
/// which blocks the caller. For `Sendable` classes the most common ones also have an asynchronous
/// form, which does not. A store retains its vault until the vault is closed.
///
/// ```swift
/// let students = try vault.store(of: Student.self)
/// try students.insert(Student(name: "Ann"))
/// let found = try students.where("name BEGINSWITH 'A'").all()
/// ```
public struct ObjectStore<T: VaultObject>: Sendable {
  @usableFromInline var access: StoreAccess

  init(database: any Database, table: Table) {
    access = StoreAccess(database: database, table: table)
  }

  /// The vault of the objects.
  public var database: any Database { access.database }

  package var table: Table { access.table }

  /// The partition that the store is limited to; `nil` for all objects of the class.
  package var partition: Partition? { access.partition }

  /// The description of the class.
  public var classDescription: ClassDescription { table.description }

  // MARK: Connections

  @inline(__always)
  package func read<R>(_ body: (Session) throws -> R) throws -> R { try access.read(body) }

  @inline(__always)
  package func write<R>(_ body: (Session) throws -> R) throws -> R { try access.write(body) }

  @inline(__always)
  package func transaction<R>(_ body: (Session) throws -> R) throws -> R {
    try access.transaction(body)
  }

  /// The statements of the store, limited to its objects.
  var sql: TableStatements { access.sql }

  /// Calls `body` with the statement of a slot on this connection, or with that of the partition.
  @inline(__always)
  func with<R>(
    _ slot: Table.Slot, on session: Session, _ body: (Statement) throws -> R
  ) throws -> R {
    try access.with(slot, on: session, body)
  }

  // MARK: Rows

  /// Returns the object of a statement's current row, or the cached one.
  @inline(__always)
  func object(_ statement: Statement, _ kept: KeptObjects<T>? = nil) throws -> T {
    try object(statement.row(layout: table.layout), kept)
  }

  /// Returns the object of a row with the layout of the class, or the cached one.
  @inline(__always)
  func object(_ row: Row, _ kept: KeptObjects<T>? = nil) throws -> T {
    do {
      if let sealing = table.sealing {
        return try sealing.opened(row, layout: table.layout) { row in
          try kept?.object(row) ?? T(row: row)
        }
      }
      if let kept { return try kept.object(row) }
      return try T(row: row)
    } catch {
      throw classDescription.naming(error)
    }
  }

  /// Binds the properties of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - partial: The properties to write; `nil` for all of them.
  ///   - binder: The binder of the statement.
  /// - Throws: Errors of encoding, with the name of the class.
  @inlinable
  @inline(__always)
  func encode(_ object: T, _ partial: PartialUpdate? = nil, into binder: Binder) throws {
    do {
      if let partial, T.self == DynamicObject.self, let object = object as? DynamicObject {
        // It may lack values that are not written, unlike an object of a Swift type.
        try object.encode(partial.positions, into: binder)
      } else {
        try object.encode(into: binder)
      }
    } catch {
      throw naming(error, binding: object, partial)
    }
  }

  /// Returns an error of binding an object with the name of the property, if known.
  @usableFromInline @inline(never)
  func naming(_ error: any Error, binding object: T, _ partial: PartialUpdate?) -> any Error {
    classDescription.naming(error, binding: CollectionOfOne(object), only: partial?.positions)
  }

  /// Returns an error of binding one of several objects with the name of the property, if known.
  @usableFromInline @inline(never)
  func naming(_ error: any Error, bindingOneOf objects: UnsafeBufferPointer<T>) -> any Error {
    classDescription.naming(error, binding: objects)
  }

  /// Returns the objects of all rows of a statement.
  func objects(_ statement: Statement) throws -> [T] {
    let kept = try keptObjectsOfRows()
    var objects: [T] = []
    while try statement.step() { objects.append(try object(statement, kept)) }
    return objects
  }

  /// Returns the object ID of an object.
  ///
  /// - Throws: `.noObjectID` if the object has none.
  @inlinable
  func objectID(of object: T) throws -> T.ObjectIDType {
    guard let id = object.storedObjectID else { throw access.noObjectID }
    return id
  }
}

extension ObjectStore {
  /// Drops the columns of the class's table that no property has any more, with all their values.
  ///
  /// A property that is removed from a class leaves its column in the table, so nothing is lost
  /// until this method is called. In a file, the table is rebuilt. This is impossible inside a
  /// transaction.
  ///
  /// - Returns: The names of the dropped columns, in table order.
  /// - Throws: ``VaultError``: `.invalidArgument` for a partition; `.upgradeInTransaction` inside a
  ///   transaction; `.upgradeRefused` if an index, trigger or view of another program needs one of
  ///   the columns, or another table refers to it. Nothing is changed then.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func dropRemovedProperties() throws -> [String] {
    try checkIsWhole(to: "drop columns")
    let opened = try database.opened()
    try table.checkValid()
    let description = table.description
    func removed(_ session: Session) throws -> [String] {
      let time = description.options.keepsInsertionTime ? [InsertionTime.column] : []
      let orders = ListOrder.all(in: try SystemTables(session).descriptions())
        .filter { $0.table == description.table }.map(\.column)
      let known = Set((description.rowColumns + time + orders).map(\.asciiLowercased))
      return try Schema(on: session).columns(of: description.table).map(\.name)
        .filter { !known.contains($0.asciiLowercased) }
    }
    let (present, isAltered) = try opened.read {
      (try removed($0), $0.connection.catalog.altersColumns)
    }
    if present.isEmpty { return [] }
    if isAltered, opened.sessions.isInTransaction {
      throw opened.upgradeInTransaction("must be changed")
    }
    return try opened.upgrade(
      rebuilding: !isAltered, changing: { _ in [description.table] }
    ) { session in
      let columns = try removed(session)
      // Another process may have dropped the columns since the first check.
      if columns.isEmpty { return [] }
      try database.willUpgrade(on: session)
      try Schema(on: session).dropColumns(columns, of: description)
      opened.noteChange(
        ofTable: description.table,
        columns: try Schema(on: session).names(of: description.table))
      return columns
    }
  }
}

extension ObjectStore {
  /// Rebuilds the full-text index of the class from the texts of its objects.
  ///
  /// Missing triggers of the index are created again. The file normally updates the index by
  /// itself, for writes by any program. Two causes can leave it wrong, and this method fixes them:
  /// SQLite's `REPLACE` conflict clause, in SQL or in another program, and rows renumbered by a
  /// dump.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` if the class has no searched properties,
  ///   `.searchUnavailable` if the engine lacks the module of the index.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func rebuildSearch() throws {
    let index = try searchIndex
    try transaction { try index.rebuild(on: $0) }
  }

  /// Compares the full-text index of the class with the texts of its objects.
  ///
  /// - Returns: Whether the index contains exactly the terms of the texts.
  /// - Throws: The errors of ``rebuildSearch()``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func isSearchSound() throws -> Bool {
    let index = try searchIndex
    return try transaction { try index.isSound(on: $0) }
  }

  private var searchIndex: SearchIndex {
    get throws(VaultError) {
      guard let index = SearchIndex(table.description) else {
        throw VaultError(
          .invalidArgument,
          "Class '\(classDescription.name)' has no full-text index. Mark a property with "
            + "`@Searchable`.")
      }
      return index
    }
  }
}

extension ObjectStore {
  /// Returns this store limited to the objects with one value of a property.
  ///
  /// ```swift
  /// let mine = try notes.partition("user", is: "ann")
  /// try mine.where("title CONTAINS 'tea' || isDone").remove()   // only Ann's notes
  /// ```
  ///
  /// The limit applies to every operation of the store and of its queries. They find, count,
  /// change, remove and observe no other objects, and treat object IDs of other partitions as
  /// unused when reading. The store rejects an object with another value of the property. It never
  /// removes an object of another partition to make room: an object ID in use there is taken.
  ///
  /// Associations between objects work as usual. A removal cascades, and owned objects are loaded
  /// and saved with their owner. A partition of a partition is limited by both properties. An index
  /// that begins with the property makes partitions fast; ``Query/explain()-swift.method`` suggests
  /// it.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or of a reference.
  ///   - value: The value, which is bound, never spliced into text; `nil` selects the objects
  ///     without a value. For a reference, a ``Ref`` or the object ID.
  /// - Returns: The limited store.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` if the property cannot have the
  ///   value; `.invalidArgument` for a decimal, a composite or a shared property, which cannot
  ///   separate objects, and if the store is already limited to another value.
  public func partition(_ property: String, is value: Any?) throws -> ObjectStore {
    var terms = partition?.terms ?? []
    for term in try classDescription.partitionTerms(property, is: value) {
      if let former = terms.first(where: { $0.position == term.position }) {
        guard former.value == term.value else {
          throw VaultError(
            .invalidArgument,
            "The store is already the partition of class '\(classDescription.name)' for another "
              + "value of '\(property)', and no object has both values. Use the partition of the "
              + "whole store.")
        }
        continue
      }
      terms.append(term)
    }
    var store = self
    store.access = try access.limited(
      to: Partition(terms.sorted { $0.position < $1.position }, of: table))
    return store
  }

  /// Returns whether another store of the class is limited to the same objects.
  func isLimited(as other: ObjectStore) -> Bool {
    partition === other.partition || partition?.terms == other.partition?.terms
  }

  // MARK: Objects

  /// Throws if an object to be stored or changed is outside the partition.
  ///
  /// - Parameters:
  ///   - object: An object. One described at run time may lack values that are not written.
  ///   - positions: The properties to be written; `nil` for all of them.
  /// - Throws: `.otherPartition`.
  @inline(__always)
  func checkPartition(of object: T, only positions: [Int]? = nil) throws {
    if let partition { try check(object, isOf: partition, positions) }
  }

  @inline(never)
  private func check(_ object: T, isOf partition: Partition, _ positions: [Int]?) throws {
    if let object = object as? DynamicObject {
      for term in partition.terms where try object.isLoaded(term.property.name) {
        let value = try object.value(of: term.property.name)
        if value.isNull, let positions, !positions.contains(term.position) { continue }
        guard value == term.value else { throw classDescription.otherPartition(term) }
      }
      return
    }
    let values = try BoundValue.values(classDescription.properties.count) {
      try encode(object, into: $0)
    }
    for term in partition.terms where values[term.position] != term.bound {
      throw classDescription.otherPartition(term)
    }
  }

  /// Throws if a new object ID would move an object out of the partition.
  ///
  /// - Parameter id: The new object ID.
  /// - Throws: `.otherPartition`.
  func checkPartition(of id: T.ObjectIDType) throws {
    guard let partition else { return }
    let parts = try id.objectIDParts
    for term in partition.terms {
      guard let place = table.objectIDPositions.firstIndex(of: term.position) else { continue }
      guard parts[place] == term.value else { throw classDescription.otherPartition(term) }
    }
  }

  /// Throws if changes of all objects of a query would move them out of the partition.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `.otherPartition`.
  func checkPartition(of changes: [CheckedChange]) throws(VaultError) {
    for term in partition?.terms ?? [] {
      for change in changes where change.position == term.position {
        if case .value(term.value) = change.kind { continue }
        throw classDescription.otherPartition(term)
      }
    }
  }

  /// Throws if the store is limited to a partition.
  ///
  /// - Parameter action: The operation, for the error.
  /// - Throws: `.invalidArgument`.
  func checkIsWhole(to action: String) throws(VaultError) {
    guard let partition else { return }
    let names = partition.terms.map { "'\($0.property.name)'" }.joined(separator: ", ")
    throw VaultError(
      .invalidArgument,
      "The store is a partition of class '\(classDescription.name)' by \(names), but to \(action) "
        + "affects the objects of every partition. Use the store of the whole class.")
  }
}

extension ObjectStore where T: StoredObject {
  /// Returns this store limited to the objects with one value of a property, checked by the
  /// compiler.
  ///
  /// ```swift
  /// let mine = try notes.partition(\.user, is: "ann")
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - value: The value.
  /// - Returns: The limited store.
  /// - Throws: ``VaultError`` as ``partition(_:is:)-(String,Any?)``.
  public func partition<Value>(
    _ property: KeyPath<T.Properties, Property<Value>>, is value: Value
  ) throws -> ObjectStore {
    try partition(T.Properties(origin: .object)[keyPath: property].name, is: value)
  }

  /// Returns this store limited to the objects that refer to an object; `nil` selects those without
  /// one.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - target: The object that it refers to.
  /// - Returns: The limited store.
  /// - Throws: ``VaultError`` as ``partition(_:is:)-(String,Any?)``.
  public func partition<Target>(
    _ reference: KeyPath<T.Properties, RelatedObject<Target>>, is target: Ref<Target>?
  ) throws -> ObjectStore {
    let names = T.Properties(origin: .object)[keyPath: reference].origin.names
    return try partition(names.joined(separator: "."), is: target)
  }
}
