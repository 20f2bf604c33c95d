import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSession

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
