public import ObjectVaultCore

// The asynchronous form of every operation that is asked of the class. Conditions and queries are made
// without waiting: where the vault is started, that opens nothing.

extension Record where Self: Sendable {
  /// Stores new objects in one transaction without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The new objects.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to them; they are stored too by default.
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
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
  ///   - objects: The objects.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to them: by default the stored ones are made
  ///     equal to those that they have.
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  @discardableResult
  public static func save(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) async throws -> [ObjectIDType] {
    try await store(in: source).save(contentsOf: objects, owned: owned)
  }

  /// Writes every property of stored objects in one transaction without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The objects with their new values.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to them: by default the stored ones are made
  ///     equal to those that they have.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func update(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) async throws {
    try await store(in: source).update(contentsOf: objects, owned: owned)
  }

  /// Removes stored objects in one transaction without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func remove(
    contentsOf objects: some Sequence<Self> & Sendable, in source: (any VaultSource)? = nil
  ) async throws {
    try await store(in: source).remove(contentsOf: objects)
  }

  /// Removes the object stored under an objectID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The objectID.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func remove(
    id: ObjectIDType, in source: (any VaultSource)? = nil
  ) async throws {
    try await store(in: source).remove(id: id)
  }

  /// Removes the objects stored under objectIDs without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - ids: The objectIDs, any number.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func remove(
    ids: some Sequence<ObjectIDType> & Sendable, in source: (any VaultSource)? = nil
  ) async throws {
    try await store(in: source).remove(ids: ids)
  }

  /// Removes every object of the class without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: How many there were.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  @discardableResult
  public static func removeAll(in source: (any VaultSource)? = nil) async throws -> Int {
    try await store(in: source).removeAll()
  }

  /// The object stored under an objectID, or `nil`, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The objectID.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func find(
    _ id: ObjectIDType, in source: (any VaultSource)? = nil
  ) async throws -> Self? {
    try await store(in: source).find(id)
  }

  /// The objects stored under objectIDs without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - ids: The objectIDs, any number.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The objects in the order of the objectIDs, without those that are not there.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func find(
    _ ids: some Sequence<ObjectIDType> & Sendable, in source: (any VaultSource)? = nil
  ) async throws -> [Self] {
    try await store(in: source).find(ids)
  }

  /// Every object without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The objects, in the order of insertion.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func all(in source: (any VaultSource)? = nil) async throws -> [Self] {
    try await store(in: source).all()
  }

  /// The object inserted first without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The object, or `nil` where there is none.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func first(in source: (any VaultSource)? = nil) async throws -> Self? {
    try await store(in: source).first()
  }

  /// How many objects there are without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func count(in source: (any VaultSource)? = nil) async throws -> Int {
    try await store(in: source).count()
  }

  /// Whether an object is stored under an objectID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - id: The objectID.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public static func exists(
    id: ObjectIDType, in source: (any VaultSource)? = nil
  ) async throws -> Bool {
    try await store(in: source).contains(id: id)
  }
}
