import ObjectVaultEngine

/// The temporary tables of a connection, which hold long lists of conditions, owners, and the keys of rows
/// that are to be deleted. They are kept in memory and never reach a file.
///
/// A table that is made inside a transaction changes the schema. An inner transaction that is undone then
/// ends every iteration of the outer one, so the usual tables are made before a transaction begins.
enum TemporaryTables {
  /// The name of the table for a list of a condition.
  static func list(_ number: Int) -> String { "ov_list_\(number)" }

  static func makeList(_ name: String) -> String {
    "CREATE TABLE IF NOT EXISTS temp.\(SQL.quoted(name)) (\"value\")"
  }

  /// The name of the table for the objectIDs of owners, of so many columns each.
  static func owners(columns: Int) -> String { "ov_owners_\(columns)" }

  static func makeOwners(columns: Int) -> String {
    let parts = (0..<columns).map { "k\($0)" }.joined(separator: ", ")
    return "CREATE TABLE IF NOT EXISTS temp.\(SQL.quoted(owners(columns: columns))) (\(parts))"
  }

  /// The table for the keys of rows that go.
  struct Gone {
    /// Its place among the tables of one removal.
    let place: String
    /// How many columns the key has; `nil` for a table with rowids.
    let keyColumns: Int?
    /// Whether rows are looked up by the round in which they were found.
    let hasRounds: Bool

    var name: String {
      "ov_gone_\(place)_\(keyColumns.map { "\($0)" } ?? "r")\(hasRounds ? "_rounds" : "")"
    }

    /// The statements that make it where it is missing.
    var make: [String] {
      let keys = (0..<(keyColumns ?? 1)).map { "k\($0)" }.joined(separator: ", ")
      let quoted = SQL.quoted(name)
      let columns =
        keyColumns == nil
        ? "(k0 INTEGER PRIMARY KEY, round INTEGER)"
        : "(\(keys), round INTEGER, PRIMARY KEY (\(keys))) WITHOUT ROWID"
      let table = "CREATE TABLE IF NOT EXISTS temp.\(quoted) \(columns)"
      guard hasRounds else { return [table] }
      return [
        table,
        "CREATE INDEX IF NOT EXISTS temp.\(SQL.quoted(name + "_round")) ON \(quoted) (round)",
      ]
    }
  }

  /// The statements that make the tables that conditions and classes usually need.
  static let usual: [String] =
    (0..<4).map { makeList(list($0)) } + (1...2).map { makeOwners(columns: $0) }
    + (0..<6).flatMap { number in
      [nil, 1].flatMap { Gone(place: "\(number)_0", keyColumns: $0, hasRounds: false).make }
    }
    + (0..<2).flatMap { number in
      (0..<3).flatMap { place in
        Gone(place: "\(number)_\(place)", keyColumns: nil, hasRounds: true).make
      }
    }
}

extension VaultConnection {
  /// Makes the usual temporary tables; outside a transaction.
  func makeTemporaryTables() throws {
    if hasTemporaryTables { return }
    try changingTemporaryTables {
      for sql in TemporaryTables.usual { try engine.execute(sql) }
    }
    hasTemporaryTables = true
  }
}
