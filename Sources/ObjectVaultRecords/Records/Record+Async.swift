public import ObjectVaultCore

// The asynchronous form of every operation: the synchronous one, on a thread of the vault's own. Which
// vault is meant is settled before the caller waits.

extension Record where Self: Sendable {
  /// Stores a new object, and gives it its objectID, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it; they are stored too by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public mutating func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates or inserts the object, and gives it its objectID, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.store(in: source).save(self, owned: owned)
  }

  /// Writes every property of the stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func update(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    try await Self.store(in: source).update(self, owned: owned)
  }

  /// Writes the named properties of the stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - properties: The names of the properties, as in Swift.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func update(
    only properties: String..., in source: (any VaultSource)? = nil
  ) async throws {
    try await Self.store(in: source).update(self, only: properties)
  }

  /// Writes some properties of the stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - properties: Key paths of the properties, which a class that conforms by hand names in
  ///     `propertyNames`.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func update(
    only properties: PartialKeyPath<Self>..., in source: (any VaultSource)? = nil
  ) async throws {
    let names = try Self.names(of: properties)
    try await Self.store(in: source).update(self, only: names)
  }

  /// Removes the stored object without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func remove(in source: (any VaultSource)? = nil) async throws {
    try await Self.store(in: source).remove(self)
  }

  /// Whether the object is stored, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func isStored(in source: (any VaultSource)? = nil) async throws -> Bool {
    let store = try await Self.store(in: source)
    guard let id = storedObjectID else { return false }
    return try await store.contains(id: id)
  }

  /// The object as it is stored now, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func reloaded(in source: (any VaultSource)? = nil) async throws -> Self {
    let store = try await Self.store(in: source)
    return try found(try await store.find(try requiredObjectID()))
  }

  /// Becomes the object as it is stored now, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public mutating func reload(in source: (any VaultSource)? = nil) async throws {
    self = try await reloaded(in: source)
  }

  /// Writes the properties that are not as they were, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - snapshot: What the object was.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The names of what was changed, in declaration order, then those of owned objects.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  @discardableResult
  public func updateChanges(
    since snapshot: ObjectSnapshot<Self>, in source: (any VaultSource)? = nil
  ) async throws -> [String] {
    try await Self.store(in: source).updateChanges(of: self, since: snapshot)
  }

  /// Writes the properties in which the object differs from what it was, without blocking the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - old: The object as it was fetched or stored; another instance, for a class.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The names of what was changed, in declaration order, then those of owned objects.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  @discardableResult
  public func updateChanges(
    from old: Self, in source: (any VaultSource)? = nil
  ) async throws -> [String] {
    try await Self.store(in: source).updateChanges(of: self, from: old)
  }

  /// Changes the object, and writes what that changed, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - change: Changes the object; it runs on the caller's thread.
  /// - Returns: The names of what was changed, in declaration order, then those of owned objects.
  /// - Throws: as the synchronous form, after which the object is as before; `.asyncInTransaction`
  ///   inside a transaction of the vault; `.cancelled` where the task is cancelled before it is done.
  @discardableResult
  public mutating func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (inout Self) throws -> Void
  ) async throws -> [String] {
    var changed = self
    try change(&changed)
    let done = try await Self.store(in: source).updatingChanges(of: changed, since: snapshot())
    self = done.object
    return done.names
  }
}

extension Record where Self: AnyObject & Sendable {
  /// Stores a new object, and gives it its objectID, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it; they are stored too by default.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates or inserts the object, and gives it its objectID, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has.
  /// - Throws: as the synchronous form; `.asyncInTransaction` inside a transaction of the vault;
  ///   `.cancelled` where the task is cancelled before it is done.
  public func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.store(in: source).save(self, owned: owned)
  }

  /// Changes the object, and writes what that changed, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - change: Changes the object; it runs on the caller's thread.
  /// - Returns: The names of what was changed, in declaration order, then those of owned objects.
  /// - Throws: as the synchronous form, after which the object stays changed; `.asyncInTransaction`
  ///   inside a transaction of the vault; `.cancelled` where the task is cancelled before it is done.
  @discardableResult
  public func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (Self) throws -> Void
  ) async throws -> [String] {
    let snapshot = try snapshot()
    try change(self)
    return try await Self.store(in: source).updateChanges(of: self, since: snapshot)
  }
}
