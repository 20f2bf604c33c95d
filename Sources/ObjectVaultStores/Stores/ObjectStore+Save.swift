import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
package import ObjectVaultSession

extension ObjectStore {
  /// Saves an object: updates the row with its object ID, or inserts one if it is missing.
  ///
  /// The row is never deleted, so references to it stay unchanged.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects. By default the stored ones are made equal to
  ///     those of the object, in the same transaction.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func save(_ object: T, owned: OwnedSaving = .save) throws -> T {
    var object = object
    try save(assigningIDTo: &object, owned: owned)
    return object
  }

  /// Saves an object and assigns its object ID in place.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func save(assigningIDTo object: inout T, owned: OwnedSaving = .save) throws {
    if object.storedObjectID == nil { return try insert(assigningIDTo: &object, owned: owned) }
    // Two statements need a transaction to exclude other processes in between.
    var objects = [object]
    try transaction { session in
      try save(&objects[0], on: session)
      try saveOwned(of: &objects, owned, on: session)
      try session.checkReferences()
    }
    object = objects[0]
  }

  /// Saves objects in one transaction, or none if one fails.
  ///
  /// New owned objects are not assigned their object IDs; see ``update(_:owned:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func save(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws -> [T.ObjectIDType] {
    try transaction { session in
      var ids: [T.ObjectIDType] = []
      var owners: [T] = []
      let collects = table.hasOwned
      try session.storingAhead(table.refersToItself) {
        for var object in objects {
          try save(&object, on: session)
          ids.append(try objectID(of: object))
          if collects { owners.append(object) }
        }
      }
      try saveOwned(of: &owners, owned, on: session)
      try session.checkReferences()
      return ids
    }
  }

  /// Updates or inserts one object.
  ///
  /// The caller checks its references.
  func save(_ object: inout T, on session: Session) throws {
    if object.storedObjectID != nil {
      let current = object
      let exists = try with(.update, on: session) {
        try access.change($0, on: session) { try bind(current, to: $0) }
      }
      if exists { return }
    }
    try put(&object, .insert, on: session)
  }

  /// Changes the object ID of a stored object; references to it follow.
  ///
  /// - Parameters:
  ///   - id: The current object ID.
  ///   - newID: The new object ID.
  /// - Throws: ``VaultError``: `.noSuchObject` if `id` is not stored, `.duplicate` if `newID` is
  ///   taken; `.invalidArgument` for a ``DynamicObjectID`` with a wrong number of parts, and
  ///   `.invalidValue` if `newID` has a part of another type; `.noKey` and `.wrongKey` if a sealed
  ///   value needs a missing key, also that of a removed property.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func changeID(of id: T.ObjectIDType, to newID: T.ObjectIDType) throws {
    if table.type == nil {
      try checkParts(of: id)
      try checkParts(of: newID)
    }
    try checkPartition(of: newID)
    let (parts, newParts) = (try comparedParts(of: id), try comparedParts(of: newID))
    guard !newParts.contains(.null) else {
      throw VaultError(
        .invalidValue,
        "The new object ID has a value of another type than class '\(classDescription.name)' "
          + "declares. Pass values of the types of its properties.")
    }
    let positions = table.objectIDPositions
    let count = positions.count
    let dialect = table.sql.dialect
    let assignments = positions.enumerated()
      .map { "\(table.sql.quotedColumns[$1]) = \(dialect.parameter($0 + 1))" }
    let condition = positions.enumerated()
      .map {
        table.sql.isEqual(
          table.description.rowColumns[$1], to: dialect.parameter($0 + count + 1))
      }
      .joined(separator: " AND ")
    let limits = partition?.clause(from: 2 * count + 1) ?? ""
    let sql =
      dialect.update(
        table.sql.table, assignments, isUndone: table.description.search != nil)
      + " WHERE \(condition)\(limits)"
    func change(_ session: Session) throws {
      try session.with(sql) { statement in
        let binder = statement.binder
        for (position, part) in (newParts + parts).enumerated() {
          part.bind(to: binder, at: position)
        }
        partition?.bind(to: binder, at: 2 * count)
        try statement.run()
        if session.connection.changes == 0 { throw access.noSuchObject }
      }
      // An engine of another process does not report the tables whose references it changed.
      if !dialect.isInProcess { session.connection.record.noteWritten([Observer.anyTable]) }
      // A number that an object had is never generated again, even after the object is removed. An
      // engine that takes numbers back looks for the last one in the table.
      let isRaised =
        table.generatedPosition >= 0
        || table.description.objectIDIsRowID && !session.connection.catalog.takesNumbersBack
      if isRaised, case .integer(let number) = newParts.first {
        if number == .max { table.noteLastNumber() }
        try table.sequence.raise(to: number, on: session)
      }
    }
    if table.sealing == nil, table.foreignKeys.isEmpty, table.generatedPosition < 0 {
      let isDone = try write { session in
        guard try removedSealing(on: session) == nil else { return false }
        try change(session)
        return true
      }
      if isDone { return }
    }
    // An object ID can also be a reference.
    try transaction { session in
      let removed = try removedSealing(on: session)
      let sealed = try removed?.values(of: id, sealedFor: newID, by: database.opened(), on: session)
      if let sealing = table.sealing {
        try reseal(id, as: newID, sealing, on: session, change)
      } else {
        try change(session)
      }
      if let sealed { try removed?.store(sealed, of: newID, on: session) }
      try session.checkReferences()
    }
  }

  /// Returns the sealed values of removed properties, if the class has some in the file.
  private func removedSealing(on session: Session) throws -> RemovedSealing? {
    guard try hasFurtherColumns(try session.referenceGraph(), on: session) else { return nil }
    return try RemovedSealing(of: table.description, on: session)
  }
}

