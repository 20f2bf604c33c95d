import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

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
  @discardableResult
  public func updateChanges(of object: T, since snapshot: ObjectSnapshot<T>) throws -> [String] {
    var object = object
    return try updateChanges(of: &object, since: snapshot)
  }

  /// Writes the changed properties and sets the generated objectIDs of new owned objects.
  ///
  /// See ``updateChanges(of:since:)-(T,ObjectSnapshot<T>)``.
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
  @discardableResult
  public func updateChanges(of object: T, from old: T) throws -> [String] {
    try updateChanges(of: object, since: ObjectSnapshot(form: form(of: old)))
  }

  private func form(of object: T) throws -> StoredForm {
    try StoredForm(object, classDescription, (owned?.properties ?? []).map(\.property))
  }
}

extension ObjectStore where T: Sendable {
  /// Writes the changed properties of a stored object without blocking the caller's thread.
  @discardableResult
  public func updateChanges(
    of object: T, since snapshot: ObjectSnapshot<T>
  ) async throws -> [String] {
    try await writing { try updateChanges(of: object, since: snapshot) }
  }

  /// Writes the properties that differ from an earlier instance without blocking the caller's
  /// thread.
  @discardableResult
  public func updateChanges(of object: T, from old: T) async throws -> [String] {
    try await writing { try updateChanges(of: object, from: old) }
  }

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
