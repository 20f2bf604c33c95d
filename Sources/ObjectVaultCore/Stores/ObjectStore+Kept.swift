import ObjectVaultEngine

// What a read scope has read before, where it keeps that.

extension StoreAccess {
  /// The identity map that reads of the store are to use: that of the read scope which the thread is in.
  ///
  /// There is none inside a transaction of the thread, which sees what is not committed, and none for a
  /// store that does not see its objects as a whole store of the class does.
  ///
  /// - Throws: What a read throws before it asks the engine.
  @usableFromInline
  func identityMap() throws -> IdentityMap? {
    let record = ThreadRecord.current
    guard record.identityMaps > 0, partition == nil, loadsOwned || !state.hasOwned
    else { return nil }
    let file = try vault.file()
    try state.checkValid()
    guard let scope = record.readScope(of: file.readers), let map = scope.identityMap,
      !file.gate.isHeldByCurrentThread
    else { return nil }
    try file.checkUsable()
    try file.checkNotReplaced(since: scope.connection)
    if let cancellation = record.cancellation, cancellation.isCancelled {
      throw VaultError.cancelled
    }
    return map
  }

  /// What the map keeps of the store's class.
  @usableFromInline
  func kept(in map: IdentityMap) -> KeptClass? { map.kept(state) }
}

extension ObjectStore {
  /// The objects of the class that the read scope has read, where it keeps them and the store takes part.
  ///
  /// - Throws: What a read throws before it asks the engine.
  @inlinable @inline(__always)
  func keptObjects() throws -> KeptObjects<T>? {
    guard let map = try access.identityMap() else { return nil }
    if let kept = access.kept(in: map) { return kept as? KeptObjects<T> }
    return KeptObjects(access, in: map)
  }

  /// The same for rows: where others belong to the objects, they are kept only once they have those.
  func keptObjectsOfRows() throws -> KeptObjects<T>? { mustLoadOwned ? nil : try keptObjects() }

  /// Gives objects those that belong to them, or takes those that are kept in their place.
  func complete(_ objects: inout [T], on connection: VaultConnection) throws {
    guard mustLoadOwned else { return }
    try loadOwned(&objects, on: connection)
    try keptObjects()?.merge(&objects)
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
    return found
  }
}

extension Query {
  @usableFromInline
  func all(keepingIn kept: KeptObjects<T>) throws -> [T] {
    var objects: [T] = []
    try store.access.read(parts) { row in objects.append(try kept.object(row)) }
    return objects
  }

  @usableFromInline
  func first(keepingIn kept: KeptObjects<T>) throws -> T? {
    var first: T?
    try store.access.readFirst(parts) { row in first = try kept.object(row) }
    return first
  }
}
