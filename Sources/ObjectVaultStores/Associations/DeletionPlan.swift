import ObjectVaultSchema
import ObjectVaultSession

/// The effects of a removal, counted in advance without a change of the file.
public struct DeletionPlan: Sendable, Hashable {
  /// The effects of a removal on the objects of one class.
  public struct Entry: Sendable, Hashable {
    /// The name of the class, or of the table if the file has no description of it.
    public var className: String
    /// The name of the table.
    public var table: String
    /// The number of objects that would be removed.
    public var removed: Int
    /// The number of references from remaining objects that would become `nil`.
    public var nullified: Int
    /// The number of references from remaining objects that prevent the removal.
    ///
    /// The delete rule of such a reference is `deny`, or the reference would become dangling.
    public var denying: Int
  }

  /// The effects by class, beginning with the class of the objects to remove.
  ///
  /// Referring classes follow, and classes that refer to these. Classes without effects are
  /// omitted.
  public var entries: [Entry]

  /// Whether no reference prevents the removal.
  public var isAllowed: Bool { entries.allSatisfy { $0.denying == 0 } }

  /// The total number of objects that would be removed.
  public var removed: Int { entries.reduce(0) { $0 + $1.removed } }
}

extension Removal {
  /// Returns the number of effects of the collected rows.
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
      let count = try self.count(table)
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
  /// Returns the effects of removing a stored object.
  ///
  /// The plan counts, by class, the objects that would be removed with it, lose a reference to it,
  /// or prevent its removal.
  ///
  /// - Throws: ``VaultError``: `.noObjectID` if the object has no ID, `.noSuchObject` if no object
  ///   is stored under it.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan(of object: T) throws -> DeletionPlan {
    try deletionPlan(ofIDs: CollectionOfOne(objectID(of: object)))
  }

  /// Returns the effects of removing the objects with the given object IDs.
  ///
  /// - Throws: ``VaultError`` `.noSuchObject` if no object is stored under one of them.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan(ofIDs ids: some Sequence<T.ObjectIDType>) throws -> DeletionPlan {
    try deletionPlan { removal, _ in
      for id in ids { try add(id, to: removal) }
    }
  }

  /// Returns the effects of removing all objects.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan() throws -> DeletionPlan { try query.deletionPlan() }

  fileprivate func deletionPlan(
    _ add: (Removal, Session) throws -> Void
  ) throws -> DeletionPlan {
    let opened = try database.opened()
    return try opened.readScope {
      try read { session in
        try Removal.with(try removalScope(on: session), on: session) { removal in
          try add(removal, session)
          try removal.collect()
          return try removal.plan()
        }
      }
    }
  }
}

extension Query {
  /// Returns the effects of removing the objects of the query.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func deletionPlan() throws -> DeletionPlan {
    try store.deletionPlan { removal, session in
      _ = try add(to: removal, on: session)
    }
  }
}

// The asynchronous variants, which run the synchronous ones on the vault's own threads.
