import ObjectVaultEngine

extension Query {
  /// The objects in the opposite order: the first becomes the last, also where there is no sort.
  ///
  /// A range counts in the new order, whichever was said first.
  public func reversed() -> Query {
    Query(
      store: store,
      parts: parts.sorted(by: order.map(\.reversed), reversingTies: !reversesTies))
  }

  /// The last object, or `nil` where there is none.
  ///
  /// Without a range one row is read, from the other end.
  public func last() throws -> T? {
    guard offset > 0 || length != nil else { return try reversed().first() }
    return try store.vault.file().readScope {
      let count = try count()
      return count == 0 ? nil : try range(offset: offset + count - 1, length: 1).first()
    }
  }
}

extension ObjectStore {
  /// The object inserted last, or `nil` where there is none.
  public func last() throws -> T? { try query.last() }
}

extension Query where T: Sendable {
  /// The last object, without blocking the caller's thread.
  public func last() async throws -> T? {
    try await store.reading { try last() }
  }
}

extension ObjectStore where T: Sendable {
  /// The object inserted last, without blocking the caller's thread.
  public func last() async throws -> T? { try await query.last() }
}
