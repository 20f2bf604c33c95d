public import ObjectVaultModel

// Former names, which stay for one release.

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
  /// Returns the effects of removing the objects with these object IDs.
  @available(*, deprecated, renamed: "deletionPlan(ids:)")
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan(ofIDs ids: some Sequence<T.ObjectIDType>) throws -> DeletionPlan {
    try deletionPlan(ids: ids)
  }
}