extension ObjectStore {
  /// Changes the object ID of an object with sealed values, which are bound to it.
  ///
  /// - Parameters:
  ///   - id: The current object ID.
  ///   - newID: The new object ID.
  ///   - sealing: The sealing of the class.
  ///   - session: The writer connection.
  ///   - change: Changes the object ID in the row.
  /// - Throws: `.noSuchObject`, the errors of the sealer and of `change`.
  func reseal(
    _ id: T.ObjectIDType, as newID: T.ObjectIDType, _ sealing: TableSealing, on session: Session,
    _ change: (Session) throws -> Void
  ) throws {
    let values = try with(.find, on: session) { statement in
      try bind(id, to: statement)
      guard try statement.step() else { throw access.noSuchObject }
      return (0..<sealing.rows.width).map(statement.row.storedValue(at:))
    }
    var moved = try sealing.opened(values).map { BoundValue($0) }
    for (position, part) in zip(table.objectIDPositions, try newID.objectIDParts) {
      moved[position] = BoundValue(part)
    }
    try change(session)
    // Other values remain as they are, such as texts of another program that are not UTF-8.
    let names = sealing.rows.columns.map { table.description.properties[$0.position].name }
    let partial = try table.partialUpdate(of: names)
    try session.with(partial.plain) { statement in
      try sealing.bind(
        moved, only: partial.positions, to: statement.binder.only(partial.parameters))
      try statement.run()
    }
  }
}

extension ObjectStore {
  /// Returns a store that does not load owned objects.
  ///
  /// The owned objects of fetched objects are `nil`, which is faster if you don't need them. Saving
  /// such an object leaves its stored owned objects unchanged.
  public func withoutOwned() -> ObjectStore {
    var store = self
    store.access = access.withoutOwned()
    return store
  }

  /// The properties with owned objects, or `nil` if the class has none.
  var owned: OwnedObjects<T>? { table.owned as? OwnedObjects<T> }

  // MARK: Loading

  /// Whether owned objects must be loaded for fetched objects.
  var mustLoadOwned: Bool { access.mustLoadOwned }

  /// Loads the owned objects of objects.
  package func loadOwned(_ objects: inout [T], on session: Session) throws {
    guard access.loadsOwned, let owned else { return }
    for (property, description) in owned.properties {
      try property.relation.load(&objects, description, database, session)
    }
  }

