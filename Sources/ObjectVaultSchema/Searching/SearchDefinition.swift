package import ObjectVaultDriver
package import ObjectVaultModel

/// The SQL statements that create the full-text index of a class and its triggers.
///
/// The index stores no copy of the texts and reads them from the table of the class (SQLite's
/// "External Content FTS4 Tables", FTS5's "External Content Tables"). The triggers update the index
/// in the same transaction, for writes by any program.
package struct SearchDefinition {
  /// The name of the index, which is a virtual table.
  package let name: String
  package let module: SearchDescription.Module
  private let tokenizer: SearchDescription.Tokenizer
  private let table: String
  private let columns: [String]
  /// The columns that can change the rowid of a row.
  private let key: [String]

  /// Creates the definition, or returns `nil` for a class without a search.
  package init?(_ description: ClassDescription) {
    guard let search = description.search else { return nil }
    name = Self.name(ofTable: description.table)
    module = search.module
    tokenizer = search.tokenizer
    table = description.table
    columns = description.searchedColumns
    key =
      description.objectIDIsRowID ? [description.rowColumns[description.objectIDPositions[0]]] : []
  }

  /// Returns the name of the full-text index of a table.
  ///
  /// SQLite names the internal tables of the index after it with a suffix, so the ending `_search`
  /// distinguishes the index from all of them.
  package static func name(ofTable table: String) -> String { "objectvault_\(table)_search" }

  /// The ending of the name of the trigger that removes a row from the index before an update.
  fileprivate static let removalEnding = "before_update"

  /// Returns the name of the view that divides the texts of an index into grams.
  package static func viewName(ofIndex index: String) -> String { "\(index)_grams" }

  private var viewName: String { Self.viewName(ofIndex: name) }

  /// All statements with the kinds and names of the objects they create, in order of creation.
  package var statements: [(type: String, name: String, sql: String)] {
    let view =
      tokenizer == .words
      ? [] : [("view", viewName, createView("VIEW \(SQL.quoted(viewName))", of: SQL.quoted(table)))]
    return view + [("table", name, createTable)]
      + triggers.map { ("trigger", $0.name, $0.sql) }
  }

  package var statementsByName: [String: String] {
    Dictionary(statements.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
  }

  /// The statement that rebuilds the index from all texts.
  var rebuild: String { Self.rebuild(name) }

  /// Returns the statement that rebuilds an index from all texts.
  package static func rebuild(_ name: String) -> String { command("rebuild", to: name) }

  /// Returns whether the engine compares the content of an FTS5 index (SQLite 3.42 and later).
  package static func comparesContent(_ connection: any DriverConnection) -> Bool {
    connection.engineVersion >= 3_042_000
  }

  /// Returns the statement that compares the index with the texts; it fails if they differ.
  package func check(comparingContent: Bool) -> String {
    check(name, comparingContent: comparingContent)
  }

  private func check(_ name: String, comparingContent: Bool) -> String {
    // FTS5 compares external content only on request.
    module == .fts5 && comparingContent
      ? "INSERT INTO \(SQL.quoted(name)) (\(SQL.quoted(name)), rank) VALUES ('integrity-check', 1)"
      : Self.command("integrity-check", to: name)
  }

  private static func command(_ word: String, to name: String) -> String {
    "INSERT INTO \(SQL.quoted(name)) (\(SQL.quoted(name))) VALUES ('\(word)')"
  }

  private var quotedName: String { SQL.quoted(name) }

  private var createTable: String {
    createTable(quotedName, content: tokenizer == .words ? table : viewName)
  }

  /// Returns the statement that creates a view of the texts as the index contains them.
  private func createView(_ view: String, of table: String) -> String {
    let texts =
      switch tokenizer {
      case .words: SQL.list(columns)
      case .trigram:
        columns.map(SQL.quoted).map { "\(GramSQL.grams(of: $0)) AS \($0)" }
          .joined(separator: ", ")
      }
    return "CREATE \(view) AS SELECT rowid AS rowid, \(texts) FROM \(table)"
  }

  /// Returns the statement that creates the index; `unicode61` folds case and Latin diacritics.
  private func createTable(_ quotedName: String, content: String) -> String {
    let content = SQL.quoted(content)
    let settings =
      switch module {
      case .fts4: "content=\(content), tokenize=unicode61 \"remove_diacritics=1\""
      case .fts5:
        "content=\(content), content_rowid=\"rowid\", tokenize=\"unicode61 remove_diacritics 1\""
      }
    return "CREATE VIRTUAL TABLE \(quotedName) USING \(module.rawValue)"
      + "(\(SQL.list(columns)), \(settings))"
  }

  // MARK: A copy

  /// The name suffixes of SQLite's internal tables of an index.
  package static let innerTables = [
    "content", "segments", "segdir", "docsize", "stat", "data", "idx", "config",
  ]

  /// The statements that copy the index to temporary tables that read the texts of the file.
  package var copy: [String] {
    let (copy, texts) = (Self.copyName, "\(Self.copyName)_texts")
    // The internal tables that SQLite's check reads.
    let inner = module == .fts4 ? ["segments", "segdir"] : ["data", "idx", "docsize"]
    return [
      createView("TEMP VIEW \(texts)", of: "main.\(SQL.quoted(table))"),
      createTable("temp.\(copy)", content: texts),
    ]
      + inner.flatMap { table in
        [
          "DELETE FROM temp.\(copy)_\(table)",
          "INSERT INTO temp.\(copy)_\(table) SELECT * FROM main.\(SQL.quoted("\(name)_\(table)"))",
        ]
      }
  }

  /// Returns the statement that compares the copy with the texts; it fails if they differ.
  package func checkOfCopy(comparingContent: Bool) -> String {
    check(Self.copyName, comparingContent: comparingContent)
  }

  /// The statements that drop the copy.
  package static let dropCopy = [
    "DROP TABLE IF EXISTS temp.\(copyName)", "DROP VIEW IF EXISTS temp.\(copyName)_texts",
  ]

  private static let copyName = "ov_search_copy"

  // MARK: Triggers

  private var triggers: [(name: String, sql: String)] {
    let (put, takeOut) = (put, takeOut)
    // FTS4 and the view read the removed text from the table, so the row must still exist.
    let readsTable = module == .fts4 || tokenizer == .trigram
    let removal = readsTable ? "BEFORE" : "AFTER"
    return [
      trigger("insert", "AFTER INSERT", [put]),
      trigger("delete", "\(removal) DELETE", [takeOut]),
    ]
      + (readsTable
        ? [
          trigger(Self.removalEnding, "BEFORE \(update)", [takeOut], when: differs),
          trigger("after_update", "AFTER \(update)", [put], when: differs),
        ] : [trigger("update", "AFTER \(update)", [takeOut, put], when: differs)])
  }

  private func trigger(
    _ ending: String, _ event: String, _ body: [String], when condition: String? = nil
  ) -> (name: String, sql: String) {
    SQL.trigger("\(name)_\(ending)", event, on: table, body, when: condition)
  }

  /// The trigger event for an update of searched columns, or of the rowid by any of its names.
  private var update: String {
    "UPDATE OF \(SQL.list(columns + key + ["rowid", "_rowid_", "oid"]))"
  }

  private var differs: String {
    (["rowid"] + columns.map(SQL.quoted)).map { "old.\($0) IS NOT new.\($0)" }
      .joined(separator: " OR ")
  }

  private var put: String {
    "INSERT INTO \(quotedName) (rowid, \(SQL.list(columns))) " + values(of: "new")
  }

  private var takeOut: String {
    switch module {
    case .fts4: "DELETE FROM \(quotedName) WHERE rowid = old.rowid"
    case .fts5:
      "INSERT INTO \(quotedName) (\(quotedName), rowid, \(SQL.list(columns))) "
        + values(of: "old", after: "'delete', ")
    }
  }

  /// Returns the rowid and the texts of a row, as the index contains them.
  private func values(of row: String, after command: String = "") -> String {
    switch tokenizer {
    case .words:
      let texts = columns.map { "\(row).\(SQL.quoted($0))" }.joined(separator: ", ")
      return "VALUES (\(command)\(row).rowid, \(texts))"
    case .trigram:
      return "SELECT \(command)rowid, \(SQL.list(columns)) FROM \(SQL.quoted(viewName)) "
        + "WHERE rowid = \(row).rowid"
    }
  }
}

extension Schema {
  /// Returns the columns of a table that take a row out of its full-text index before an update of
  /// them, in lower case.
  ///
  /// - Parameter table: The name of the table.
  /// - Returns: The names; empty if the table has no index, or one that is changed after an update.
  /// - Throws: The errors of the query.
  package func columnsRemovedBeforeUpdate(of table: String) throws -> Set<String> {
    let name = "\(SearchDefinition.name(ofTable: table))_\(SearchDefinition.removalEnding)"
    guard let sql = try triggers([name], of: table)[name] else { return [] }
    let columns = SQLToken.target(ofTrigger: SQLToken.tokens(of: sql)).columns
    return Set(columns.map(\.asciiLowercased))
  }
}
