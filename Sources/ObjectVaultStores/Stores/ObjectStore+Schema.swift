import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSession

extension ObjectStore {
  /// Drops the columns of the class's table that no property has any more, with all their values.
  ///
  /// A property that is removed from a class leaves its column in the table, so nothing is lost
  /// until this method is called. The table is rebuilt, which is impossible inside a transaction.
  ///
  /// - Returns: The names of the dropped columns, in table order.
  /// - Throws: ``VaultError``: `.invalidArgument` for a partition; `.upgradeInTransaction` inside a
  ///   transaction; `.upgradeRefused` if an index, trigger or view of another program needs one of
  ///   the columns, or another table refers to it. Nothing is changed then.
  @discardableResult
  public func dropRemovedProperties() throws -> [String] {
    try checkIsWhole(to: "drop columns")
    let opened = try database.opened()
    try state.checkValid()
    let description = state.description
    func removed(_ session: Session) throws -> [String] {
      let hidden = description.options.keepsInsertionTime ? [InsertionTime.column] : []
      let known = Set((description.rowColumns + hidden).map(\.asciiLowercased))
      return try Schema(on: session).columns(of: description.table).map(\.name)
        .filter { !known.contains($0.asciiLowercased) }
    }
    if try opened.read({ try removed($0) }).isEmpty { return [] }
    return try opened.upgrade { session in
      let columns = try removed(session)
      // Another process may have dropped the columns since the first check.
      if columns.isEmpty { return [] }
      try database.willUpgrade(on: session)
      try SharedBlobs.forget(columns, ofTable: description, on: session)
      let broken = try DependentObjects(on: session)
      let table = try PresentTable(description.table, in: Schema(on: session))
      let rebuild = try TableRebuild(table, without: columns, for: description)
      try TableRebuild.run([rebuild], for: [description], on: session) { _ in true }
      try ForeignKeyCheck.run(for: [description], on: session)
      try DependentObjects(on: session).check(before: broken.broken, for: description)
      opened.noteChange(
        ofTable: description.table,
        columns: try Schema(on: session).names(of: description.table))
      return columns
    }
  }
}

extension TableRebuild {
  /// Creates a plan that rebuilds a table without the given columns.
  fileprivate init(
    _ table: PresentTable, without columns: [String], for description: ClassDescription
  ) throws(VaultError) {
    guard var text = table.text else {
      throw description.refusedUpgrade(
        "table '\(table.name)' is virtual and cannot be changed",
        remedy: "Keep its columns.")
    }
    let dropped = Set(columns.map(\.asciiLowercased))
    text.columns.removeAll { dropped.contains($0.name.asciiLowercased) }
    // A constraint that covers only dropped columns is dropped too.
    text.constraints.removeAll { constraint in
      guard constraint.kind == .unique || constraint.kind == .foreignKey else { return false }
      return constraint.columns.allSatisfy { dropped.contains($0.asciiLowercased) }
    }
    self.init(unchanged: table, as: text)
  }
}

extension ObjectStore {
  /// Rebuilds the full-text index of the class from the texts of its objects.
  ///
  /// Missing triggers of the index are created again. The file normally updates the index by
  /// itself, for writes by any program. Two causes can leave it wrong, and this method fixes them:
  /// SQLite's `REPLACE` conflict clause, in SQL or in another program, and rows renumbered by a
  /// dump.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` if the class has no searched properties,
  ///   `.searchUnavailable` if the engine lacks the module of the index.
  public func rebuildSearch() throws {
    let definition = try searchDefinition
    let table = state.description.table
    try transaction { session in
      let schema = Schema(on: session)
      if try PresentSearch(ofTable: table, in: schema).statements != definition.statementsByName {
        try schema.dropSearch(of: table)
        for (_, sql) in definition.statements { try session.execute(sql) }
      }
      try session.execute(definition.rebuild)
    }
  }

  /// Compares the full-text index of the class with the texts of its objects.
  ///
  /// - Returns: Whether the index contains exactly the terms of the texts.
  /// - Throws: The errors of ``rebuildSearch()``.
  public func isSearchSound() throws -> Bool {
    let definition = try searchDefinition
    let version = try Engine.prove().sqliteVersionNumber
    return try transaction { session in
      do {
        try session.execute(definition.check(comparingContent: version >= 3_042_000))
        return true
      } catch let error as DriverError {
        guard error.code == .corrupt else { throw error }
        return false
      }
    }
  }

  private var searchDefinition: SearchDefinition {
    get throws(VaultError) {
      guard let definition = SearchDefinition(state.description) else {
        throw VaultError(
          .invalidArgument,
          "Class '\(classDescription.name)' has no full-text index. Mark a property with "
            + "`@Searchable`.")
      }
      return definition
    }
  }
}

extension ObjectStore where T: Sendable {
  /// Rebuilds the full-text index of the class without blocking the caller's thread.
  public func rebuildSearch() async throws {
    try await writing { try rebuildSearch() }
  }

  /// Compares the full-text index with the texts without blocking the caller's thread.
  public func isSearchSound() async throws -> Bool {
    try await writing { try isSearchSound() }
  }
}
