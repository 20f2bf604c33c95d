import ObjectVaultCondition
public import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema

extension ObjectStore {
  /// Updates all properties of a stored object.
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

extension ClassDescription {
  /// Returns the positions of the named properties, which an update must be able to change.
  func changeablePositions(of names: [String]) throws(VaultError) -> [Int] {
    var positions: [Int] = []
    for name in names {
      guard let position = properties.firstIndex(where: { $0.name == name }) else {
        throw noSuchProperty(name)
      }
      if objectIDPositions.contains(position) {
        throw VaultError(
          .invalidArgument,
          "Property '\(name)' is part of the object ID of class '\(self.name)', which an update "
            + "cannot change. Use `changeID(of:to:)`.")
      }
      if !positions.contains(position) { positions.append(position) }
    }
    return positions
  }
}

// Updates that write only changed properties, and nothing if nothing changed.

extension ObjectStore {
  /// Writes the changed properties of a stored object and saves its owned objects if they changed.
  ///
  /// If nothing changed, the file is not written. Concurrent changes of other properties are
  /// preserved.
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
    if changes.owned.isEmpty {
      try update(object, only: changes.properties)
    } else {
      var objects = [object]
      try transaction { session in
        if changes.properties.isEmpty {
          guard try contains(id: id) else { throw access.noSuchObject }
        } else {
          try update(object, only: changes.properties)
        }
        try saveOwned(of: &objects, .save, on: session)
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

extension ObjectStore where T: Sendable {
  /// Performs `updateChanges(of:since:)` and also returns the updated object.
  package func updatingChanges(
    of object: T, since snapshot: ObjectSnapshot<T>
  ) async throws -> (object: T, names: [String]) {
    try await writing {
      var object = object
      let names = try updateChanges(of: &object, since: snapshot)
      return (object, names)
    }
  }
}
