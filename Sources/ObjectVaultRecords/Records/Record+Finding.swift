public import Foundation
public import ObjectVaultCore

// Each goes to the class's own vault, or to the one that `in` names, and throws as `ObjectStore`'s does.

extension Record {
  /// Every object of the class, to be chosen from, sorted and asked.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as ``store(in:)-swift.type.method``.
  public static func query(in source: (any VaultSource)? = nil) throws -> Query<Self> {
    try store(in: source).query
  }

  /// The objects for which the condition holds; `%@` stands for an argument.
  ///
  /// ```swift
  /// try Student.where("age >= %@ && name != %@", 18, "Bo").all()
  /// ```
  ///
  /// - Parameters:
  ///   - format: The condition as text.
  ///   - arguments: The values, in the order of the `%@`; they are bound.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.invalidCondition` and
  ///   `.noSuchProperty`, with the place, for what is no condition of the class.
  public static func `where`(
    _ format: String, _ arguments: Any?..., in source: (any VaultSource)? = nil
  ) throws -> Query<Self> {
    try store(in: source).where(format, arguments: arguments)
  }

  /// The objects for which the condition holds, in members that the compiler checks.
  ///
  /// - Parameters:
  ///   - source: The name of a vault, or a vault; the class's own by default.
  ///   - condition: Makes the condition of the members of the class's `Properties`.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.invalidCondition` and
  ///   `.noSuchProperty` for what is no condition of the class.
  public static func `where`<C: ConditionConvertible>(
    in source: (any VaultSource)? = nil, _ condition: (Properties) -> C
  ) throws -> Query<Self> {
    try store(in: source).where(condition)
  }

  /// The objects for which the condition holds, such as a chain: `Where("age").isAtLeast(18)`.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.invalidCondition` and
  ///   `.noSuchProperty` for what is no condition of the class.
  public static func `where`(
    _ condition: ObjectCondition, in source: (any VaultSource)? = nil
  ) throws -> Query<Self> {
    try store(in: source).where(condition)
  }

  /// The objects for which the predicate holds.
  ///
  /// - Parameters:
  ///   - predicate: The predicate, of properties that the class names in `propertyNames`.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.invalidCondition` for a predicate
  ///   that no condition can say, `.noSuchProperty` for a key path without a name.
  public static func `where`(
    _ predicate: Predicate<Self>, in source: (any VaultSource)? = nil
  ) throws -> Query<Self> {
    try store(in: source).where(predicate)
  }

  /// The object stored under an objectID, or `nil`.
  ///
  /// - Parameters:
  ///   - id: The objectID.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.find`.
  public static func find(
    _ id: ObjectIDType, in source: (any VaultSource)? = nil
  ) throws -> Self? {
    try store(in: source).find(id)
  }

  /// The objects stored under objectIDs, in that order, without those that are not there; any number.
  ///
  /// - Parameters:
  ///   - ids: The objectIDs, any number.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.find`.
  public static func find(
    _ ids: some Sequence<ObjectIDType>, in source: (any VaultSource)? = nil
  ) throws -> [Self] {
    try store(in: source).find(ids)
  }

  /// Every object, in the order of insertion.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.all`.
  public static func all(in source: (any VaultSource)? = nil) throws -> [Self] {
    try store(in: source).all()
  }

  /// The object inserted first, or `nil` where there is none.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.first`.
  public static func first(in source: (any VaultSource)? = nil) throws -> Self? {
    try store(in: source).first()
  }

  /// How many objects there are.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.count`.
  public static func count(in source: (any VaultSource)? = nil) throws -> Int {
    try store(in: source).count()
  }

  /// Whether an object is stored under an objectID.
  ///
  /// - Parameters:
  ///   - id: The objectID.
  ///   - source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.contains`.
  public static func exists(
    id: ObjectIDType, in source: (any VaultSource)? = nil
  ) throws -> Bool {
    try store(in: source).contains(id: id)
  }

  /// Whether the object is stored: it has an objectID, and there is a row under it.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.contains`.
  public func isStored(in source: (any VaultSource)? = nil) throws -> Bool {
    let store = try Self.store(in: source)
    return try storedObjectID.map { try store.contains(id: $0) } ?? false
  }

  /// The object as it is stored now.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; `.noObjectID` where the object has none,
  ///   `.noSuchObject` where nothing is stored under it; otherwise as `ObjectStore.find`.
  public func reloaded(in source: (any VaultSource)? = nil) throws -> Self {
    let store = try Self.store(in: source)
    return try found(try store.find(try requiredObjectID()))
  }

  /// Becomes the object as it is stored now. A variable of a class then holds another instance.
  ///
  /// - Parameter source: The name of a vault, or a vault; the class's own by default.
  /// - Throws: as ``reloaded(in:)-swift.method``.
  public mutating func reload(in source: (any VaultSource)? = nil) throws {
    self = try reloaded(in: source)
  }

  func requiredObjectID() throws(VaultError) -> ObjectIDType {
    if let id = storedObjectID { return id }
    throw VaultError(
      .noObjectID,
      "The object of class '\(Self.self)' has no objectID, so no stored object is meant. Insert it "
        + "first, or take one that was fetched.")
  }

  func found(_ object: Self?) throws(VaultError) -> Self {
    if let object { return object }
    throw VaultError(
      .noSuchObject,
      "No object of class '\(Self.self)' is stored under that objectID any more. Insert it to have it "
        + "there again.")
  }
}
