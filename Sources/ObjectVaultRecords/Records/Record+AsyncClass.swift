public import ObjectVaultCore

// The asynchronous form of every operation on the class. Conditions and queries have no
// asynchronous form: they are created without waiting, and if the vault is started, that opens
// nothing.

extension Record where Self: Sendable {
  /// Inserts new objects in one transaction without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The new objects.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default they are stored too.
  /// - Returns: The object IDs in the order of the objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  @discardableResult
  public static func insert(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) async throws -> [ObjectIDType] {
    try await store(in: source).insert(contentsOf: objects, owned: owned)
  }

  /// Updates or inserts objects in one transaction without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The objects to update or insert.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the objects.
  /// - Returns: The object IDs in the order of the objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  @discardableResult
  public static func save(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) async throws -> [ObjectIDType] {
    try await store(in: source).save(contentsOf: objects, owned: owned)
  }

  /// Updates every property of stored objects in one transaction without blocking the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - objects: The objects with their new values.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func update(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) async throws {
    try await store(in: source).update(contentsOf: objects, owned: owned)
  }

  /// Removes stored objects in one transaction without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The objects to remove.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func remove(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil
  ) async throws {
    try await store(in: source).remove(contentsOf: objects)
  }

  /// Removes the object with an object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The object ID.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func remove(
    id: ObjectIDType, in source: (any VaultSource)? = nil
  ) async throws {
    try await store(in: source).remove(id: id)
  }

  /// Removes the objects with the given object IDs without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - ids: The object IDs, any number.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func remove(
    ids: some Sequence<ObjectIDType> & Sendable, in source: (any VaultSource)? = nil
  ) async throws {
    try await store(in: source).remove(ids: ids)
  }

  /// Removes every object of the class without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The number of removed objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  @discardableResult
  public static func removeAll(in source: (any VaultSource)? = nil) async throws -> Int {
    try await store(in: source).removeAll()
  }

  /// Returns the object with an object ID, or `nil`, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The object ID.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The object with an object ID, or `nil`.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func find(
    _ id: ObjectIDType, in source: (any VaultSource)? = nil
  ) async throws -> Self? {
    try await store(in: source).find(id)
  }

  /// Returns the objects with the given object IDs without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - ids: The object IDs, any number.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The objects in the order of the object IDs. Missing objects are omitted.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func find(
    _ ids: some Sequence<ObjectIDType> & Sendable, in source: (any VaultSource)? = nil
  ) async throws -> [Self] {
    try await store(in: source).find(ids)
  }

  /// Returns every object without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The objects in the order of insertion.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func all(in source: (any VaultSource)? = nil) async throws -> [Self] {
    try await store(in: source).all()
  }

  /// Returns the object that was inserted first, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The object, or `nil` if the class has no objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func first(in source: (any VaultSource)? = nil) async throws -> Self? {
    try await store(in: source).first()
  }

  /// Returns the number of objects without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The number of objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func count(in source: (any VaultSource)? = nil) async throws -> Int {
    try await store(in: source).count()
  }

  /// Returns whether an object with the object ID is stored, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The object ID.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: `true` if an object with the object ID is stored; otherwise, `false`.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public static func exists(
    id: ObjectIDType, in source: (any VaultSource)? = nil
  ) async throws -> Bool {
    try await store(in: source).contains(id: id)
  }
}
