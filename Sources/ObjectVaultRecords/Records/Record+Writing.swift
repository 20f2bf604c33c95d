public import ObjectVaultCore

// Every method uses the class's own vault, or the one that `in` names, and throws the errors of the
// corresponding `ObjectStore` method.

extension Record {
  /// Inserts a new object and assigns the object ID that the vault generates.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default they are stored too.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.duplicate` if its object ID or a value that must be unique is already stored;
  ///   `.invalidValue` if the file cannot store a value; otherwise the errors of
  ///   `ObjectStore.insert`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public mutating func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) throws {
    try Self.store(in: source).insert(assigningIDTo: &self, owned: owned)
  }

  /// Updates the stored object, or inserts it if none is stored, and assigns its object ID.
  ///
  /// The vault generates the object ID. The row is never deleted for this, so references to it
  /// remain valid.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of `insert(in:owned:)`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) throws {
    try Self.store(in: source).save(assigningIDTo: &self, owned: owned)
  }

  /// Updates every property of the stored object.
  ///
  /// New owned objects are stored, but not assigned their object IDs: a second update would insert
  /// them again and remove the first ones. Use `save(in:owned:)`, or fetch the object again.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: ``VaultError``: `.noObjectID` if the object has no ID; `.noSuchObject` if no object
  ///   with its ID is stored; otherwise the errors of `insert(in:owned:)`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public func update(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    try Self.store(in: source).update(self, owned: owned)
  }

  /// Updates the named properties of the stored object and leaves the others unchanged.
  ///
  /// - Parameters:
  ///   - properties: The Swift names of the properties.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of ``update(in:owned:)-swift.method``; `.noSuchProperty` for an unknown
  ///   name.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public func update(only properties: String..., in source: (any VaultSource)? = nil) throws {
    try Self.store(in: source).update(self, only: properties)
  }

  /// Updates some properties of the stored object and leaves the others unchanged.
  ///
  /// ```swift
  /// try student.update(only: \.name, \.age)
  /// ```
  ///
  /// A class that conforms by hand provides the names of its key paths in `propertyNames`.
  ///
  /// - Parameters:
  ///   - properties: Key paths of the properties.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Throws: The errors of ``update(in:owned:)-swift.method``; `.noSuchProperty` for a key path
  ///   without a name.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public func update(
    only properties: PartialKeyPath<Self>..., in source: (any VaultSource)? = nil
  ) throws {
    try Self.store(in: source).update(self, only: try Self.names(of: properties))
  }

  /// Removes the stored object and every object that must be deleted with it.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.noObjectID` if the object has no ID; `.noSuchObject` if no object with its ID is stored;
  ///   otherwise the errors of `ObjectStore.remove`, such as `.removalDenied` if a delete rule
  ///   denies the removal.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public func remove(in source: (any VaultSource)? = nil) throws {
    try Self.store(in: source).remove(self)
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
  /// - Throws: The errors of `ObjectStore.updateChanges(of:since:)` and those of `change`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public mutating func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (inout Self) throws -> Void
  ) throws -> [String] {
    let snapshot = try ObjectSnapshot(of: self)
    var changed = self
    try change(&changed)
    let names = try Self.store(in: source).updateChanges(of: &changed, since: snapshot)
    self = changed
    return names
  }

  static func names(of properties: [PartialKeyPath<Self>]) throws(VaultError) -> [String] {
    let names = propertyNames
    return try properties.map { property throws(VaultError) in
      if let name = names[property] { return name }
      throw VaultError(
        .noSuchProperty,
        "Class '\(Self.self)' has no name for one of the key paths. Pass the names of stored "
          + "properties as text, or add the key path to the class's `propertyNames`.")
    }
  }
}

extension Record where Self: AnyObject {
  /// Inserts a new object and assigns the object ID that the vault generates.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default they are stored too.
  /// - Throws: The errors of `insert(in:owned:)` of other records.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public func insert(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    _ = try Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates the stored object, or inserts it if none is stored, and assigns its object ID.
  ///
  /// The vault generates the object ID.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - owned: The treatment of owned objects. By default the stored ones are made equal to those
  ///     of the object.
  /// - Throws: The errors of `insert(in:owned:)` of other records.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public func save(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    _ = try Self.store(in: source).save(self, owned: owned)
  }

  /// Changes the object and writes the changed properties.
  ///
  /// If writing fails, the object keeps its changes.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - change: A closure that changes the object.
  /// - Returns: The names of the changed properties.
  /// - Throws: The errors of `ObjectStore.updateChanges(of:since:)` and those of `change`.
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public func updateChanges(
    in source: (any VaultSource)? = nil, _ change: (Self) throws -> Void
  ) throws -> [String] {
    let snapshot = try ObjectSnapshot(of: self)
    try change(self)
    return try Self.store(in: source).updateChanges(of: self, since: snapshot)
  }
}
