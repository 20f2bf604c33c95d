import ObjectVaultEngine

extension Query {
  /// The objects.
  public func all() throws -> [T] {
    try run(\.select) { try store.objects($0) }
  }

  /// The first object, or `nil` where there is none.
  public func first() throws -> T? {
    let one = try range(offset: offset, length: min(length ?? 1, 1))
    return try one.run(\.select) { try $0.step() ? try store.object($0) : nil }
  }

  /// How many objects there are.
  public func count() throws -> Int {
    try run(\.count) { statement in
      try statement.step() ? Int(statement.row.integer(at: 0)) : 0
    }
  }

  /// Whether there is an object.
  public func exists() throws -> Bool {
    try run(\.exists) { statement in
      try statement.step() && statement.row.integer(at: 0) != 0
    }
  }

  /// Calls `body` with each object, one in memory at a time, as they are at this moment.
  ///
  /// - Throws: What `body` throws, which ends the iteration.
  public func forEach(_ body: (T) throws -> Void) throws {
    let cursor = try cursor()
    while let object = try cursor.next() { try body(object) }
  }

  /// The objects one at a time, as they are at this moment: a lazy iteration.
  public func cursor() throws -> ObjectCursor<T> {
    try ObjectCursor(self)
  }

  /// Removes the objects, in one transaction.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func remove() throws -> Int {
    try store.write { connection in
      try QuerySQL.with(self, \.remove, on: connection) { statement in
        try statement.run()
        // Before the lists of the condition are emptied, which changes rows too.
        return connection.engine.changes
      }
    }
  }

  private func run<R>(
    _ text: (QuerySQL) -> String, _ body: (Statement) throws -> R
  ) throws -> R {
    try store.read { connection in
      try QuerySQL.with(self, text, on: connection, body)
    }
  }
}

extension ObjectStore {
  /// Every object, in the order of insertion.
  public func all() throws -> [T] { try query.all() }

  /// The object inserted first, or `nil` where there is none.
  public func first() throws -> T? { try query.first() }

  /// How many objects there are.
  public func count() throws -> Int { try query.count() }

  /// Calls `body` with each object, one in memory at a time; see ``Query/forEach(_:)-((T)->Void)``.
  public func forEach(_ body: (T) throws -> Void) throws { try query.forEach(body) }
}
