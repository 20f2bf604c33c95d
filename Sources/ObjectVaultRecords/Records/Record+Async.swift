public import ObjectVaultCore

// The asynchronous form of every operation: the synchronous one, on a thread of the vault's own. Which
// vault is meant is settled before the caller waits.

extension Record where Self: Sendable {
  /// Stores a new object, and gives it its objectID, without blocking the caller's thread.
  public mutating func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates or inserts the object, and gives it its objectID, without blocking the caller's thread.
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.store(in: source).save(self, owned: owned)
  }

  /// Writes every property of the stored object without blocking the caller's thread.
  public func update(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    try await Self.store(in: source).update(self, owned: owned)
  }

  /// Writes the named properties of the stored object without blocking the caller's thread.
  public func update(
    only properties: String..., in source: (any VaultSource)? = nil
  ) async throws {
    try await Self.store(in: source).update(self, only: properties)
  }

  /// Writes some properties of the stored object without blocking the caller's thread.
  public func update(
    only properties: PartialKeyPath<Self>..., in source: (any VaultSource)? = nil
  ) async throws {
    let names = try Self.names(of: properties)
    try await Self.store(in: source).update(self, only: names)
  }

  /// Removes the stored object without blocking the caller's thread.
  public func remove(in source: (any VaultSource)? = nil) async throws {
    try await Self.store(in: source).remove(self)
  }

  /// Whether the object is stored, without blocking the caller's thread.
  public func isStored(in source: (any VaultSource)? = nil) async throws -> Bool {
    let store = try await Self.store(in: source)
    guard let id = storedObjectID else { return false }
    return try await store.contains(id: id)
  }

  /// The object as it is stored now, without blocking the caller's thread.
  public func reloaded(in source: (any VaultSource)? = nil) async throws -> Self {
    let store = try await Self.store(in: source)
    return try found(try await store.find(try requiredObjectID()))
  }

  /// Becomes the object as it is stored now, without blocking the caller's thread.
  public mutating func reload(in source: (any VaultSource)? = nil) async throws {
    self = try await reloaded(in: source)
  }

  /// Writes the properties that are not as they were, without blocking the caller's thread.
  @discardableResult
  public func updateChanges(
    since snapshot: ObjectSnapshot<Self>, in source: (any VaultSource)? = nil
  ) async throws -> [String] {
    try await Self.store(in: source).updateChanges(of: self, since: snapshot)
  }

  /// Writes the properties in which the object differs from what it was, without blocking the caller's
  /// thread.
  @discardableResult
  public func updateChanges(
    from old: Self, in source: (any VaultSource)? = nil
  ) async throws -> [String] {
    try await Self.store(in: source).updateChanges(of: self, from: old)
  }

  /// Changes the object, and writes what that changed, without blocking the caller's thread.
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
  public func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates or inserts the object, and gives it its objectID, without blocking the caller's thread.
  public func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.store(in: source).save(self, owned: owned)
  }

  /// Changes the object, and writes what that changed, without blocking the caller's thread.
  @discardableResult
  public func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (Self) throws -> Void
  ) async throws -> [String] {
    let snapshot = try snapshot()
    try change(self)
    return try await Self.store(in: source).updateChanges(of: self, since: snapshot)
  }
}
