import ObjectVaultEngine

// What a read scope has read before, where it keeps that.

extension ObjectStore {
  /// The objects of the class that the read scope has read, where it keeps them and the store takes part.
  ///
  /// - Throws: What a read throws before it asks the engine.
  @inlinable
  func keptObjects() throws -> KeptObjects<T>? {
    guard IdentityMap.mayExist, access.isWhole else { return nil }
    if let kept = try KeptClass.ofLastStore(
      ObjectIdentifier(access.vault), ObjectIdentifier(access.state))
    {
      return kept as? KeptObjects<T>
    }
    return try keptObjectsOfMap()
  }

  @usableFromInline
  func keptObjectsOfMap() throws -> KeptObjects<T>? {
    guard let map = try IdentityMap.current(for: access) else { return nil }
    if let kept = map.kept(state) { return kept as? KeptObjects<T> }
    return KeptObjects(access, map)
  }

  /// The same for rows: where others belong to the objects, they are kept only once they have those.
  func keptObjectsOfRows() throws -> KeptObjects<T>? { mustLoadOwned ? nil : try keptObjects() }

  /// Gives objects those that belong to them, or takes those that are kept in their place.
  func complete(_ objects: inout [T], on connection: VaultConnection) throws {
    guard mustLoadOwned else { return }
    try loadOwned(&objects, on: connection)
    try keptObjects()?.merge(&objects)
  }

  /// The object stored under an objectID, where a read scope may have read it.
  @inlinable @inline(never)
  func findOnce(_ id: T.ObjectIDType) throws -> T? {
    guard let kept = try keptObjects() else { return try findAnew(id) }
    return try kept[id] ?? find(id, keepingIn: kept)
  }

  /// The object stored under an objectID that is not kept yet.
  @usableFromInline
  func find(_ id: T.ObjectIDType, keepingIn kept: KeptObjects<T>) throws -> T? {
    if mustLoadOwned {
      guard let object = try findWithOwned(id) else { return nil }
      kept.keep(object, foundUnder: id)
      return object
    }
    var found: T?
    try access.find {
      try bindParts(of: id, to: $0)
    } _: { row in
      found = try kept.object(row)
    }
    return found.take()
  }
}

extension Query {
  @usableFromInline
  func all(keepingIn kept: KeptObjects<T>) throws -> [T] {
    try store.access.objects(parts) { try kept.object($0) }
  }

  @usableFromInline
  func first(keepingIn kept: KeptObjects<T>) throws -> T? {
    var first: T?
    try store.access.readFirst(parts) { row in first = try kept.object(row) }
    return first
  }
}
