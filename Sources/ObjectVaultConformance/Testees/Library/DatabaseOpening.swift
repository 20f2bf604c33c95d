package import ObjectVaultCondition
package import ObjectVaultCore

/// The way to open databases that are not files, for fixtures.
package struct DatabaseOpening: Sendable {
  /// The name and version of the engine, for reports.
  let engine: String
  /// Opens the database for a path of a fixture.
  let open: @Sendable (_ path: String) throws -> any Database
  /// Closes a database.
  let close: @Sendable (any Database) -> Void
  /// Returns the rows of a table in the order of their insertion, as they are stored.
  let contents: @Sendable (any Database, _ table: String) throws -> [[StoredValue]]

  /// Creates an opening.
  ///
  /// - Parameters:
  ///   - engine: The name and version of the engine.
  ///   - open: Returns the open database for an absolute path, the same one for the same path.
  ///   - close: Closes a database that `open` returned.
  ///   - contents: Returns the rows of a table.
  package init(
    engine: String, open: @escaping @Sendable (_ path: String) throws -> any Database,
    close: @escaping @Sendable (any Database) -> Void,
    contents: @escaping @Sendable (any Database, _ table: String) throws -> [[StoredValue]]
  ) {
    self.engine = engine
    self.open = open
    self.close = close
    self.contents = contents
  }
}

/// The error of an operation that the testee does not support.
struct NotSupported: Error {
  /// The missing capability.
  let reason: String
}
