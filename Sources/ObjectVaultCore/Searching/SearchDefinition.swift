/// The statements that make the index of words of a class, and the triggers that keep it.
///
/// The index has no copy of the texts: it reads them in the class's table (SQLite's "External Content
/// FTS4 Tables", FTS5's "External Content Tables"). The triggers keep it in step in the same
/// transaction, whoever writes.
struct SearchDefinition {
  /// The name of the index, which is a virtual table.
  let name: String
  let module: SearchDescription.Module
  private let table: String
  private let columns: [String]
  /// The columns whose change can change the number of a row.
  private let key: [String]

  /// `nil` for a class that is not searched.
  init?(_ description: ClassDescription) {
    guard let search = description.search else { return nil }
    name = Self.name(ofTable: description.table)
    module = search.module
    table = description.table
    columns = description.searchedColumns
    key =
      description.objectIDIsRowID ? [description.rowColumns[description.objectIDPositions[0]]] : []
  }

  /// The name of the index of a table. The tables that the engine keeps the index in are named after
  /// it with an ending, so that one of its own tells it from all of them.
  static func name(ofTable table: String) -> String { "objectvault_\(table)_search" }

  /// Every statement by the name of what it makes; the table comes first.
  var statements: [(name: String, sql: String)] {
    [(name, createTable)] + triggers.map { ($0.name, $0.sql) }
  }

  /// Tells the index to read all texts anew.
  var rebuild: String { command("rebuild") }

  /// Has the index compared with the texts, which fails where it differs.
  func check(comparingContent: Bool) -> String {
    // FTS5 compares with texts outside of it only where it is told to (SQLite 3.42 and later).
    module == .fts5 && comparingContent
      ? "INSERT INTO \(quotedName) (\(quotedName), rank) VALUES ('integrity-check', 1)"
      : command("integrity-check")
  }

  private func command(_ word: String) -> String {
    "INSERT INTO \(quotedName) (\(quotedName)) VALUES ('\(word)')"
  }

  private var quotedName: String { SQL.quoted(name) }

  /// Letters are folded, and marks on Latin letters left out, by the engine's `unicode61`.
  private var createTable: String {
    let content = SQL.quoted(table)
    let settings =
      switch module {
      case .fts4: "content=\(content), tokenize=unicode61 \"remove_diacritics=1\""
      case .fts5:
        "content=\(content), content_rowid=\"rowid\", tokenize=\"unicode61 remove_diacritics 1\""
      }
    return "CREATE VIRTUAL TABLE \(quotedName) USING \(module.rawValue)"
      + "(\(SQL.list(columns)), \(settings))"
  }

  // MARK: Triggers

  private var triggers: [(name: String, sql: String)] {
    let (put, takeOut) = (put, takeOut)
    // FTS4 reads in the table what it takes out, which must be there still.
    let removal = module == .fts4 ? "BEFORE" : "AFTER"
    return [
      trigger("insert", "AFTER INSERT", [put]),
      trigger("delete", "\(removal) DELETE", [takeOut]),
    ]
      + (module == .fts4
        ? [
          trigger("before_update", "BEFORE \(update)", [takeOut], when: differs),
          trigger("after_update", "AFTER \(update)", [put], when: differs),
        ] : [trigger("update", "AFTER \(update)", [takeOut, put], when: differs)])
  }

  private func trigger(
    _ ending: String, _ event: String, _ body: [String], when condition: String? = nil
  ) -> (name: String, sql: String) {
    let name = "\(name)_\(ending)"
    let condition = condition.map { " WHEN \($0)" } ?? ""
    return (
      name,
      "CREATE TRIGGER \(SQL.quoted(name)) \(event) ON \(SQL.quoted(table))\(condition) "
        + "BEGIN \(body.map { "\($0); " }.joined())END"
    )
  }

  /// An update of what is searched, or of the number of the row by any of its names.
  private var update: String {
    "UPDATE OF \(SQL.list(columns + key + ["rowid", "_rowid_", "oid"]))"
  }

  private var differs: String {
    (["rowid"] + columns.map(SQL.quoted)).map { "old.\($0) IS NOT new.\($0)" }
      .joined(separator: " OR ")
  }

  private var put: String {
    "INSERT INTO \(quotedName) (rowid, \(SQL.list(columns))) "
      + "VALUES (new.rowid, \(values(of: "new")))"
  }

  private var takeOut: String {
    switch module {
    case .fts4: "DELETE FROM \(quotedName) WHERE rowid = old.rowid"
    case .fts5:
      "INSERT INTO \(quotedName) (\(quotedName), rowid, \(SQL.list(columns))) "
        + "VALUES ('delete', old.rowid, \(values(of: "old")))"
    }
  }

  private func values(of row: String) -> String {
    columns.map { "\(row).\(SQL.quoted($0))" }.joined(separator: ", ")
  }
}
