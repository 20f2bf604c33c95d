import ObjectVaultDriver
import ObjectVaultSession

extension ObjectStore {
  /// Returns the object stored under an object ID, or `nil`.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: The object, or `nil` if it is not stored.
  /// - Throws: ``VaultError`` `.invalidArgument` for a ``DynamicObjectID`` with a wrong number of
  ///   parts.
  @inlinable
  public func find(_ id: T.ObjectIDType) throws -> T? {
    if IdentityMap.mayExist { return try findOnce(id) }
    return try findAnew(id)
  }

  @inlinable @inline(__always)
  func findAnew(_ id: T.ObjectIDType) throws -> T? {
    if access.mustLoadOwned { return try findWithOwned(id) }
    return try StoreAccess.one { take in
      try access.find({ try bindParts(of: id, to: $0) }, take)
    }
  }

  @usableFromInline
  func findWithOwned(_ id: T.ObjectIDType) throws -> T? { try find([id]).first }

  /// Returns the objects stored under object IDs, in that order, without missing ones.
  ///
  /// The number of object IDs is not limited.
  ///
  /// - Parameter ids: The object IDs.
  /// - Returns: The objects.
  /// - Throws: ``VaultError`` as ``find(_:)-(T.ObjectIDType)``.
  public func find(_ ids: some Sequence<T.ObjectIDType>) throws -> [T] {
    let opened = try database.opened()
    return try opened.readScope {
      try read { session in
        let kept = try keptObjectsOfRows()
        var objects: [T] = []
        for id in ids {
          if let object = try kept?[id] ?? find(id, kept, on: session) { objects.append(object) }
        }
        try complete(&objects, on: session)
        return objects
      }
    }
  }

  /// Returns whether an object is stored under an object ID.
  ///
  /// - Parameter id: The object ID.
  /// - Returns: `true` if the object is stored.
  /// - Throws: ``VaultError`` as ``find(_:)-(T.ObjectIDType)``.
  public func contains(id: T.ObjectIDType) throws -> Bool {
    try read { session in
      try with(.find, on: session) { statement in
        try bind(id, to: statement)
        return try statement.step()
      }
    }
  }

  private func find(
    _ id: T.ObjectIDType, _ kept: KeptObjects<T>?, on session: Session
  ) throws -> T? {
    try with(.find, on: session) { statement in
      try bind(id, to: statement)
      return try statement.step() ? try object(statement, kept) : nil
    }
  }
}
