import ObjectVaultEngine

extension ObjectStore {
  /// The object stored under an objectID, or `nil`.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` for a ``DynamicObjectID`` with more or fewer parts
  ///   than the class's.
  public func find(_ id: T.ObjectIDType) throws -> T? {
    try readWithOwned { connection in
      try find(id, on: connection).map { try loadingOwned($0, on: connection) }
    }
  }

  /// The objects stored under objectIDs, in that order; an objectID under which nothing is stored
  /// has no place in the result. Any number of objectIDs may be given.
  public func find(_ ids: some Sequence<T.ObjectIDType>) throws -> [T] {
    let file = try vault.file()
    return try file.readScope {
      try read { connection in
        var objects: [T] = []
        for id in ids {
          if let object = try find(id, on: connection) { objects.append(object) }
        }
        try loadOwned(&objects, on: connection)
        return objects
      }
    }
  }

  /// Whether an object is stored under an objectID.
  ///
  /// - Throws: as ``find(_:)-(T.ObjectIDType)``.
  public func contains(id: T.ObjectIDType) throws -> Bool {
    try read { connection in
      try state.with(.find, on: connection) { statement in
        try bind(id, to: statement)
        return try statement.step()
      }
    }
  }

  private func find(_ id: T.ObjectIDType, on connection: VaultConnection) throws -> T? {
    try state.with(.find, on: connection) { statement in
      try bind(id, to: statement)
      return try statement.step() ? try object(statement) : nil
    }
  }
}
