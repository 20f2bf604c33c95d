package import ObjectVaultDriver
package import ObjectVaultSession

/// A removal of rows of one table with all dependent rows.
///
/// The dependent rows are collected in temporary tables in memory and then deleted, beginning with
/// the rows at the greatest depth, because SQLite's own cascade is limited to a depth of 1,000. The
/// removal uses one statement for each table, and one for each table and level in a cycle of
/// several tables.
package struct Removal {
  package let scope: RemovalScope
  let session: Session
  let tables: [String: RemovalScope.Table]
  private let sets: [String: String]

  /// Creates a removal without rows.
  init(_ scope: RemovalScope, on session: Session) throws {
    self.scope = scope
    self.session = session
    let tables = try scope.tables(in: Schema(on: session))
    self.tables = tables
    var sets: [String: String] = [:]
    try session.changingTemporaryTables {
      for (number, group) in scope.groups.enumerated() {
        for (place, table) in group.tables.enumerated() {
          guard let key = tables[table] else { continue }
          sets[table] = try Self.makeSet(
            "\(number)_\(place)", for: key, hasRounds: group.tables.count > 1, on: session)
        }
      }
    }
    self.sets = sets
  }

  /// Calls `body` with a removal and empties its temporary tables afterwards.
  package static func with<R>(
    _ scope: RemovalScope, on session: Session, _ body: (Removal) throws -> R
  ) throws -> R {
    let removal = try Removal(scope, on: session)
    try removal.empty()
    // A table that can't be emptied now is emptied before its next use.
    defer { try? removal.empty() }
    return try body(removal)
  }

  // MARK: Temporary tables

  /// Creates the temporary table for the keys of deleted rows.
  ///
  /// The table exists until the connection closes: recreating it would recompile every statement. An
  /// engine whose columns have types recreates one for the primary key of a table.
  private static func makeSet(
    _ name: String, for table: RemovalScope.Table, hasRounds: Bool, on session: Session
  ) throws -> String {
    let gone = TemporaryTables.Gone(
      place: name, keyColumns: table.hasRowID ? nil : table.key.count, hasRounds: hasRounds)
    let catalog = session.connection.catalog
    let typed =
      table.hasRowID ? nil : catalog.makeTemporary(gone.name, forKeysOf: table.name, table.key)
    for sql in typed ?? gone.make(catalog) { try session.execute(sql) }
    return catalog.temporary(gone.name)
  }

  private func empty() throws {
    try session.changingTemporaryTables {
      for set in sets.values { try session.execute("DELETE FROM \(set)") }
    }
  }

  /// The statements of the engine for temporary tables.
  var catalog: any Catalog { session.connection.catalog }

  /// Returns the temporary table with the keys of a table's deleted rows.
  func set(_ table: String) -> String { sets[table] ?? "" }

  /// Returns the columns that identify the rows of a table, qualified with an alias.
  func key(_ table: String, of alias: String) -> String {
    (tables[table]?.key ?? []).map { "\(alias).\($0)" }.joined(separator: ", ")
  }

  /// Returns the number of collected rows of a table.
  package func count(_ table: String) throws -> Int {
    try session.with("SELECT count(*) FROM \(set(table))") { try $0.count() }
  }

  // MARK: Adding

  /// The columns to select for ``add(_:_:)``: the key of the root's rows and their round.
  package var seedColumns: String {
    "\(key(scope.root, of: SQL.quoted(scope.root))), 0"
  }

  /// Adds rows of the root table.
  ///
  /// - Parameters:
  ///   - select: A statement that selects ``seedColumns``.
  ///   - bind: A function that binds the parameters of the statement.
  /// - Returns: The number of added rows.
  /// - Throws: The errors of the statement and of `bind`.
  @discardableResult
  package func add(_ select: String, _ bind: (Statement) throws -> Void) throws -> Int {
    try insert(adding(select), bind)
  }

  /// Returns the statement that adds rows of the root table.
  package func adding(_ select: String) -> String {
    catalog.insertingNew(into: set(scope.root), select)
  }

  /// Runs a statement that adds rows.
  ///
  /// - Returns: The number of added rows.
  /// - Throws: The errors of the statement and of `bind`.
  func insert(_ sql: String, _ bind: (Statement) throws -> Void = { _ in }) throws -> Int {
    try session.changingTemporaryTables {
      try session.with(sql) { statement in
        try bind(statement)
        try statement.run()
        return session.connection.changes
      }
    }
  }
}
