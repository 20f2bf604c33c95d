// Former operations, which stay for one release. Those of several objects and of object IDs are
// operations of the store.

public import Foundation
public import ObjectVaultCore

extension Record {
  /// Returns a query for all objects of the class.
  @available(*, deprecated, message: "Use 'store(in:).query'.")
  public static func query(in source: (any VaultSource)? = nil) throws -> Query<Self> {
    try store(in: source).query
  }

  /// Returns the objects stored under object IDs, in that order, without missing ones.
  @available(*, deprecated, message: "Use 'store(in:).find(ids:)'.")
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public static func find(
    _ ids: some Sequence<ObjectIDType>, in source: (any VaultSource)? = nil
  ) throws -> [Self] {
    try store(in: source).find(ids: ids)
  }

  /// Returns whether an object is stored under an object ID.
  @available(*, deprecated, message: "Use 'store(in:).contains(id:)'.")
  @available(*, noasync, message: "Call it in 'try await read { … }' of the class.")
  public static func exists(id: ObjectIDType, in source: (any VaultSource)? = nil) throws -> Bool {
    try store(in: source).contains(id: id)
  }

  /// Inserts new objects in one transaction.
  @available(*, deprecated, message: "Use 'store(in:).insert(contentsOf:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public static func insert(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws -> [ObjectIDType] {
    try store(in: source).insert(contentsOf: objects, owned: owned)
  }

  /// Updates or inserts objects in one transaction.
  @available(*, deprecated, message: "Use 'store(in:).save(contentsOf:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public static func save(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws -> [ObjectIDType] {
    try store(in: source).save(contentsOf: objects, owned: owned)
  }

  /// Updates every property of stored objects in one transaction.
  @available(*, deprecated, message: "Use 'store(in:).update(contentsOf:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public static func update(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil,
    owned: OwnedSaving = .save
  ) throws {
    try store(in: source).update(contentsOf: objects, owned: owned)
  }

  /// Removes stored objects in one transaction.
  @available(*, deprecated, message: "Use 'store(in:).remove(contentsOf:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public static func remove(
    contentsOf objects: some Sequence<Self>, in source: (any VaultSource)? = nil
  ) throws {
    try store(in: source).remove(contentsOf: objects)
  }

  /// Removes the object with an object ID.
  @available(*, deprecated, message: "Use 'store(in:).remove(id:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public static func remove(id: ObjectIDType, in source: (any VaultSource)? = nil) throws {
    try store(in: source).remove(id: id)
  }

  /// Removes the objects with the given object IDs in one transaction.
  @available(*, deprecated, message: "Use 'store(in:).remove(ids:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  public static func remove(
    ids: some Sequence<ObjectIDType>, in source: (any VaultSource)? = nil
  ) throws {
    try store(in: source).remove(ids: ids)
  }

  /// Removes every object of the class.
  @available(*, deprecated, message: "Use 'store(in:).removeAll()'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public static func removeAll(in source: (any VaultSource)? = nil) throws -> Int {
    try store(in: source).removeAll()
  }

  /// Returns an object with these property values.
  @available(*, deprecated, message: "Use 'store().object(from:ignoringUnknown:)'.")
  public static func object(
    from values: [String: Any?], ignoringUnknown: Bool = false
  ) throws -> Self {
    try store().object(from: values, ignoringUnknown: ignoringUnknown)
  }

  /// Returns the object in a JSON text.
  @available(*, deprecated, message: "Use 'store().object(fromJSON:ignoringUnknown:)'.")
  public static func object(fromJSON json: Data, ignoringUnknown: Bool = false) throws -> Self {
    try store().object(fromJSON: json, ignoringUnknown: ignoringUnknown)
  }

  /// Returns the stored values of the properties.
  @available(*, deprecated, message: "Use 'store().values(of:)'.")
  public func values() throws -> [String: StoredValue] { try Self.store().values(of: self) }

  /// Returns the object as JSON.
  @available(*, deprecated, message: "Use 'store().json(of:)'.")
  public func json() throws -> Data { try Self.store().json(of: self) }

  /// Returns a snapshot of the object's values.
  @available(*, deprecated, message: "Use 'ObjectSnapshot(of:)'.")
  public func snapshot() throws -> ObjectSnapshot<Self> { try ObjectSnapshot(of: self) }

  /// Returns the properties that changed since a snapshot.
  @available(*, deprecated, message: "Use 'ObjectSnapshot.changes(to:)'.")
  public func changes(since snapshot: ObjectSnapshot<Self>) throws -> [String] {
    try snapshot.changes(to: self)
  }

  /// Returns the properties in which the object differs from another one.
  @available(*, deprecated, message: "Use 'ObjectSnapshot.changes(to:)'.")
  public func changes(from old: Self) throws -> [String] {
    try ObjectSnapshot(of: old).changes(to: self)
  }

  /// Updates the properties that changed since a snapshot.
  @available(*, deprecated, message: "Use 'store(in:).updateChanges(of:since:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public func updateChanges(
    since snapshot: ObjectSnapshot<Self>, in source: (any VaultSource)? = nil
  ) throws -> [String] {
    try Self.store(in: source).updateChanges(of: self, since: snapshot)
  }

  /// Updates the properties that differ from an earlier form of the object.
  @available(*, deprecated, message: "Use 'store(in:).updateChanges(of:from:)'.")
  @available(*, noasync, message: "Call it in 'try await transaction { … }' of the class.")
  @discardableResult
  public func updateChanges(
    from old: Self, in source: (any VaultSource)? = nil
  ) throws -> [String] {
    try Self.store(in: source).updateChanges(of: self, from: old)
  }
}
