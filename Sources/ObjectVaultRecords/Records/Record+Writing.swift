public import ObjectVaultCore

// Each goes to the class's own vault, or to the one that `in` names, and throws as `ObjectStore`'s does.

extension Record {
  /// Stores a new object, and gives it the objectID that the vault generates.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it; they are stored too by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.duplicate` where its objectID, or a
  ///   value that must be unique, is there already; `.invalidValue` where the file could not keep a
  ///   value; otherwise as `ObjectStore.insert`.
  public mutating func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) throws {
    try Self.store(in: source).insert(&self, owned: owned)
  }

  /// Updates the stored object, or inserts it where there is none, and gives it the objectID that the
  /// vault generates.
  ///
  /// The row is never deleted to do so, so that whatever refers to it stays.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has.
  /// - Throws: as ``insert(in:owned:)-swift.method``.
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) throws {
    try Self.store(in: source).save(&self, owned: owned)
  }

  /// Writes every property of the stored object.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has.
  /// - Throws: ``VaultError``: `.noObjectID` where the object has none, `.noSuchObject` where nothing is
  ///   stored under it; otherwise as ``insert(in:owned:)-swift.method``.
  public func update(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    try Self.store(in: source).update(self, owned: owned)
  }

  /// Writes the named properties of the stored object and leaves the others as they are.
  ///
  /// - Parameters:
  ///   - properties: The names of the properties, as in Swift.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as ``update(in:owned:)-swift.method``; `.noSuchProperty` for a name that the class does
  ///   not have.
  public func update(only properties: String..., in source: (any VaultSource)? = nil) throws {
    try Self.store(in: source).update(self, only: properties)
  }

  /// Writes some properties of the stored object and leaves the others as they are.
  ///
  /// ```swift
  /// try student.update(only: \.name, \.age)
  /// ```
  ///
  /// A class that conforms by hand gives its key paths' names as `propertyNames`.
  ///
  /// - Parameters:
  ///   - properties: Key paths of the properties.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as ``update(in:owned:)-swift.method``; `.noSuchProperty` for a key path without a name.
  public func update(
    only properties: PartialKeyPath<Self>..., in source: (any VaultSource)? = nil
  ) throws {
    try Self.store(in: source).update(self, only: try Self.names(of: properties))
  }

  /// Removes the stored object, with all that must go with it.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.noObjectID` where the object has none,
  ///   `.noSuchObject` where nothing is stored under it; otherwise as `ObjectStore.remove`, such as
  ///   `.removalDenied` where a rule denies the removal.
  public func remove(in source: (any VaultSource)? = nil) throws {
    try Self.store(in: source).remove(self)
  }

  static func names(of properties: [PartialKeyPath<Self>]) throws(VaultError) -> [String] {
    let names = propertyNames
    return try properties.map { property throws(VaultError) in
      if let name = names[property] { return name }
      throw VaultError(
        .noSuchProperty,
        "Class '\(Self.self)' has no name for one of the key paths given. Give the names of stored "
          + "properties as text, or the class a `propertyNames` that has them.")
    }
  }
}

extension Record where Self: AnyObject {
  /// Stores a new object, and gives it the objectID that the vault generates.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it; they are stored too by default.
  /// - Throws: as ``insert(in:owned:)-swift.method`` of every record.
  public func insert(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    _ = try Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates the stored object, or inserts it where there is none, and gives it the objectID that the
  /// vault generates.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to it: by default the stored ones are made
  ///     equal to those that it has.
  /// - Throws: as ``insert(in:owned:)-swift.method`` of every record.
  public func save(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    _ = try Self.store(in: source).save(self, owned: owned)
  }
}

extension Record {
  /// Stores new objects in one transaction: all of them, or none where one fails.
  ///
  /// - Parameters:
  ///   - objects: The new objects.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to them; they are stored too by default.
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as ``insert(in:owned:)-swift.method``.
  @discardableResult
  public static func insert(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws -> [ObjectIDType] {
    try store(in: source).insert(contentsOf: objects, owned: owned)
  }

  /// Updates or inserts objects in one transaction: all of them, or none where one fails.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to them: by default the stored ones are made
  ///     equal to those that they have.
  /// - Returns: Their objectIDs, in the order of the objects.
  /// - Throws: as ``insert(in:owned:)-swift.method``.
  @discardableResult
  public static func save(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws -> [ObjectIDType] {
    try store(in: source).save(contentsOf: objects, owned: owned)
  }

  /// Writes every property of stored objects in one transaction: all of them, or none where one fails.
  ///
  /// - Parameters:
  ///   - objects: The objects with their new values.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - owned: What becomes of the objects that belong to them: by default the stored ones are made
  ///     equal to those that they have.
  /// - Throws: as ``update(in:owned:)-swift.method``.
  public static func update(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws {
    try store(in: source).update(contentsOf: objects, owned: owned)
  }

  /// Removes stored objects in one transaction: all of them, or none where one fails.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as ``remove(in:)-swift.method``.
  public static func remove(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil
  ) throws {
    try store(in: source).remove(contentsOf: objects)
  }

  /// Removes the object stored under an objectID.
  ///
  /// - Parameters:
  ///   - id: The objectID.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.remove(id:)`,
  ///   with `.noSuchObject` where nothing is stored under it.
  public static func remove(id: ObjectIDType, in source: (any VaultSource)? = nil) throws {
    try store(in: source).remove(id: id)
  }

  /// Removes the objects stored under objectIDs in one transaction: all of them, or none.
  ///
  /// - Parameters:
  ///   - ids: The objectIDs, any number.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.remove(ids:)`,
  ///   with `.noSuchObject` where nothing is stored under one of them.
  public static func remove(
    ids: some Sequence<ObjectIDType>, in source: (any VaultSource)? = nil
  ) throws {
    try store(in: source).remove(ids: ids)
  }

  /// Removes every object of the class.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Returns: How many there were.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.removeAll`,
  ///   such as `.removalDenied` where a rule denies the removal.
  @discardableResult
  public static func removeAll(in source: (any VaultSource)? = nil) throws -> Int {
    try store(in: source).removeAll()
  }
}
