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
    let columns = table.key.indices.map { "k\($0)" }
    let name = "ov_gone_\(name)_\(table.hasRowID ? "r" : String(columns.count))"
    let definition =
      table.hasRowID
      ? "(k0 INTEGER PRIMARY KEY, round INTEGER)"
      : "(\(columns.joined(separator: ", ")), round INTEGER, "
        + "PRIMARY KEY (\(columns.joined(separator: ", ")))) WITHOUT ROWID"
    let quoted = SQL.quoted(name)
    try connection.execute("CREATE TABLE IF NOT EXISTS temp.\(quoted) \(definition)")
    if hasRounds {
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS temp.\(SQL.quoted(name + "_round")) ON \(quoted) (round)")
    }
    return "temp.\(quoted)"
  }

  private func empty() throws {
    try connection.changingTemporaryTables {
      for set in sets.values { try connection.execute("DELETE FROM \(set)") }
    }
  }

  private func set(_ table: String) -> String { sets[table] ?? "" }

  private func key(_ table: String, of alias: String) -> String {
    (scope.tables[table]?.key ?? []).map { "\(alias).\($0)" }.joined(separator: ", ")
  }

  /// How many rows of a table are to go.
  func count(_ table: String) throws -> Int {
    try connection.with("SELECT count(*) FROM \(set(table))") {
      try $0.step() ? Int($0.row.integer(at: 0)) : 0
    }
  }

  // MARK: Collecting

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

  private func insert(_ sql: String, _ bind: (Statement) throws -> Void = { _ in }) throws -> Int {
    try connection.changingTemporaryTables {
      try connection.with(sql) { statement in
        try bind(statement)
        try statement.run()
        return connection.engine.changes
      }
    }
  }

  /// Adds everything that goes with the rows that were added.
  func collect() throws {
    for group in scope.groups {
      let members = Set(group.tables)
      for table in group.tables {
        let keys = scope.cascades.filter { $0.table == table && !members.contains($0.target) }
        guard !keys.isEmpty else { continue }
        let rows = keys.map { referring($0, round: "0") }
        _ = try insert(
          "INSERT OR IGNORE INTO \(set(table)) \(rows.joined(separator: " UNION ALL "))")
      }
      if group.tables.count > 1 {
        try collectRounds(group)
      } else if !group.circle.isEmpty {
        try collectRecursively(group)
      }
    }
  }

  /// The rows that refer to rows that go: `SELECT key, round …`.
  private func referring(_ key: ForeignKey, round: String, where condition: String = "") -> String {
    "SELECT \(self.key(key.table, of: "c")), \(round) FROM \(referringRows(key, gone: "\(set(key.target))"))"
      + condition
  }

  /// A join of rows that go, as `g`, with the rows that refer to them, as `c`.
  private func referringRows(_ key: ForeignKey, gone: String) -> String {
    guard let target = scope.tables[key.target] else { return "" }
    let child = SQL.quoted(key.table)
    if key.targetColumns.count == 1, target.rowIDAlias == key.targetColumns[0] {
      return "\(gone) AS g CROSS JOIN \(child) AS c ON c.\(SQL.quoted(key.columns[0])) = g.k0"
    }
    let isMeant = zip(target.key, target.key.indices).map { "p.\($0) = g.k\($1)" }
      .joined(separator: " AND ")
    return "\(gone) AS g CROSS JOIN \(SQL.quoted(key.target)) AS p ON \(isMeant) "
      + "CROSS JOIN \(child) AS c ON \(refers(key, to: "p"))"
  }

  private func refers(_ key: ForeignKey, to target: String) -> String {
    zip(key.columns, key.targetColumns)
      .map { "c.\(SQL.quoted($0)) = \(target).\(SQL.quoted($1))" }.joined(separator: " AND ")
  }

  /// A table that refers to itself: one statement, whatever the depth.
  private func collectRecursively(_ group: RemovalScope.Group) throws {
    let name = group.tables[0]
    guard let table = scope.tables[name] else { return }
    let columns = table.key.indices.map { "k\($0)" }.joined(separator: ", ")
    let isMeant = zip(table.key, table.key.indices).map { "p.\($0) = g.k\($1)" }
      .joined(separator: " AND ")
    let refers = group.circle.map { "(\(self.refers($0, to: "p")))" }.joined(separator: " OR ")
    let quoted = SQL.quoted(name)
    _ = try insert(
      "WITH RECURSIVE gone(\(columns)) AS (SELECT \(columns) FROM \(set(name)) UNION "
        + "SELECT \(key(name, of: "c")) FROM gone AS g CROSS JOIN \(quoted) AS p ON \(isMeant) "
        + "CROSS JOIN \(quoted) AS c ON \(refers)) "
        + "INSERT OR IGNORE INTO \(set(name)) SELECT \(columns), 0 FROM gone")
  }

  /// Tables that refer to one another in a circle: one statement for each table and level.
  private func collectRounds(_ group: RemovalScope.Group) throws {
    var round = Int64(0)
    var found = 1
    while found > 0 {
      found = 0
      for table in group.tables {
        let rows = group.circle.filter { $0.table == table }.map {
          referring($0, round: "?1 + 1", where: " WHERE g.round = ?1")
        }
        found += try insert(
          "INSERT OR IGNORE INTO \(set(table)) \(rows.joined(separator: " UNION ALL "))"
        ) { $0.binder.bind(integer: round, at: 0) }
      }
      round += 1
    }
  }

  // MARK: What stays

  /// The rows that refer to rows that go and stay themselves: a clause from `FROM` on.
  private func remaining(_ key: ForeignKey) -> String {
    let rows = "FROM \(referringRows(key, gone: set(key.target)))"
    guard let table = scope.tables[key.table], let set = sets[key.table] else { return rows }
    let isMeant = zip(table.key, table.key.indices).map { "x.k\($1) = c.\($0)" }
      .joined(separator: " AND ")
    return rows + " WHERE NOT EXISTS (SELECT 1 FROM \(set) AS x WHERE \(isMeant))"
  }

  /// How many rows that stay refer to rows that go.
  func countRemaining(_ key: ForeignKey) throws -> Int {
    try connection.with("SELECT count(*) \(remaining(key))") {
      try $0.step() ? Int($0.row.integer(at: 0)) : 0
    }
  }

  /// The first objectIDs of rows that stay and refer to rows that go, where they are numbers.
  func firstRemaining(_ key: ForeignKey, length: Int) throws -> [Int64] {
    let schema = Schema(on: connection)
    let primaryKey = try schema.primaryKey(of: key.table)
    guard primaryKey.count == 1 else { return [] }
    let column = "c.\(SQL.quoted(primaryKey[0]))"
    return try connection.with(
      "SELECT \(column) \(remaining(key)) ORDER BY \(column) LIMIT \(length)"
    ) { statement in
      var numbers: [Int64] = []
      while try statement.step() {
        guard case .integer(let number) = statement.row.storedValue(at: 0) else { return [] }
        numbers.append(number)
      }
      return numbers
    }
  }

  /// - Parameter mayDangle: Whether a reference may be left without its object until the commit.
  /// - Throws: `.removalDenied` where an object that stays forbids it, `.danglingReference` where
  ///   its reference would be left without its object.
  func checkRefusals(mayDangle: Bool) throws {
    for key in scope.refusals where key.denies || !mayDangle {
      let count = try countRemaining(key)
      guard count > 0 else { continue }
      let numbers = try firstRemaining(key, length: 3)
      throw VaultError.refused(
        by: key, target: scope.className(of: key.target), count: count, numbers: numbers)
    }
  }

  // MARK: Deleting

  /// Removes the rows that were added with all that must go with them; inside a transaction.
  ///
  /// - Returns: How many rows of the root went.
  /// - Throws: as ``checkRefusals(mayDangle:)``.
  func run() throws -> Int {
    try collect()
    try checkRefusals(mayDangle: connection.defersReferences)
    let count = try delete()
    try connection.checkReferences()
    return count
  }

  /// Deletes what was collected; inside a transaction.
  ///
  /// - Returns: How many rows of the root went.
  func delete() throws -> Int {
    var removed = 0
    for group in scope.groups.reversed() {
      if !group.circle.isEmpty { try cutCircle(group) }
      for table in group.tables.reversed() {
        guard let key = scope.tables[table]?.key else { continue }
        let columns = key.indices.map { "k\($0)" }.joined(separator: ", ")
        let quoted = SQL.quoted(table)
        let row = key.count == 1 ? "\(quoted).\(key[0])" : "(\(self.key(table, of: quoted)))"
        try connection.with(
          "DELETE FROM \(quoted) WHERE \(row) IN (SELECT \(columns) FROM \(set(table)))"
        ) { try $0.run() }
        if table == scope.root { removed = connection.engine.changes }
      }
    }
    return removed
  }

  /// Has the rows that go refer to nothing, so that the engine does not follow them from one to the
  /// next. A column that must have a value gets one that no row has, until its row is deleted.
  private func cutCircle(_ group: RemovalScope.Group) throws {
    for table in group.tables {
      guard let shape = scope.tables[table] else { continue }
      var cut: [String: String] = [:]
      for key in group.circle where key.table == table {
        // What tells rows apart must stay.
        let fixed = Set(
          [shape.rowIDAlias].compactMap { $0 } + (shape.hasRowID ? [] : shape.primaryKey))
        let free = key.columns.filter { !fixed.contains($0) }
        if let column = free.first(where: shape.optionalColumns.contains) {
          cut[column] = "NULL"
        } else if let column = free.first(where: { !shape.primaryKey.contains($0) }) ?? free.first {
          cut[column] = "randomblob(16)"
        }
      }
      guard !cut.isEmpty else { continue }
      if cut.values.contains("randomblob(16)") {
        try connection.execute("PRAGMA defer_foreign_keys = ON")
      }
      let assignments = cut.sorted { $0.key < $1.key }
        .map { "\(SQL.quoted($0.key)) = \($0.value)" }.joined(separator: ", ")
      let columns = shape.key.indices.map { "k\($0)" }.joined(separator: ", ")
      let quoted = SQL.quoted(table)
      let row = shape.key.count == 1 ? "\(quoted).\(shape.key[0])" : "(\(key(table, of: quoted)))"
      // Whatever fails undoes the whole removal, so that the statement needs no journal of its own.
      try connection.with(
        "UPDATE OR FAIL \(quoted) SET \(assignments) WHERE \(row) IN "
          + "(SELECT \(columns) FROM \(set(table)))"
      ) { try $0.run() }
    }
  }
}

extension VaultError {
  /// Objects that stay refer to some that were to go.
  static func refused(
    by key: ForeignKey, target: String, count: Int, numbers: [Int64]
  ) -> VaultError {
    let names = numbers.map(String.init).joined(separator: ", ")
    let which = names.isEmpty ? "" : " (objectID \(names)\(count > numbers.count ? ", …" : ""))"
    let (objects, refer) = count == 1 ? ("object", "refers") : ("objects", "refer")
    let remedy = "Remove \(count == 1 ? "it" : "them") first, or have the reference name another."
    if key.denies {
      return VaultError(
        .removalDenied,
        "An object of class '\(target)' cannot be removed: \(count) \(objects) of class "
          + "'\(key.className)'\(which) \(refer) to it by '\(key.name)', whose delete rule is to deny "
          + "that. Nothing was removed. \(remedy)")
    }
    return VaultError(
      .danglingReference,
      "An object of class '\(target)' cannot be removed: \(count) \(objects) of class "
        + "'\(key.className)'\(which) \(refer) to it by '\(key.name)'. Nothing was removed. \(remedy)"
    )
  }
}
