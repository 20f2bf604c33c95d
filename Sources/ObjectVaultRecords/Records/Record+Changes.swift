public import ObjectVaultCore

// Updates that write what was changed, and nothing where nothing was: see `ObjectStore.updateChanges`.

extension Record {
  /// What the object is now, to be compared with what it is later.
  ///
  /// It asks no vault; so a class that is registered with none has snapshots too.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` where the file could not keep a value.
  public func snapshot() throws -> ObjectSnapshot<Self> { try ObjectSnapshot(of: self) }

  /// The names of the properties in which the object differs from what it was.
  ///
  /// - Throws: as ``snapshot()``.
  public func changes(since snapshot: ObjectSnapshot<Self>) throws -> [String] {
    try snapshot.changes(to: self)
  }

  /// The names of the properties in which the object differs from another one.
  ///
  /// - Throws: as ``snapshot()``.
  public func changes(from old: Self) throws -> [String] { try changes(since: old.snapshot()) }

  /// Writes the properties that are not as they were, and nothing where all are.
  ///
  /// - Parameters:
  ///   - snapshot: What the object was.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The names of what was changed, in declaration order, then those of owned objects.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as
  ///   `ObjectStore.updateChanges`.
  @discardableResult
  public func updateChanges(
    since snapshot: ObjectSnapshot<Self>, in source: (any VaultSource)? = nil
  ) throws -> [String] {
    try Self.store(in: source).updateChanges(of: self, since: snapshot)
  }

  /// Writes the properties in which the object differs from what it was, and nothing where it does not.
  ///
  /// ```swift
  /// let old = student
  /// student.age += 1
  /// try student.updateChanges(from: old)
  /// ```
  ///
  /// - Parameters:
  ///   - old: The object as it was fetched or stored; another instance, for a class.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: The names of what was changed.
  /// - Throws: as ``updateChanges(since:in:)-swift.method``.
  @discardableResult
  public func updateChanges(
    from old: Self, in source: (any VaultSource)? = nil
  ) throws -> [String] {
    try Self.store(in: source).updateChanges(of: self, from: old)
  }

  /// Changes the object, and writes what that changed. Where it fails the object is as before. Owned
  /// objects get the objectIDs that the vault generates.
  ///
  /// ```swift
  /// try student.updateChanges { $0.age += 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - change: Changes the object.
  /// - Returns: The names of what was changed.
  /// - Throws: as ``updateChanges(since:in:)-swift.method``; what `change` throws.
  @discardableResult
  public mutating func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (inout Self) throws -> Void
  ) throws -> [String] {
    let store = try Self.store(in: source)
    var changed = self
    try change(&changed)
    let names = try store.updateChanges(of: &changed, since: snapshot())
    self = changed
    return names
  }
}

extension Record where Self: AnyObject {
  /// Changes the object, and writes what that changed. Where writing fails the object stays changed.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - change: Changes the object.
  /// - Returns: The names of what was changed.
  /// - Throws: as ``updateChanges(since:in:)-swift.method``; what `change` throws.
  @discardableResult
  public func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (Self) throws -> Void
  ) throws -> [String] {
    let store = try Self.store(in: source)
    let snapshot = try snapshot()
    try change(self)
    return try store.updateChanges(of: self, since: snapshot)
  }
}
