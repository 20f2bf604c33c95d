/// What a removal would do, counted beforehand; nothing of the file is changed for it.
public struct DeletionPlan: Sendable, Hashable {
  /// What would become of the objects of one class.
  public struct Entry: Sendable, Hashable {
    /// The name of the class, or of the table where the file describes none.
    public var className: String
    /// The table.
    public var table: String
    /// How many objects would be removed.
    public var removed: Int
    /// How many references of objects that stay would become `nil`.
    public var nullified: Int
    /// How many references of objects that stay forbid the removal: by `deny`, or because they would
    /// be left without their objects.
    public var denying: Int
  }

  /// The class whose objects are to be removed, then those that refer to it, and so on; without those
  /// in which nothing would happen.
  public var entries: [Entry]

  /// Whether nothing forbids the removal.
  public var isAllowed: Bool { entries.allSatisfy { $0.denying == 0 } }

  /// How many objects would be removed, of all classes.
  public var removed: Int { entries.reduce(0) { $0 + $1.removed } }
}

extension Removal {
  /// Counts what was collected and what stands around it.
  func plan() throws -> DeletionPlan {
    var entries: [DeletionPlan.Entry] = []
    func change(_ table: String, _ name: String, _ change: (inout DeletionPlan.Entry) -> Void) {
      let index = entries.firstIndex { $0.table == table } ?? entries.endIndex
      if index == entries.endIndex {
        entries.append(
          DeletionPlan.Entry(className: name, table: table, removed: 0, nullified: 0, denying: 0))
      }
      change(&entries[index])
    }
    for table in scope.groups.flatMap(\.tables) {
      let count = try count(table)
      if count > 0 || table == scope.root {
        change(table, scope.className(of: table)) { $0.removed = count }
      }
    }
    for key in scope.nullified {
      let count = try countRemaining(key)
      if count > 0 { change(key.table, key.className) { $0.nullified += count } }
    }
    for key in scope.refusals {
      let count = try countRemaining(key)
      if count > 0 { change(key.table, key.className) { $0.denying += count } }
    }
    return DeletionPlan(entries: entries)
  }
}

extension ObjectStore {
  /// What removing a stored object would do: how many objects of which classes would go with it,
  /// stay without their reference, or forbid it.
  ///
  /// - Throws: ``VaultError``: `.noObjectID` where the object has none, `.noSuchObject` where
  ///   nothing is stored under it.
  public func deletionPlan(of object: T) throws -> DeletionPlan {
    try deletionPlan(ofIDs: CollectionOfOne(objectID(of: object)))
  }

  /// What removing the objects stored under objectIDs would do.
  ///
  /// - Throws: ``VaultError`` `.noSuchObject` where nothing is stored under one of them.
  public func deletionPlan(ofIDs ids: some Sequence<T.ObjectIDType>) throws -> DeletionPlan {
    try deletionPlan { removal, _ in
      for id in ids { try add(id, to: removal) }
    }
  }

  /// What removing every object would do.
  public func deletionPlan() throws -> DeletionPlan { try query.deletionPlan() }

  fileprivate func deletionPlan(
    _ add: (Removal, VaultConnection) throws -> Void
  ) throws -> DeletionPlan {
    let file = try vault.file()
    return try file.readScope {
      try read { connection in
        try Removal.with(try removalScope(on: connection), on: connection) { removal in
          try add(removal, connection)
          try removal.collect()
          return try removal.plan()
        }
      }
    }
  }
}

extension Query {
  /// What removing the objects would do.
  public func deletionPlan() throws -> DeletionPlan {
    try store.deletionPlan { removal, connection in
      _ = try add(to: removal, on: connection)
    }
  }
}

// The asynchronous forms: the synchronous ones, on a thread of the vault's own.

extension ObjectStore where T: Sendable {
  /// What removing a stored object would do, without blocking the caller's thread.
  public func deletionPlan(of object: T) async throws -> DeletionPlan {
    try await reading { try deletionPlan(of: object) }
  }

  /// What removing the objects stored under objectIDs would do, without blocking the caller's thread.
  public func deletionPlan(
    ofIDs ids: some Sequence<T.ObjectIDType> & Sendable
  ) async throws -> DeletionPlan {
    try await reading { try deletionPlan(ofIDs: ids) }
  }

  /// What removing every object would do, without blocking the caller's thread.
  public func deletionPlan() async throws -> DeletionPlan { try await query.deletionPlan() }
}

extension Query where T: Sendable {
  /// What removing the objects would do, without blocking the caller's thread.
  public func deletionPlan() async throws -> DeletionPlan {
    try await store.reading { try deletionPlan() }
  }
}
