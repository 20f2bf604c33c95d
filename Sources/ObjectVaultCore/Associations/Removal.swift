import ObjectVaultEngine

/// The removal of rows of one table with all that must go with them.
///
/// What must go is collected in temporary tables, which are kept in memory, and then deleted from
/// the far end on: the engine's own cascade ends at a depth of 1,000. It takes one statement for each
/// table, and one for each table and level where several tables refer to one another in a circle.
struct Removal {
  let scope: RemovalScope
  let connection: VaultConnection
  private let sets: [String: String]

  /// Begins a removal: nothing is to go yet.
  init(_ scope: RemovalScope, on connection: VaultConnection) throws {
    self.scope = scope
    self.connection = connection
    var sets: [String: String] = [:]
    try connection.changingTemporaryTables {
      for (number, group) in scope.groups.enumerated() {
        for (place, table) in group.tables.enumerated() {
          guard let key = scope.tables[table] else { continue }
          sets[table] = try Self.makeSet(
            "\(number)_\(place)", for: key, hasRounds: group.tables.count > 1, on: connection)
        }
      }
    }
    self.sets = sets
  }

  /// Calls `body` with a removal whose tables are emptied afterwards.
  static func with<R>(
    _ scope: RemovalScope, on connection: VaultConnection, _ body: (Removal) throws -> R
  ) throws -> R {
    let removal = try Removal(scope, on: connection)
    try removal.empty()
    // A table that cannot be emptied is emptied before its next use.
    defer { try? removal.empty() }
    return try body(removal)
  }

  // MARK: Sets

  /// Makes the temporary table that holds the keys of rows that go.
  ///
  /// It stays for the connection's life: making it anew would have every statement compiled anew.
  private static func makeSet(
    _ name: String, for table: RemovalScope.Table, hasRounds: Bool, on connection: VaultConnection
  ) throws -> String {
    let gone = TemporaryTables.Gone(
      place: name, keyColumns: table.hasRowID ? nil : table.key.count, hasRounds: hasRounds)
    for sql in gone.make { try connection.execute(sql) }
    return "temp.\(SQL.quoted(gone.name))"
  }

  private func empty() throws {
    try connection.changingTemporaryTables {
      for set in sets.values { try connection.execute("DELETE FROM \(set)") }
    }
  }

  /// The temporary table of the rows of a table that go.
  func set(_ table: String) -> String { sets[table] ?? "" }

  /// What tells the rows of a table apart, with the name that a statement calls it by.
  func key(_ table: String, of alias: String) -> String {
    (scope.tables[table]?.key ?? []).map { "\(alias).\($0)" }.joined(separator: ", ")
  }

  /// How many rows of a table are to go.
  func count(_ table: String) throws -> Int {
    try connection.with("SELECT count(*) FROM \(set(table))") { try $0.count() }
  }

  // MARK: Adding

  /// What is selected for ``add(_:_:)``: the key of the root's rows, and their round.
  var seedColumns: String {
    "\(key(scope.root, of: SQL.quoted(scope.root))), 0"
  }

  /// Adds rows of the root.
  ///
  /// - Parameter select: A statement that selects ``seedColumns``.
  /// - Returns: How many were added.
  @discardableResult
  func add(_ select: String, _ bind: (Statement) throws -> Void) throws -> Int {
    try insert(adding(select), bind)
  }

  /// The statement that adds rows of the root.
  func adding(_ select: String) -> String {
    "INSERT OR IGNORE INTO \(set(scope.root)) \(select)"
  }

  /// Runs a statement that adds rows.
  ///
  /// - Returns: How many were added.
  func insert(_ sql: String, _ bind: (Statement) throws -> Void = { _ in }) throws -> Int {
    try connection.changingTemporaryTables {
      try connection.with(sql) { statement in
        try bind(statement)
        try statement.run()
        return connection.engine.changes
      }
    }
  }
}
