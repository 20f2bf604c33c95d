import ObjectVaultCondition

// An update that writes what was changed, and nothing where nothing was.

extension ObjectStore {
  /// Writes the properties of a stored object that are not as they were, and saves the objects that
  /// belong to it where one of them is not. Where nothing was changed the file is not touched.
  ///
  /// What others changed in other properties meanwhile stays.
  ///
  /// - Parameters:
  ///   - object: The object with its new values.
  ///   - snapshot: What it was.
  /// - Returns: The names of what was changed, in declaration order, then those of owned
  ///   objects.
  /// - Throws: ``VaultError``: `.noObjectID` where the object has none, `.invalidArgument` where the
  ///   snapshot is of an object with another one; otherwise as ``update(_:owned:)``.
  @discardableResult
  public func updateChanges(of object: T, since snapshot: ObjectSnapshot<T>) throws -> [String] {
    var object = object
    return try updateChanges(of: &object, since: snapshot)
  }

  /// Writes the properties of a stored object that are not as they were, and gives the objects that
  /// belong to it the objectIDs that the vault generates; see
  /// ``updateChanges(of:since:)-(T,ObjectSnapshot<T>)``.
  @discardableResult
  public func updateChanges(
    of object: inout T, since snapshot: ObjectSnapshot<T>
  ) throws -> [String] {
    let id = try objectID(of: object)
    // Also where nothing is written.
    try checkPartition(of: object)
    let form = try form(of: object)
    guard form.id == snapshot.form.id else {
      throw VaultError(
        .invalidArgument,
        "The object of class '\(classDescription.name)' is compared with one that has another "
          + "objectID, or had none. Compare it with what it was when it was fetched or stored; use "
          + "`changeID(of:to:)` to change an objectID.")
    }
    let changes = snapshot.form.changes(to: form, classDescription)
    if changes.owned.isEmpty {
      try update(object, only: changes.properties)
    } else {
      var objects = [object]
      try transaction { connection in
        if changes.properties.isEmpty {
          guard try contains(id: id) else { throw access.noSuchObject }
        } else {
          try update(object, only: changes.properties)
        }
        try saveOwned(of: &objects, .save, on: connection)
      }
      object = objects[0]
    }
    return changes.properties + changes.owned
  }

  /// Writes the properties in which a stored object differs from what it was; see
  /// ``updateChanges(of:since:)-(T,_)``.
  ///
  /// - Parameters:
  ///   - object: The object with its new values.
  ///   - old: The same object as it was fetched or stored; another instance, for a class.
  @discardableResult
  public func updateChanges(of object: T, from old: T) throws -> [String] {
    try updateChanges(of: object, since: ObjectSnapshot(form: form(of: old)))
  }

  private func form(of object: T) throws -> StoredForm {
    try StoredForm(object, classDescription, (owned?.properties ?? []).map(\.property))
  }
}

extension ObjectStore where T: Sendable {
  /// Writes the properties of a stored object that are not as they were, without blocking the caller's
  /// thread.
  @discardableResult
  public func updateChanges(
    of object: T, since snapshot: ObjectSnapshot<T>
  ) async throws -> [String] {
    try await writing { try updateChanges(of: object, since: snapshot) }
  }

  /// Writes the properties in which a stored object differs from what it was, without blocking the
  /// caller's thread.
  @discardableResult
  public func updateChanges(of object: T, from old: T) async throws -> [String] {
    try await writing { try updateChanges(of: object, from: old) }
  }

  /// As ``updateChanges(of:since:)-(T,_)``, with the object that results.
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
