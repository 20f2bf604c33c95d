import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension ObjectStore {
  @usableFromInline
  func insertWithOwned(
    _ objects: some Sequence<T>, _ owned: OwnedSaving
  ) throws -> [T.ObjectIDType] {
    try transaction { session in
      var owners = Array(objects)
      // Their numbers are new, so that no reference leads to them, except to a future object.
      let areNew =
        owners.allSatisfy { $0.storedObjectID == nil }
        && session.connection.deferredForeignKeyViolations == 0
      let ids = try insertAll(&owners, on: session)
      try saveOwned(of: &owners, owned, on: session, areNew: areNew)
      try session.checkReferences()
      return ids
    }
  }

  /// Inserts objects without their owned objects, inside a transaction.
  ///
  /// - Parameters:
  ///   - objects: The objects, which get their generated object IDs.
  ///   - session: The writer connection.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: The errors of storing.
  @discardableResult
  func insertAll(_ objects: inout [T], on session: Session) throws -> [T.ObjectIDType] {
    var ids: [T.ObjectIDType] = []
    ids.reserveCapacity(objects.count)
    try access.withInsertion(on: session) { insertion in
      try objects.withUnsafeBufferPointer { try insert($0, &insertion, &ids) }
    }
    // Instances have their object IDs since the insert.
    if !(T.self is AnyObject.Type) {
      for index in objects.indices where objects[index].storedObjectID == nil {
        objects[index].assignObjectID(ids[index])
      }
    }
    return ids
  }
}
