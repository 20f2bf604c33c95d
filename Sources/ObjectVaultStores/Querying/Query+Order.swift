import ObjectVaultCondition
import ObjectVaultSession

extension Query {
  /// Returns the objects in the opposite order; without a sort, the last inserted object comes
  /// first.
  ///
  /// A range counts in the new order, even if it was set before.
  public func reversed() -> Query {
    Query(
      store: store,
      parts: parts.sorted(by: order.map(\.reversed), reversingTies: !reversesTies))
  }

  /// Returns the last object, or `nil` if there are no objects.
  ///
  /// Without a range, the statement reads one row from the other end.
  public func last() throws -> T? {
    guard offset > 0 || length != nil else { return try reversed().first() }
    return try store.database.opened().readScope {
      let count = try count()
      return count == 0 ? nil : try range(offset: offset + count - 1, length: 1).first()
    }
  }
}

extension ObjectStore {
  /// Returns the object that was inserted last, or `nil` if there are no objects.
  public func last() throws -> T? { try query.last() }
}

extension Query where T: Sendable {
  /// Returns the last object without blocking the caller's thread.
  public func last() async throws -> T? {
    try await store.reading { try last() }
  }
}

extension ObjectStore where T: Sendable {
  /// Returns the object that was inserted last without blocking the caller's thread.
  public func last() async throws -> T? { try await query.last() }
}
