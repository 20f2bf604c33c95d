public import ObjectVaultCore

// Updates that write only changed properties, or nothing: see `ObjectStore.updateChanges`.

extension Record {
  /// Returns the present state of the object for a later comparison.
  ///
  /// It uses no vault, so an object of an unregistered class has snapshots too.
  ///
  /// - Throws: ``VaultError`` `.invalidValue` if the file cannot store a value.
  public func snapshot() throws -> ObjectSnapshot<Self> { try ObjectSnapshot(of: self) }

  /// Returns the names of the properties that differ from a snapshot.
  ///
  /// - Throws: The errors of ``snapshot()``.
  public func changes(since snapshot: ObjectSnapshot<Self>) throws -> [String] {
    try snapshot.changes(to: self)
  }

  /// Returns the names of the properties that differ from another object.
  ///
  /// - Throws: The errors of ``snapshot()``.
  public func changes(from old: Self) throws -> [String] { try changes(since: old.snapshot()) }

  /// Updates the properties that differ from a snapshot, and writes nothing if none does.
  ///
  /// - Parameters:
  ///   - snapshot: The earlier state of the object.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The names of the changed properties in declaration order, then those of owned
  ///   objects.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   otherwise the errors of `ObjectStore.updateChanges`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public func updateChanges(
    since snapshot: ObjectSnapshot<Self>, in source: (any VaultSource)? = nil
  ) throws -> [String] {
    try Self.store(in: source).updateChanges(of: self, since: snapshot)
  }

  /// Updates the properties that differ from an earlier object, and writes nothing if none does.
  ///
  /// ```swift
  /// let old = student
  /// student.age += 1
  /// try student.updateChanges(from: old)
  /// ```
  ///
  /// - Parameters:
  ///   - old: The object as it was fetched or stored. For a class it must be another instance.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The names of the changed properties.
  /// - Throws: The errors of ``updateChanges(since:in:)-swift.method``.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public func updateChanges(
    from old: Self, in source: (any VaultSource)? = nil
  ) throws -> [String] {
    try Self.store(in: source).updateChanges(of: self, from: old)
  }

  /// Changes the object and writes the changed properties.
  ///
  /// If the update fails, the object is as before. Owned objects are assigned the IDs that the
  /// vault generates.
  ///
  /// ```swift
  /// try student.updateChanges { $0.age += 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - change: A closure that changes the object.
  /// - Returns: The names of the changed properties.
  /// - Throws: The errors of ``updateChanges(since:in:)-swift.method`` and those of `change`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
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
  /// Changes the object and writes the changed properties.
  ///
  /// If writing fails, the object keeps its changes.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - change: A closure that changes the object.
  /// - Returns: The names of the changed properties.
  /// - Throws: The errors of ``updateChanges(since:in:)-swift.method`` and those of `change`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
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
