import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
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
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
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
      try Schema(on: session).dropColumns(columns, of: description)
      opened.noteChange(
        ofTable: description.table,
        columns: try Schema(on: session).names(of: description.table))
      return columns
    }
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
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  public func rebuildSearch() throws {
    let index = try searchIndex
    try transaction { try index.rebuild(on: $0) }
  }

  /// Compares the full-text index of the class with the texts of its objects.
  ///
  /// - Returns: Whether the index contains exactly the terms of the texts.
  /// - Throws: The errors of ``rebuildSearch()``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func isSearchSound() throws -> Bool {
    let index = try searchIndex
    return try transaction { try index.isSound(on: $0) }
  }

  private var searchIndex: SearchIndex {
    get throws(VaultError) {
      guard let index = SearchIndex(state.description) else {
        throw VaultError(
          .invalidArgument,
          "Class '\(classDescription.name)' has no full-text index. Mark a property with "
            + "`@Searchable`.")
      }
      return index
    }
  }
}
