import ObjectVaultCondition
import ObjectVaultEngine

/// The file's real schema, read from the engine: the truth, whatever the descriptions say.
struct Schema {
  /// A column of a table.
  struct Column {
    var name: String
    var type: String
    var isNotNull: Bool
    var hasDefault: Bool
    /// The place in the primary key from 1, or 0 where the column is not part of it.
    var primaryKeyPlace: Int
  }

  let connection: VaultConnection

  init(on connection: VaultConnection) {
    self.connection = connection
  }

  /// The name of the table as the file spells it, or `nil` where there is none; A-Z equal a-z.
  func tableName(like name: String) throws -> String? {
    try connection.with(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
    ) { statement in
      statement.binder.bind(text: name, at: 0)
      return try statement.step() ? statement.row.text(at: 0) : nil
    }
  }

  /// Whether there is a table of exactly this name.
  func hasTable(_ name: String) throws -> Bool { try tableName(like: name) == name }

  /// The names of the tables that are neither the engine's nor the library's own.
  func tables() throws -> [String] {
    try names(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND name NOT LIKE 'objectvault\\_%' ESCAPE '\\' ORDER BY name
      """)
  }

  /// The names that begin as those of the library's own do, of whatever they are.
  func ownNames() throws -> Set<String> {
    Set(
      try names("SELECT name FROM sqlite_master WHERE name LIKE 'objectvault\\_%' ESCAPE '\\'"))
  }

  /// The names of a table's indexes that were made by `CREATE INDEX`.
  func indexes(of table: String) throws -> Set<String> {
    try connection.with(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?1"
    ) { statement in
      statement.binder.bind(text: table, at: 0)
      var names: Set<String> = []
      while try statement.step() {
        if let name = statement.row.text(at: 0) { names.insert(name) }
      }
      return names
    }
  }

  /// The columns of a table, in order.
  func columns(of table: String) throws -> [Column] {
    try fresh("PRAGMA table_info(\(SQL.quoted(table)))") { statement in
      var columns: [Column] = []
      while try statement.step() {
        let row = statement.row
        columns.append(
          Column(
            name: row.text(at: 1) ?? "", type: row.text(at: 2) ?? "",
            isNotNull: row.integer(at: 3) != 0, hasDefault: !row.isNull(at: 4),
            primaryKeyPlace: Int(row.integer(at: 5))))
      }
      return columns
    }
  }

  /// What orders a table's rows as they were inserted, with the table's name: the rowid by a name that
  /// no column has, or the primary key in a table without one.
  func insertionOrder(of description: ClassDescription) throws -> [String] {
    let table = SQL.quoted(description.table)
    if let name = try rowIDName(of: description.table, columns: description.rowColumns) {
      return ["\(table).\(name)"]
    }
    return description.objectIDPositions.map {
      "\(table).\(SQL.quoted(description.rowColumns[$0]))"
    }
  }

  /// The name of a table's rowid that no column has; `nil` where all are taken, or there is none.
  func rowIDName(of table: String, columns: [String]) throws -> String? {
    let columns = Set(columns.map(\.asciiLowercased))
    let statement = try connection.with(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?1"
    ) { statement in
      statement.binder.bind(text: table, at: 0)
      return try statement.step() ? statement.row.text(at: 0) ?? "" : ""
    }
    let words = statement.asciiLowercased.split { " \t\r\n,)".contains($0) }
    guard words.suffix(2) != ["without", "rowid"] else { return nil }
    return ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
  }

  /// What a statement may name of a table: its columns, and the number of a row where it has one; nothing
  /// where there is no such table. Columns that have digests of shared contents are named by
  /// ``SharedBlobs/mark(_:)`` too.
  func names(of table: String) throws -> Set<String> {
    let columns = try columns(of: table).map(\.name)
    if columns.isEmpty { return [] }
    let rowID = try rowIDName(of: table, columns: columns)
    let shared = try SharedBlobs.columns(of: table, in: self).map { SharedBlobs.mark($0.column) }
    return Set(columns + [rowID].compactMap { $0 } + shared)
  }

  /// Calls `body` with a statement that was read just now, after a look at the file: one that tells of
  /// the schema tells what the connection knew of it when it was read, whatever others changed since.
  func fresh<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
    try connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
    return try body(try connection.engine.prepare(sql, persistent: false))
  }

  private func names(_ sql: String) throws -> [String] {
    try connection.with(sql) { statement in
      var names: [String] = []
      while try statement.step() {
        if let name = statement.row.text(at: 0) { names.append(name) }
      }
      return names
    }
  }
}

extension [Schema.Column] {
  /// The columns of the primary key, in its order.
  var primaryKey: [Schema.Column] {
    filter { $0.primaryKeyPlace > 0 }.sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }
  }
}

extension Schema.Column {
  /// What the engine makes of the declared type, by the rules SQLite documents in "Datatypes".
  var affinity: String { Self.affinity(ofType: type) }

  /// What the engine makes of a declared type.
  static func affinity(ofType type: String) -> String {
    let type = type.uppercased()
    if type.contains("INT") { return "INTEGER" }
    if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return "TEXT" }
    if type.isEmpty || type.contains("BLOB") { return "BLOB" }
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return "REAL" }
    return "NUMERIC"
  }
}
