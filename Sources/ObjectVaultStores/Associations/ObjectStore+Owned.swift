import ObjectVaultModel
package import ObjectVaultSession

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
  var owned: OwnedObjects<T>? { state.owned as? OwnedObjects<T> }

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

  // MARK: Saving

  /// Returns whether saving the object also saves owned objects.
  @usableFromInline
  func savesOwned(of object: T, _ saving: OwnedSaving) -> Bool {
    guard saving == .save, let owned else { return false }
    return owned.areGiven(object)
  }

  /// Saves the owned objects of objects, inside a transaction.
  func saveOwned(_ objects: inout [T], _ save: OwnedSave) throws {
    guard let owned, objects.contains(where: owned.areGiven) else { return }
    for (property, description) in owned.properties {
      try property.relation.save(&objects, description, save)
    }
  }

  /// Saves the owned objects of objects and completes the save.
  func saveOwned(
    of objects: inout [T], _ saving: OwnedSaving, on session: Session
  ) throws {
    guard saving == .save, state.hasOwned else { return }
    let save = OwnedSave(database, session)
    try saveOwned(&objects, save)
    try save.finish()
  }

  /// Updates the row of an object if it differs.
  ///
  /// - Returns: Whether a row was changed.
  /// - Throws: The errors of the update.
  func updateDiffering(_ object: T, on session: Session) throws -> Bool {
    try state.with(.differingUpdate, on: session) {
      try access.change($0, on: session) { try bind(object, to: $0) }
    }
  }
}

extension Query {
  /// Returns a query that does not load owned objects; see ``ObjectStore/withoutOwned()``.
  public func withoutOwned() -> Query {
    var query = self
    query.store = store.withoutOwned()
    return query
  }
}
