// The asynchronous form of every operation: the synchronous one on an executor of the vault. Each
// also throws `.cancelled` if its task is cancelled.

import ObjectVaultSession

extension ObjectStore where T: Sendable {
  package func reading<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await database.onExecutor(.read, body)
  }

  func writing<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await database.onExecutor(.write, sharing: true, body)
  }

  /// Inserts a new object without blocking the caller's thread; see ``insert(_:owned:)->T``.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func insert(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try insert(object, owned: owned) }
  }

  /// Inserts new objects without blocking the caller's thread, in one transaction.
  ///
  /// No object is inserted if one fails or the task is cancelled.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func insert(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws -> [T.ObjectIDType] {
    try await writing { try insert(contentsOf: objects, owned: owned) }
  }

  /// Inserts an object or replaces conflicting ones, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func replace(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try replace(object, owned: owned) }
  }

  /// Updates or inserts an object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Returns: The object with its object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func save(_ object: T, owned: OwnedSaving = .save) async throws -> T {
    try await writing { try save(object, owned: owned) }
  }

  /// Updates or inserts objects in one transaction, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func save(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws -> [T.ObjectIDType] {
    try await writing { try save(contentsOf: objects, owned: owned) }
  }

  /// Updates all properties of a stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - owned: The handling of its owned objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(_ object: T, owned: OwnedSaving = .save) async throws {
    try await writing { try update(object, owned: owned) }
  }

  /// Updates the named properties of a stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - object: An object with the new values.
  ///   - properties: The names of the properties.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(_ object: T, only properties: String...) async throws {
    try await writing { try update(object, only: properties) }
  }

  /// Updates the named properties of a stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - object: An object with the new values.
  ///   - properties: The names of the properties.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(_ object: T, only properties: [String]) async throws {
    try await writing { try update(object, only: properties) }
  }

  /// Updates all properties of stored objects in one transaction, without blocking the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(
    contentsOf objects: some Sequence<T> & Sendable, owned: OwnedSaving = .save
  ) async throws {
    try await writing { try update(contentsOf: objects, owned: owned) }
  }

  /// Updates the named properties of stored objects in one transaction, without blocking the
  /// caller's thread.
  ///
  /// - Parameters:
  ///   - objects: Objects with the new values.
  ///   - properties: The names of the properties.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(
    contentsOf objects: some Sequence<T> & Sendable, only properties: String...
  ) async throws {
    try await writing { try update(contentsOf: objects, only: properties) }
  }

  /// Updates the named properties of stored objects in one transaction, without blocking the
  /// caller's thread.
  ///
  /// - Parameters:
  ///   - objects: Objects with the new values.
  ///   - properties: The names of the properties.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func update(
    contentsOf objects: some Sequence<T> & Sendable, only properties: [String]
  ) async throws {
    try await writing { try update(contentsOf: objects, only: properties) }
  }

  /// Changes the object ID of a stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The current object ID.
  ///   - newID: The new object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func changeID(of id: T.ObjectIDType, to newID: T.ObjectIDType) async throws {
    try await writing { try changeID(of: id, to: newID) }
  }

  /// Removes a stored object without blocking the caller's thread.
  ///
  /// - Parameter object: The object.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func remove(_ object: T) async throws {
    try await writing { try remove(object) }
  }

  /// Removes the object stored under an object ID without blocking the caller's thread.
  ///
  /// - Parameter id: The object ID.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func remove(id: T.ObjectIDType) async throws {
    try await writing { try remove(id: id) }
  }

  /// Removes stored objects in one transaction, without blocking the caller's thread.
  ///
  /// - Parameter objects: The objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func remove(contentsOf objects: some Sequence<T> & Sendable) async throws {
    try await writing { try remove(contentsOf: objects) }
  }

  /// Removes the objects stored under object IDs in one transaction, without blocking the caller's
  /// thread.
  ///
  /// - Parameter ids: The object IDs.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func remove(ids: some Sequence<T.ObjectIDType> & Sendable) async throws {
    try await writing { try remove(ids: ids) }
  }

  /// Removes every object without blocking the caller's thread.
  ///
  /// - Returns: The number of objects before.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func removeAll() async throws -> Int {
    try await writing { try removeAll() }
  }

  /// Returns the object stored under an object ID without blocking the caller's thread.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The object, or `nil`.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func find(_ id: T.ObjectIDType) async throws -> T? {
    try await reading { try find(id) }
  }

  /// Returns the objects stored under object IDs without blocking the caller's thread.
  ///
  /// - Parameter ids: The object IDs.
  /// - Returns: The objects in that order, without missing ones.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func find(_ ids: some Sequence<T.ObjectIDType> & Sendable) async throws -> [T] {
    try await reading { try find(ids) }
  }

  /// Returns whether an object is stored under an object ID, without blocking the caller's thread.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: `true` if the object is stored.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func contains(id: T.ObjectIDType) async throws -> Bool {
    try await reading { try contains(id: id) }
  }

  /// Returns all objects without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func all() async throws -> [T] { try await query.all() }

  /// Returns the object that was inserted first, without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func first() async throws -> T? { try await query.first() }

  /// Returns the number of objects without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func count() async throws -> Int { try await query.count() }
}

extension Query where T: Sendable {
  /// Returns the objects without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func all() async throws -> [T] {
    try await store.reading { try all() }
  }

  /// Returns the first object without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func first() async throws -> T? {
    try await store.reading { try first() }
  }

  /// Returns the number of objects without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func count() async throws -> Int {
    try await store.reading { try count() }
  }

  /// Returns whether any object matches, without blocking the caller's thread.
  ///
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  public func exists() async throws -> Bool {
    try await store.reading { try exists() }
  }

  /// Calls `body` with each object on an executor of the vault, with one object in memory at a
  /// time.
  ///
  /// - Parameter body: The closure to call.
  /// - Throws: The error of `body`; ``VaultError`` as the synchronous form, and `.cancelled`.
  public func forEach(_ body: @escaping @Sendable (T) throws -> Void) async throws {
    try await store.reading { try forEach(body) }
  }

  /// Removes the objects without blocking the caller's thread.
  ///
  /// - Returns: The number of removed objects.
  /// - Throws: ``VaultError`` as the synchronous form, and `.cancelled`.
  @discardableResult
  public func remove() async throws -> Int {
    try await store.writing { try remove() }
  }
}
