public import ObjectVaultCore

// Each goes to the class's own vault, or to the one that `in` names, and throws as `ObjectStore`'s does.

extension Record {
  /// Stores a new object, and gives it the objectID that the vault generates.
  public mutating func insert(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) throws {
    try Self.store(in: source).insert(&self, owned: owned)
  }

  /// Updates the stored object, or inserts it where there is none, and gives it the objectID that the
  /// vault generates.
  public mutating func save(
    in source: (any VaultSource)? = nil, owned: OwnedSaving = .save
  ) throws {
    try Self.store(in: source).save(&self, owned: owned)
  }

  /// Writes every property of the stored object.
  public func update(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    try Self.store(in: source).update(self, owned: owned)
  }

  /// Writes the named properties of the stored object and leaves the others as they are.
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
  public func update(
    only properties: PartialKeyPath<Self>..., in source: (any VaultSource)? = nil
  ) throws {
    try Self.store(in: source).update(self, only: try Self.names(of: properties))
  }

  /// Removes the stored object, with all that must go with it.
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
  public func insert(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    _ = try Self.store(in: source).insert(self, owned: owned)
  }

  /// Updates the stored object, or inserts it where there is none, and gives it the objectID that the
  /// vault generates.
  public func save(in source: (any VaultSource)? = nil, owned: OwnedSaving = .save) throws {
    _ = try Self.store(in: source).save(self, owned: owned)
  }
}

extension Record {
  /// Stores new objects in one transaction: all of them, or none where one fails.
  ///
  /// - Returns: Their objectIDs in order.
  @discardableResult
  public static func insert(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws -> [ObjectIDType] {
    try store(in: source).insert(contentsOf: objects, owned: owned)
  }

  /// Updates or inserts objects in one transaction: all of them, or none where one fails.
  ///
  /// - Returns: Their objectIDs in order.
  @discardableResult
  public static func save(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws -> [ObjectIDType] {
    try store(in: source).save(contentsOf: objects, owned: owned)
  }

  /// Writes every property of stored objects in one transaction: all of them, or none where one fails.
  public static func update(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws {
    try store(in: source).update(contentsOf: objects, owned: owned)
  }

  /// Removes stored objects in one transaction: all of them, or none where one fails.
  public static func remove(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil
  ) throws {
    try store(in: source).remove(contentsOf: objects)
  }

  /// Removes the object stored under an objectID.
  public static func remove(id: ObjectIDType, in source: (any VaultSource)? = nil) throws {
    try store(in: source).remove(id: id)
  }

  /// Removes the objects stored under objectIDs in one transaction: all of them, or none.
  public static func remove(
    ids: some Sequence<ObjectIDType>, in source: (any VaultSource)? = nil
  ) throws {
    try store(in: source).remove(ids: ids)
  }

  /// Removes every object of the class.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public static func removeAll(in source: (any VaultSource)? = nil) throws -> Int {
    try store(in: source).removeAll()
  }
}
