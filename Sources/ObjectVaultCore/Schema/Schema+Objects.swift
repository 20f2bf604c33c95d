import ObjectVaultEngine

extension Schema {
  /// An index, trigger or view: its name, and the statement that made it.
  struct Object: Hashable {
    var name: String
    var sql: String
  }

  /// The indexes that somebody asked for, or the triggers, of a table, in the order in which they
  /// were made.
  ///
  /// - Parameter type: `index` or `trigger`.
  func objects(_ type: String, of table: String) throws -> [Object] {
    try objects(
      "type = ?1 AND sql IS NOT NULL AND tbl_name = ?2 COLLATE NOCASE", [type, table])
  }

  /// The tables that have triggers, as the file calls them.
  func triggeredTables() throws -> [String] {
    try connection.with(
      "SELECT DISTINCT t.name FROM sqlite_master t JOIN sqlite_master o "
        + "ON o.tbl_name = t.name COLLATE NOCASE WHERE o.type = 'trigger' AND t.type = 'table'"
    ) { statement in
      var tables: [String] = []
      while try statement.step() { tables.append(statement.row.text(at: 0) ?? "") }
      return tables
    }
  }

  /// All objects of a type, in the order in which they were made.
  func objects(_ type: String) throws -> [Object] {
    try objects("type = ?1 AND sql IS NOT NULL", [type])
  }

  private func objects(_ condition: String, _ values: [String]) throws -> [Object] {
    try connection.with("SELECT name, sql FROM sqlite_master WHERE \(condition) ORDER BY rowid") {
      statement in
      let binder = statement.binder
      for (position, value) in values.enumerated() { binder.bind(text: value, at: position) }
      var objects: [Object] = []
      while try statement.step() {
        let row = statement.row
        objects.append(Object(name: row.text(at: 0) ?? "", sql: row.text(at: 1) ?? ""))
      }
      return objects
    }
  }

  /// The statement that made a table.
  func statement(ofTable table: String) throws -> String {
    try objects("type = 'table' AND name = ?1", [table]).first?.sql ?? ""
  }

  /// The foreign keys of a table, in the order of their declaration.
  func foreignKeys(of table: String) throws -> [TableForeignKey] {
    try fresh("PRAGMA foreign_key_list(\(SQL.quoted(table)))") { statement in
      var keys: [(id: Int64, key: TableForeignKey)] = []
      while try statement.step() {
        let row = statement.row
        let id = row.integer(at: 0)
        if keys.last?.id != id {
          keys.append(
            (
              id,
              TableForeignKey(
                columns: [], table: row.text(at: 2) ?? "", targetColumns: [],
                onUpdate: row.text(at: 5) ?? "", onDelete: row.text(at: 6) ?? "")
            ))
        }
        keys[keys.count - 1].key.columns.append(row.text(at: 3) ?? "")
        if let target = row.text(at: 4) { keys[keys.count - 1].key.targetColumns.append(target) }
      }
      // The engine gives the latest first.
      return keys.reversed().map(\.key)
    }
  }
}

/// A foreign key as a table declares it.
struct TableForeignKey: Hashable {
  var columns: [String]
  /// The table referred to.
  var table: String
  /// The columns referred to; none where the primary key is meant.
  var targetColumns: [String]
  /// `CASCADE`, `SET NULL`, `NO ACTION`, …
  var onUpdate: String
  var onDelete: String
}
