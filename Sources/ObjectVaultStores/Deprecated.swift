// Former names, which stay for one release.

public import ObjectVaultModel

extension Database {
  /// Runs `body` in a read scope that caches objects.
  @available(*, deprecated, message: "Use 'read(caching: .objects(…)) { … }'.")
  @available(*, noasync, message: "Use 'try await read(caching: .objects(…)) { … }'.")
  @discardableResult
  public func read<R>(keepingObjects limit: Int, _ body: () throws -> R) throws -> R {
    try read(caching: .objects(limit), body)
  }
}

extension ObjectStore {
  /// Inserts a new object and assigns its object ID in place.
  @available(*, deprecated, renamed: "insert(assigningIDTo:owned:)")
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @inlinable
  public func insert(_ object: inout T, owned: OwnedSaving = .save) throws {
    try insert(assigningIDTo: &object, owned: owned)
  }

  /// Stores an object and assigns its object ID in place.
  @available(*, deprecated, renamed: "save(assigningIDTo:owned:)")
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func save(_ object: inout T, owned: OwnedSaving = .save) throws {
    try save(assigningIDTo: &object, owned: owned)
  }

  /// Returns the objects stored under object IDs.
  @available(*, deprecated, renamed: "find(ids:)")
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func find(_ ids: some Sequence<T.ObjectIDType>) throws -> [T] { try find(ids: ids) }
}

extension AdvisedIndex {
  /// The total duration of the executions, in seconds.
  @available(*, deprecated, renamed: "duration")
  public var seconds: Double { duration / .seconds(1) }
}
