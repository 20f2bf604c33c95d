import ObjectVaultDriver
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

  package static func makeList(_ name: String) -> String {
    "CREATE TABLE IF NOT EXISTS temp.\(SQL.quoted(name)) (\"value\")"
  }

  /// Returns the name of the table for owners' object IDs with this number of columns.
  package static func owners(columns: Int) -> String { "ov_owners_\(columns)" }

  package static func makeOwners(columns: Int) -> String {
    let parts = (0..<columns).map { "k\($0)" }.joined(separator: ", ")
    return "CREATE TABLE IF NOT EXISTS temp.\(SQL.quoted(owners(columns: columns))) (\(parts))"
  }

  /// The table for the keys of rows to be deleted.
  package struct Gone {
    /// Its position among the tables of one removal.
    let place: String
    /// The number of key columns; `nil` for a table with rowids.
    let keyColumns: Int?
    /// Whether rows are looked up by the round in which they were found.
    let hasRounds: Bool

    package init(place: String, keyColumns: Int?, hasRounds: Bool) {
      self.place = place
      self.keyColumns = keyColumns
      self.hasRounds = hasRounds
    }

    var name: String {
      "ov_gone_\(place)_\(keyColumns.map { "\($0)" } ?? "r")\(hasRounds ? "_rounds" : "")"
    }

    /// The statements that create the table if it is missing.
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

  /// The statements that create the tables that conditions and classes usually need.
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

extension Session {
  /// Creates the usual temporary tables.
  ///
  /// Call it outside a transaction.
  func makeTemporaryTables() throws {
    if lists.haveUsualTables { return }
    try changingTemporaryTables {
      for sql in TemporaryTables.usual { try connection.execute(sql) }
    }
    lists.haveUsualTables = true
  }
}