  /// Calls `body` for reading, in a read scope if owned objects need several queries on one
  /// snapshot.
  package func readWithOwned<R>(_ body: (Session) throws -> R) throws -> R {
    guard mustLoadOwned else { return try read(body) }
    return try database.opened().readScope { try read(body) }
  }

  /// Calls `body` for reading, in a read scope, so that SQL statements inside it read on the same
  /// connection and snapshot.
  ///
  /// A scope that needs round trips is opened only if owned objects need it.
  package func readWithStatements<R>(_ body: (Session) throws -> R) throws -> R {
    guard sql.dialect.isInProcess else { return try readWithOwned(body) }
    return try database.opened().readScope { try read(body) }
  }

  // MARK: Saving

  /// Returns whether saving the object also saves owned objects.
  @usableFromInline
  func savesOwned(of object: T, _ saving: OwnedSaving) -> Bool {
    guard saving == .save, let owned else { return false }
    return owned.areGiven(object)
  }

  /// Saves the owned objects of objects, inside a transaction.
  ///
  /// - Parameters:
  ///   - objects: The owners, which are stored.
  ///   - save: The save.
  ///   - areNew: Whether no stored object can have one of the owners.
  ///   - names: The associations to save; `nil` for all of them.
  /// - Throws: The errors of storing the owned objects.
  func saveOwned(
    _ objects: inout [T], _ save: OwnedSave, areNew: Bool, only names: [String]? = nil
  ) throws {
    guard let owned, objects.contains(where: owned.areGiven) else { return }
    for change in try owned.prepare(objects, save, areNew: areNew, only: names) {
      try change(&objects)
    }
  }

  /// Releases owned objects of removed owners that another property of a save has.
  ///
  /// - Parameters:
  ///   - owners: The object IDs of the owners.
  ///   - save: The save.
  /// - Throws: The errors of ``OwnedRelation/releaseClaimed(from:_:_:)``.
  func releaseClaimed(from owners: [T.ObjectIDType], _ save: OwnedSave) throws {
    guard !owners.isEmpty, let owned else { return }
    for (property, description) in owned.properties {
      try property.relation.releaseClaimed(from: owners, description, save)
    }
  }

  /// Saves the owned objects of objects and completes the save.
  func saveOwned(
    of objects: inout [T], _ saving: OwnedSaving, on session: Session, areNew: Bool = false,
    only names: [String]? = nil
  ) throws {
    guard saving == .save, table.hasOwned else { return }
    try session.storingAhead(table.ownedReferAhead) {
      let save = OwnedSave(database, session, soleOwnedTables: table.soleOwnedTables)
      try saveOwned(&objects, save, areNew: areNew, only: names)
      try save.finish()
    }
  }

  /// Updates the row of an object if it differs.
  ///
  /// - Returns: Whether a row was changed.
  /// - Throws: The errors of the update.
  package func updateDiffering(_ object: T, on session: Session) throws -> Bool {
    if let sealing = table.sealing, try !differs(object, sealing, on: session) { return false }
    return try table.with(.differingUpdate, on: session) {
      try access.change($0, on: session) { try bind(object, to: $0) }
    }
  }

  /// Returns whether an object is stored with other values.
  ///
  /// The opened values are compared, because equal values have other bytes each time they are
  /// sealed.
  private func differs(
    _ object: T, _ sealing: TableSealing, on session: Session
  ) throws -> Bool {
    let record = sealing.record
    try bind(object, to: record.binder)
    let values = record.values
    let stored = try table.with(.find, on: session) { statement -> [StoredValue]? in
      let binder = statement.binder
      for position in table.objectIDPositions { values[position].bind(to: binder, at: position) }
      guard try statement.step() else { return nil }
      return (0..<sealing.rows.width).map(statement.row.storedValue(at:))
    }
    guard let stored else { return false }
    // A damaged value is replaced.
    guard let opened = try? sealing.opened(stored) else { return true }
    return values.indices.contains { position in
      let value = sealing.rows.restored(BoundValue(opened[position]), at: position)
      return value != sealing.rows.restored(values[position], at: position)
        // The bytes of a value under a destroyed key are removed.
        || values[position].isNull && !stored[position].isNull
    }
  }
}

