// Reads through the identity map of a caching read scope.

import ObjectVaultSession

extension ObjectStore {
  /// Returns the cached objects of the class, if the read scope caches objects and the store takes
  /// part.
  ///
  /// - Throws: The errors that a read throws before it uses the engine.
  @inlinable
  func keptObjects() throws -> KeptObjects<T>? {
    guard IdentityMap.mayExist, access.isWhole else { return nil }
    if let kept = try KeptClass.ofLastStore(
      ObjectIdentifier(access.link.handle), ObjectIdentifier(access.state))
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

  /// Returns the cached objects for reading rows.
  ///
  /// Objects with owned objects are cached only after those are loaded, so the result is `nil` for
  /// them.
  func keptObjectsOfRows() throws -> KeptObjects<T>? { mustLoadOwned ? nil : try keptObjects() }

  /// Loads the owned objects of `objects`, and replaces objects that are already cached.
  func complete(_ objects: inout [T], on session: Session) throws {
    guard mustLoadOwned else { return }
    try loadOwned(&objects, on: session)
    try keptObjects()?.merge(&objects)
  }

  /// Returns the object stored under an object ID, using the read scope's cache.
  @inlinable @inline(never)
  func findOnce(_ id: T.ObjectIDType) throws -> T? {
    guard let kept = try keptObjects() else { return try findAnew(id) }
    return try kept[id] ?? find(id, keepingIn: kept)
  }

  /// Returns the object stored under an object ID that is not cached yet, and caches it.
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
