public import Foundation
public import ObjectVaultCore

// Every method uses the class's own vault, or the one that `in` names, and throws the errors of the
// corresponding `ObjectStore` method.

extension Record {
  /// Returns a query for the objects that satisfy a condition; `%@` is a placeholder for an
  /// argument.
  ///
  /// ```swift
  /// try Student.where("age >= %@ && name != %@", 18, "Bo").all()
  /// ```
  ///
  /// - Parameters:
  ///   - format: The condition as text.
  ///   - arguments: The values in the order of the `%@`. They are bound, not inserted into the
  ///     text.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: A query for the objects that satisfy a condition; `%@` is a placeholder for an
  ///   argument.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.invalidCondition` and `.noSuchProperty`, with the position, for an invalid condition.
  public static func `where`(
    _ format: String, _ arguments: Any?..., in source: (any VaultSource)? = nil
  ) throws -> Query<Self> {
    try store(in: source).where(format, arguments: arguments)
  }

  /// Returns a query for the objects that satisfy a condition that the compiler checks.
  ///
  /// - Parameters:
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  ///   - condition: A closure that builds the condition from the members of the class's
  ///     `Properties`.
  /// - Returns: A query for the objects that satisfy a condition that the compiler checks.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.invalidCondition` and `.noSuchProperty` for an invalid condition.
  public static func `where`<C: ConditionConvertible>(
    in source: (any VaultSource)? = nil, _ condition: (Properties) -> C
  ) throws -> Query<Self> {
    try store(in: source).where(condition)
  }

  /// Returns a query for the objects that satisfy a condition, such as
  /// `Where("age").isAtLeast(18)`.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: A query for the objects that satisfy a condition, such as
  ///   `Where("age").isAtLeast(18)`.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.invalidCondition` and `.noSuchProperty` for an invalid condition.
  public static func `where`(
    _ condition: ObjectCondition, in source: (any VaultSource)? = nil
  ) throws -> Query<Self> {
    try store(in: source).where(condition)
  }

  /// Returns a query for the objects that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate. It may use properties that the class names in `propertyNames`.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: A query for the objects that satisfy a predicate.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.invalidCondition` for a predicate that has no equivalent condition; `.noSuchProperty` for
  ///   a key path without a name.
  public static func `where`(
    _ predicate: Predicate<Self>, in source: (any VaultSource)? = nil
  ) throws -> Query<Self> {
    try store(in: source).where(predicate)
  }

  /// Returns the object with an object ID, or `nil`.
  ///
  /// - Parameters:
  ///   - id: The object ID.
  ///   - source: The name of a registered vault, or a vault. The default is the class's own vault.
  /// - Returns: The object with an object ID, or `nil`.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   otherwise the errors of `ObjectStore.find`.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public static func find(
    _ id: ObjectIDType, in source: (any VaultSource)? = nil
  ) throws -> Self? {
    try store(in: source).find(id)
  }

  /// Returns every object in the order of insertion.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: Every object in the order of insertion.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   otherwise the errors of `ObjectStore.all`.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public static func all(in source: (any VaultSource)? = nil) throws -> [Self] {
    try store(in: source).all()
  }

  /// Returns the object that was inserted first, or `nil` if the class has no objects.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The object that was inserted first, or `nil` if the class has no objects.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   otherwise the errors of `ObjectStore.first`.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public static func first(in source: (any VaultSource)? = nil) throws -> Self? {
    try store(in: source).first()
  }

  /// Returns the number of objects.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The number of objects.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   otherwise the errors of `ObjectStore.count`.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public static func count(in source: (any VaultSource)? = nil) throws -> Int {
    try store(in: source).count()
  }

  /// Returns whether the object is stored: it has an object ID and a row with that ID exists.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: `true` if the object has an object ID and a row with that ID exists; otherwise,
  ///   `false`.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   otherwise the errors of `ObjectStore.contains`.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public func isStored(in source: (any VaultSource)? = nil) throws -> Bool {
    let store = try Self.store(in: source)
    return try storedObjectID.map { try store.contains(id: $0) } ?? false
  }

  /// Returns the object as it is stored now.
  ///
  /// Inside `read(caching:)`, the result for a class is the instance of the scope, with its unsaved
  /// changes.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Returns: The object as it is stored now.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.noObjectID` if the object has no ID; `.noSuchObject` if no object with its ID is stored;
  ///   otherwise the errors of `ObjectStore.find`.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public func reloaded(in source: (any VaultSource)? = nil) throws -> Self {
    let store = try Self.store(in: source)
    return try found(try store.find(try requiredObjectID()))
  }

  /// Replaces the object by its stored state.
  ///
  /// A variable of a class then holds another instance; see ``reloaded(in:)-swift.method`` for
  /// `read(caching:)`.
  ///
  /// - Parameter source: The name of a registered vault, or a vault. The default is the class's own
  ///   vault.
  /// - Throws: The errors of ``reloaded(in:)-swift.method``.
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public mutating func reload(in source: (any VaultSource)? = nil) throws {
    self = try reloaded(in: source)
  }

  func requiredObjectID() throws(VaultError) -> ObjectIDType {
    if let id = storedObjectID { return id }
    throw VaultError(
      .noObjectID,
      "The object of class '\(Self.self)' has no object ID, so it is not stored. Insert it first, "
        + "or use a fetched object.")
  }

  func found(_ object: Self?) throws(VaultError) -> Self {
    if let object { return object }
    throw VaultError(
      .noSuchObject,
      "No object of class '\(Self.self)' is stored under that object ID any more. Insert it to "
        + "store it again.")
  }
}
