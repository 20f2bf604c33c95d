public import ObjectVaultCore

// The asynchronous form of every operation on an object. It runs the synchronous operation on a
// thread of the vault. The vault is resolved before the caller suspends.

extension Record where Self: Sendable {
  /// Inserts a new object and assigns its object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default they are stored too.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public mutating func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates or inserts the object and assigns its object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    self = try await Self.store(in: source).save(self, owned: owned)
  }

  /// Updates every property of the stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func update(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    try await Self.store(in: source).update(self, owned: owned)
  }

  /// Updates the named properties of the stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - properties: The Swift names of the properties.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func update(
    only properties: String..., in source: (any VaultSource)? = nil
  ) async throws {
    try await Self.store(in: source).update(self, only: properties)
  }

  /// Updates some properties of the stored object without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - properties: Key paths of the properties. A class that conforms by hand names them in
  ///     `propertyNames`.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func update(
    only properties: PartialKeyPath<Self>..., in source: (any VaultSource)? = nil
  ) async throws {
    let names = try Self.names(of: properties)
    try await Self.store(in: source).update(self, only: names)
  }

  /// Removes the stored object without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func remove(in source: (any VaultSource)? = nil) async throws {
    try await Self.store(in: source).remove(self)
  }

  /// Returns whether the object is stored, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: `true` if the object is stored; otherwise, `false`.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func isStored(in source: (any VaultSource)? = nil) async throws -> Bool {
    let store = try await Self.store(in: source)
    guard let id = storedObjectID else { return false }
    return try await store.contains(id: id)
  }

  /// Returns the object as it is stored now, without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The object as it is stored now.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func reloaded(in source: (any VaultSource)? = nil) async throws -> Self {
    let store = try await Self.store(in: source)
    return try found(try await store.find(try requiredObjectID()))
  }

  /// Replaces the object by its stored state without blocking the caller's thread.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public mutating func reload(in source: (any VaultSource)? = nil) async throws {
    self = try await reloaded(in: source)
  }

  /// Updates the properties that differ from a snapshot, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - snapshot: The earlier state of the object.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The names of the changed properties in declaration order, then those of owned
  ///   objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  @discardableResult
  public func updateChanges(
    since snapshot: ObjectSnapshot<Self>, in source: (any VaultSource)? = nil
  ) async throws -> [String] {
    try await Self.store(in: source).updateChanges(of: self, since: snapshot)
  }

  /// Updates the properties that differ from an earlier object, without blocking the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - old: The object as it was fetched or stored. For a class it must be another instance.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The names of the changed properties in declaration order, then those of owned
  ///   objects.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  @discardableResult
  public func updateChanges(
    from old: Self, in source: (any VaultSource)? = nil
  ) async throws -> [String] {
    try await Self.store(in: source).updateChanges(of: self, from: old)
  }

  /// Changes the object and writes the changed properties without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - change: A closure that changes the object. It runs on the caller's thread.
  /// - Returns: The names of the changed properties in declaration order, then those of owned
  ///   objects.
  /// - Throws: The errors of the synchronous form, after which the object is unchanged;
  ///   `.asyncInTransaction` inside a transaction of the vault; `.cancelled` if the task is
  ///   cancelled before the operation finishes.
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
  /// Inserts a new object and assigns its object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default they are stored too.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates or inserts the object and assigns its object ID without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of the synchronous form; `.asyncInTransaction` inside a transaction of
  ///   the vault; `.cancelled` if the task is cancelled before the operation finishes.
  public func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) async throws {
    _ = try await Self.store(in: source).save(self, owned: owned)
  }

  /// Changes the object and writes the changed properties without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - change: A closure that changes the object. It runs on the caller's thread.
  /// - Returns: The names of the changed properties in declaration order, then those of owned
  ///   objects.
  /// - Throws: The errors of the synchronous form, after which the object keeps the changes;
  ///   `.asyncInTransaction` inside a transaction of the vault; `.cancelled` if the task is
  ///   cancelled before the operation finishes.
  @discardableResult
  public func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (Self) throws -> Void
  ) async throws -> [String] {
    let snapshot = try snapshot()
    try change(self)
    return try await Self.store(in: source).updateChanges(of: self, since: snapshot)
  }
}
