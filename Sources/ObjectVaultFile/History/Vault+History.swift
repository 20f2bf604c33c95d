public import ObjectVaultModel
import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Returns the recorded changes after a position, oldest first.
  ///
  /// Classes record their changes with ``TableOptions/history``. The history contains the names of
  /// changed properties and no values: read the current object by its object ID. The changes and
  /// the position are of one snapshot. Read them and the objects in one
  /// ``Database/read(caching:_:)-(_,()->R)`` scope.
  ///
  /// - Parameters:
  ///   - position: The position after the last processed change; `nil` begins with the oldest
  ///     stored change.
  ///   - classes: The classes; by default all.
  ///   - limit: The maximum number of changes.
  /// - Returns: The changes, and the position to continue from.
  /// - Throws: ``VaultError``: `.historyIncomplete` if changes after the position were pruned, or
  ///   the file was restored from an older copy, so that a synchronization must start again;
  ///   `.invalidArgument` if a class has neither a history nor stored changes, or the limit is not
  ///   positive.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func changes(
    since position: HistoryPosition?, of classes: [any StoredObject.Type] = [],
    limit: Int = 1_000
  ) throws -> ObjectChanges {
    try changes(since: position, tables: classes.map { $0.classDescription.table }, limit: limit)
  }

  /// Returns the recorded changes of the classes with these names after a position.
  ///
  /// A class that was removed has the name of its table.
  ///
  /// - Parameters:
  ///   - position: The position after the last processed change; `nil` begins with the oldest
  ///     stored change.
  ///   - names: The names of the classes or of their tables.
  ///   - limit: The maximum number of changes.
  /// - Returns: The changes, and the position to continue from.
  /// - Throws: ``VaultError`` as ``changes(since:of:limit:)``, and `.noSuchClass`.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func changes(
    since position: HistoryPosition?, ofClassesNamed names: [String], limit: Int = 1_000
  ) throws -> ObjectChanges {
    let tables = try names.map { name in
      if let known = try knownClass(named: name) { return known.table }
      // The class was removed.
      if try file().read({ try HistoryReader(on: $0).hasChanges(ofTable: name) }) { return name }
      return try store(named: name).classDescription.table
    }
    return try changes(since: position, tables: tables, limit: limit)
  }

  /// Returns the position after the last change.
  ///
  /// Read it in the same scope as the objects of a first synchronization, and continue from it.
  ///
  /// - Throws: ``VaultError`` if the file cannot be read.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func historyPosition() throws -> HistoryPosition {
    try file().read { try HistoryReader(on: $0).end() }
  }

  private func changes(
    since position: HistoryPosition?, tables: [String], limit: Int
  ) throws -> ObjectChanges {
    guard limit > 0 else {
      throw VaultError(.invalidArgument, "The limit of changes must be at least 1.")
    }
    let file = try file()
    return try file.readScope {
      try file.read { session in
        let reader = HistoryReader(on: session)
        for table in tables { try reader.checkHistory(ofTable: table) }
        if let position { try reader.check(position, path: path) }
        return try reader.changes(since: position?.sequence ?? 0, tables, limit: limit)
      }
    }
  }

  /// Sets the author of the changes that follow in this thread's transaction.
  ///
  /// It replaces ``VaultConfiguration/author`` until the transaction ends. The author is text of the
  /// application, such as a user or a device, and is not verified.
  ///
  /// ```swift
  /// try vault.transaction {
  ///   try vault.setAuthor("sync")
  ///   try students.save(received)
  /// }
  /// ```
  ///
  /// - Parameter author: The author, or `nil` for none.
  /// - Throws: ``VaultError``: `.invalidArgument` outside a transaction.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func setAuthor(_ author: String?) throws {
    let file = try file()
    guard file.sessions.isInTransaction else {
      throw VaultError(
        .invalidArgument,
        "An author belongs to the changes of a transaction. Call `setAuthor` inside "
          + "`vault.transaction`, or set the `author` of the configuration.")
    }
    try file.transaction { try file.authors.set(author, on: $0) }
  }
}