extension ObjectStore {
  /// Updates all properties of a stored object.
  ///
  /// New owned objects are stored, but those in your variable are not assigned their object IDs: a
  /// second update would insert them again and remove the first ones. Continue with the object that
  /// ``save(_:owned:)->T`` returns, or fetch the object again.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Throws: ``VaultError``: `.noObjectID` if the object has no object ID, `.noSuchObject` if it
  ///   is not stored, `.duplicate` if the value of a unique property is taken, `.danglingReference`
  ///   if it refers to an object that is not stored.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func update(_ object: T, owned: OwnedSaving = .save) throws {
    if access.hasOwned, savesOwned(of: object, owned) {
      return try update(contentsOf: CollectionOfOne(object), owned: owned)
    }
    try access.update { try bind(object, to: $0) }
  }

  /// Updates the named properties of a stored object and leaves the others unchanged.
  ///
  /// - Parameters:
  ///   - object: An object with the new values.
  ///   - properties: The names of the properties, as in Swift. Without names, nothing is written.
  /// - Throws: ``VaultError`` as ``update(_:owned:)``; `.noSuchProperty` for a name that the class
  ///   does not have, and `.invalidArgument` for a part of the object ID.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func update(_ object: T, only properties: String...) throws {
    try update(object, only: properties)
  }

  /// Updates the named properties of a stored object and leaves the others unchanged.
  ///
  /// A ``DynamicObject`` needs no values for the others.
  ///
  /// - Parameters:
  ///   - object: An object with the new values.
  ///   - properties: The names of the properties, as in Swift. Without names, nothing is written.
  /// - Throws: ``VaultError`` as ``update(_:only:)-(T,String...)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func update(_ object: T, only properties: [String]) throws {
    guard let partial = try access.partialUpdate(of: properties) else { return }
    try access.update(partial) { try bind(object, partial, to: $0) }
  }

  /// Updates all properties of stored objects in one transaction, or none if one fails.
  ///
  /// New owned objects are not assigned their object IDs; see ``update(_:owned:)``.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Throws: ``VaultError`` as ``update(_:owned:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func update(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws {
    if access.hasOwned { return try updateWithOwned(objects, owned) }
    try update(objects, nil)
  }

  /// Updates the named properties of stored objects in one transaction, or none if one fails.
  ///
  /// The other properties are left unchanged.
  ///
  /// - Parameters:
  ///   - objects: Objects with the new values.
  ///   - properties: The names of the properties, as in Swift.
  /// - Throws: ``VaultError`` as ``update(_:only:)-(T,String...)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func update(contentsOf objects: some Sequence<T>, only properties: String...) throws {
    try update(contentsOf: objects, only: properties)
  }

  /// Updates the named properties of stored objects in one transaction, or none if one fails.
  ///
  /// The other properties are left unchanged.
  ///
  /// - Parameters:
  ///   - objects: Objects with the new values.
  ///   - properties: The names of the properties, as in Swift.
  /// - Throws: ``VaultError`` as ``update(_:only:)-(T,String...)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func update(contentsOf objects: some Sequence<T>, only properties: [String]) throws {
    guard let partial = try access.partialUpdate(of: properties) else { return }
    try update(objects, partial)
  }

  @inlinable
  func update(_ objects: some Sequence<T>, _ partial: PartialUpdate?) throws {
    try access.updating(partial) { update in
      let areDone: Void? = try objects.withContiguousStorageIfAvailable { objects in
        for position in objects.indices {
          try update { binder in
            try lend(objects, at: position) { try bind($0, partial, to: binder) }
          }
        }
      }
      if areDone != nil { return }
      for object in objects { try update { try bind(object, partial, to: $0) } }
    }
  }

  @usableFromInline
  func updateWithOwned(_ objects: some Sequence<T>, _ owned: OwnedSaving) throws {
    try transaction { session in
      var owners: [T] = []
      for object in objects {
        try with(.update, on: session) {
          try access.update($0, on: session) { try bind(object, to: $0) }
        }
        owners.append(object)
      }
      try saveOwned(of: &owners, owned, on: session)
      try session.checkReferences()
    }
  }

  /// Binds the values and the object ID of an object to an update.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - partial: The properties to write; `nil` for all of them.
  ///   - binder: The binder of the statement.
  /// - Throws: `.noObjectID`, `.otherPartition`, and errors of encoding.
  @inlinable
  func bind(_ object: T, _ partial: PartialUpdate? = nil, to binder: Binder) throws {
    let id = try objectID(of: object)
    if access.isLimited { try checkIsOfPartition(object, partial) }
    try encode(object, partial, into: binder)
    if access.generatedPosition >= 0 {
      try id.bindObjectID(to: binder, at: access.generatedPosition)
    }
  }
}

