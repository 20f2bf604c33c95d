import ObjectVaultEngine

extension ObjectStore {
  /// The same store without the objects that belong to others: fetched objects have `nil` for them,
  /// which is faster where they are not needed. Saving such an object leaves them alone.
  public func withoutOwned() -> ObjectStore {
    var store = self
    store.access = access.withoutOwned()
    return store
  }

  /// The owned objects of the class's, where it has some.
  var owned: OwnedObjects<T>? { state.owned as? OwnedObjects<T> }

  // MARK: Loading

  /// Whether objects that are fetched must be given others.
  var mustLoadOwned: Bool { access.mustLoadOwned }

  /// Gives objects those that belong to them.
  func loadOwned(_ objects: inout [T], on connection: VaultConnection) throws {
    guard access.loadsOwned, let owned else { return }
    for (property, description) in owned.properties {
      try property.load(&objects, description, vault, connection)
    }
  }

  /// Reads, where that takes several queries as one state of the file.
  func readWithOwned<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    guard mustLoadOwned else { return try read(body) }
    return try vault.file().readScope { try read(body) }
  }

  // MARK: Saving

  /// Whether saving the object saves others too.
  @usableFromInline
  func savesOwned(of object: T, _ saving: OwnedSaving) -> Bool {
    guard saving == .save, let owned else { return false }
    return owned.areGiven(object)
  }

  /// Saves the objects that belong to others, inside a transaction.
  func saveOwned(_ objects: inout [T], _ save: OwnedSave) throws {
    guard let owned, objects.contains(where: owned.areGiven) else { return }
    for (property, description) in owned.properties {
      try property.save(&objects, description, save)
    }
  }

  /// Saves the objects that belong to others, with all that has to be done last.
  func saveOwned(
    of objects: inout [T], _ saving: OwnedSaving, on connection: VaultConnection
  ) throws {
    guard saving == .save, state.hasOwned else { return }
    let save = OwnedSave(vault, connection)
    try saveOwned(&objects, save)
    try save.finish()
  }

  /// Writes the object where its row differs.
  ///
  /// - Returns: Whether a row was changed.
  func updateDiffering(_ object: T, on connection: VaultConnection) throws -> Bool {
    try state.with(.differingUpdate, on: connection) {
      try access.change($0, on: connection) { try bind(object, to: $0) }
    }
  }
}

extension Query {
  /// The same query without the objects that belong to others; see ``ObjectStore/withoutOwned()``.
  public func withoutOwned() -> Query {
    var query = self
    query.store = store.withoutOwned()
    return query
  }
}
