package import ObjectVaultDriver
import ObjectVaultSession

/// The temporary tables of a connection.
///
/// They hold long lists of conditions, owners, and the keys of rows to be deleted. They are in
/// memory and never reach a file.
///
/// Creating a table inside a transaction changes the schema. Rolling back a nested transaction
/// would then end every iteration of the outer one. Therefore the usual tables are created before a
/// transaction begins.
package enum TemporaryTables {
  /// Returns the name of the table for a list of a condition.
  package static func list(_ number: Int) -> String { "ov_list_\(number)" }

  package static func makeList(_ name: String, _ catalog: any Catalog) -> String {
    catalog.makeTemporary(name, "(\"value\")")
  }

  /// Returns the name of the table for owners' object IDs.
  ///
  /// - Parameters:
  ///   - types: The types of the columns, as SQLite names them.
  ///   - catalog: The engine.
  /// - Returns: The name.
  package static func owners(_ types: [String], _ catalog: any Catalog) -> String {
    "ov_owners_"
      + (catalog.typesColumns ? types.joined(separator: "_") : String(types.count))
  }

  package static func makeOwners(_ types: [String], _ catalog: any Catalog) -> String {
    let parts = types.enumerated().map { catalog.typesColumns ? "k\($0) \($1)" : "k\($0)" }
    return catalog.makeTemporary(
      owners(types, catalog), "(\(parts.joined(separator: ", ")))")
  }

  /// The table for the keys of rows to be deleted.
  package struct Gone {
    /// Its position among the tables of one removal.
    let place: String
    /// The number of key columns; `nil` for a table with rowids.
    let keyColumns: Int?
    /// Whether rows are looked up by the round in which they were found.
    let hasRounds: Bool

    var name: String {
      "ov_gone_\(place)_\(keyColumns.map { "\($0)" } ?? "r")\(hasRounds ? "_rounds" : "")"
    }

    /// Returns the statements that create the table if it is missing.
    func make(_ catalog: any Catalog) -> [String] {
      let keys = (0..<(keyColumns ?? 1)).map { "k\($0)" }.joined(separator: ", ")
      let quoted = SQL.quoted(name)
      let columns =
        keyColumns == nil
        ? "(k0 INTEGER PRIMARY KEY, round INTEGER)"
        : "(\(keys), round INTEGER, PRIMARY KEY (\(keys))) WITHOUT ROWID"
      let table = catalog.makeTemporary(name, columns)
      // An engine whose columns have types cannot name the schema of an index.
      guard hasRounds, !catalog.typesColumns else { return [table] }
      return [
        table,
        "CREATE INDEX IF NOT EXISTS \(catalog.temporary(name + "_round")) ON \(quoted) (round)",
      ]
    }
  }

  /// Returns the statements that create the tables that conditions and classes usually need.
  static func usual(_ catalog: any Catalog) -> [String] {
    if catalog.typesColumns { return [] }
    let lists = (0..<4).map { makeList(list($0), catalog) }
    let owners = (1...2).map { makeOwners(Array(repeating: "", count: $0), catalog) }
    let gone =
      (0..<6).flatMap { number in
        [nil, 1].map { Gone(place: "\(number)_0", keyColumns: $0, hasRounds: false) }
      }
      + (0..<2).flatMap { number in
        (0..<3).map { Gone(place: "\(number)_\($0)", keyColumns: nil, hasRounds: true) }
      }
    return lists + owners + gone.flatMap { $0.make(catalog) }
  }
}

extension Session {
  /// Creates the usual temporary tables.
  ///
  /// Call it outside a transaction.
  func makeTemporaryTables() throws {
    if lists.haveUsualTables { return }
    try changingTemporaryTables {
      for sql in TemporaryTables.usual(connection.catalog) { try connection.execute(sql) }
    }
    lists.haveUsualTables = true
  }
}