// Updates that write only changed properties, and nothing if nothing changed.

extension ObjectStore {
  /// Writes the changed properties of a stored object and saves its owned objects if they changed.
  ///
  /// If nothing changed, the file is not written. Concurrent changes of other properties and of the
  /// objects in unchanged associations are preserved.
  ///
  /// - Parameters:
  ///   - object: The object with its new values.
  ///   - snapshot: The earlier state of the object.
  /// - Returns: The names of the changed properties, then those of changed owned associations, each
  ///   in declaration order.
  /// - Throws: ``VaultError``: `.noObjectID` if the object has no objectID, `.invalidArgument` if
  ///   the snapshot has another objectID; the errors of ``update(_:owned:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func updateChanges(of object: T, since snapshot: ObjectSnapshot<T>) throws -> [String] {
    var object = object
    return try updateChanges(of: &object, since: snapshot)
  }

  /// Writes the changed properties and sets the generated objectIDs of new owned objects.
  ///
  /// See ``updateChanges(of:since:)-(T,ObjectSnapshot<T>)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func updateChanges(
    of object: inout T, since snapshot: ObjectSnapshot<T>
  ) throws -> [String] {
    let id = try objectID(of: object)
    // Checked even if nothing is written.
    try checkPartition(of: object)
    let form = try form(of: object)
    guard form.id == snapshot.form.id else {
      throw VaultError(
        .invalidArgument,
        "The object of class '\(classDescription.name)' and the object to compare it with have "
          + "different object IDs. Compare it with its fetched or stored state; use "
          + "`changeID(of:to:)` to change an object ID.")
    }
    let changes = snapshot.form.changes(to: form, classDescription)
    // Values are sealed again if the name of their key changes.
    let resealed = changes.properties.flatMap(classDescription.propertiesSealed(by:))
    let written = changes.properties + resealed
    if changes.owned.isEmpty {
      try update(object, only: written)
    } else {
      var objects = [object]
      try transaction { session in
        if written.isEmpty {
          guard try contains(id: id) else { throw access.noSuchObject }
        } else {
          try update(object, only: written)
        }
        try saveOwned(of: &objects, .save, on: session, only: changes.owned)
      }
      object = objects[0]
    }
    return changes.properties + changes.owned
  }

  /// Writes the properties in which a stored object differs from an earlier instance.
  ///
  /// See `updateChanges(of:since:)`.
  ///
  /// - Parameters:
  ///   - object: The object with its new values.
  ///   - old: The same object as it was fetched or stored; for a class, another instance.
  /// - Returns: The names of the changed properties, then those of changed owned associations.
  /// - Throws: The errors of `updateChanges(of:since:)`.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func updateChanges(of object: T, from old: T) throws -> [String] {
    try updateChanges(of: object, since: ObjectSnapshot(form: form(of: old)))
  }

  private func form(of object: T) throws -> StoredForm {
    try StoredForm(object, classDescription, (owned?.properties ?? []).map(\.property))
  }
}
