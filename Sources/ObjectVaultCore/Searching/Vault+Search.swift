import ObjectVaultEngine

extension ObjectStore {
  /// Makes the class's index of words anew from the texts of its objects; with its triggers, where these
  /// are gone.
  ///
  /// The file keeps the index in step by itself, whoever writes; what only SQLite's `REPLACE` conflict
  /// clause, in SQL or in another program, or rows numbered anew by a dump, can leave wrong is mended
  /// here.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` where the class has no searched properties,
  ///   `.searchUnavailable` where the engine lacks the module that keeps the index.
  public func rebuildSearch() throws {
    let definition = try searchDefinition
    let table = state.description.table
    try transaction { connection in
      let schema = Schema(on: connection)
      if try PresentSearch(ofTable: table, in: schema).statements != definition.statementsByName {
        try schema.dropSearch(of: table)
        for (_, sql) in definition.statements { try connection.execute(sql) }
      }
      try connection.execute(definition.rebuild)
    }
  }

  /// Compares the class's index of words with the texts of its objects.
  ///
  /// - Returns: Whether it has all of them and nothing else.
  /// - Throws: as ``rebuildSearch()``.
  public func isSearchSound() throws -> Bool {
    let definition = try searchDefinition
    let version = try Engine.prove().sqliteVersionNumber
    return try transaction { connection in
      do {
        try connection.execute(definition.check(comparingContent: version >= 3_042_000))
        return true
      } catch let error as EngineError {
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
          "Class '\(classDescription.name)' has no property that is searched for words.")
      }
      return definition
    }
  }
}

extension ObjectStore where T: Sendable {
  /// Makes the class's index of words anew without blocking the caller's thread.
  public func rebuildSearch() async throws {
    try await writing { try rebuildSearch() }
  }

  /// Compares the class's index of words with the texts without blocking the caller's thread.
  public func isSearchSound() async throws -> Bool {
    try await writing { try isSearchSound() }
  }
}
