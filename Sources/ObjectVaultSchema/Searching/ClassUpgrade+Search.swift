package import ObjectVaultDriver
import ObjectVaultModel
package import ObjectVaultSession

/// The full-text index of a table in the file: SQL statements by the names of their objects.
package struct PresentSearch {
  package let statements: [String: String]

  /// Reads the statements from the schema.
  ///
  /// - Parameters:
  ///   - table: The name of the table in the file.
  ///   - schema: The schema of the file.
  /// - Throws: Errors of reading the schema.
  package init(ofTable table: String, in schema: Schema) throws {
    let name = SearchDefinition.name(ofTable: table)
    var statements: [String: String] = [:]
    let sql = try schema.statement(ofTable: name)
    if !sql.isEmpty { statements[name] = sql }
    for object in try schema.searchTriggers(of: table) + schema.searchViews(of: table) {
      statements[object.name] = object.sql
    }
    self.statements = statements
  }

  /// The module of the index, according to the SQL in the file.
  var module: SearchDescription.Module? {
    SearchDescription.Module.allCases.first { module in
      statements.values.contains { $0.contains(" USING \(module.rawValue)(") }
    }
  }
}

extension Schema {
  /// Returns the triggers of a table that maintain a full-text index.
  ///
  /// - Parameters:
  ///   - table: The current name of the table.
  ///   - name: The name of the table when the triggers were created; the current name by default.
  /// - Returns: The triggers.
  /// - Throws: Errors of reading the schema.
  func searchTriggers(of table: String, madeFor name: String? = nil) throws -> [Object] {
    let prefix = SearchDefinition.name(ofTable: name ?? table) + "_"
    return try objects("trigger", of: table).filter { $0.name.hasBytePrefix(prefix) }
  }

  /// Returns the view that divides the texts of a table's index into grams, if it exists.
  ///
  /// - Parameter name: The name of the table when the index was created.
  /// - Returns: At most one view.
  /// - Throws: Errors of reading the schema.
  func searchViews(of name: String) throws -> [Object] {
    try objects(
      "view", of: SearchDefinition.viewName(ofIndex: SearchDefinition.name(ofTable: name)))
  }

  /// Creates the full-text index of a table with its triggers and its view.
  ///
  /// - Parameters:
  ///   - definition: The index.
  ///   - table: The name of the table.
  /// - Throws: Errors of the statements.
  func createSearch(_ definition: SearchDefinition, of table: String) throws {
    for (_, _, sql) in definition.statements { try session.execute(sql) }
    try orderTriggers(of: table)
  }

  /// Creates the triggers of other programs that skip rows by `RAISE(IGNORE)` again, if they would
  /// run after those of the full-text index.
  ///
  /// The engine runs the trigger first that was created last. It does not undo what a trigger did
  /// before another one skips the row.
  ///
  /// - Parameter table: The name of the table.
  /// - Throws: Errors of the statements.
  func orderTriggers(of table: String) throws {
    let triggers = try objects("trigger", of: table)
    let prefix = SearchDefinition.name(ofTable: table) + "_"
    guard let last = triggers.lastIndex(where: { $0.name.hasBytePrefix(prefix) }) else { return }
    for trigger in triggers[..<last]
    where SQLToken.timeOfSkipping(SQLToken.tokens(of: trigger.sql)) == .before {
      try session.execute("DROP TRIGGER \(SQL.quoted(trigger.name))")
      try session.execute(trigger.sql)
    }
  }

  /// Drops the full-text index of a table with its triggers and its view, if they exist.
  ///
  /// - Parameters:
  ///   - table: The current name of the table.
  ///   - name: The name of the table when they were created; the current name by default.
  /// - Throws: Errors of the statements.
  package func dropSearch(of table: String, madeFor name: String? = nil) throws {
    for trigger in try searchTriggers(of: table, madeFor: name) {
      try session.execute("DROP TRIGGER \(SQL.quoted(trigger.name))")
    }
    let index = SearchDefinition.name(ofTable: name ?? table)
    try session.execute("DROP TABLE IF EXISTS \(SQL.quoted(index))")
    for view in try searchViews(of: name ?? table) {
      try session.execute("DROP VIEW \(SQL.quoted(view.name))")
    }
  }
}

extension ClassUpgrade {
  private var searchStatements: [String: String] {
    SearchDefinition(description)?.statementsByName ?? [:]
  }

  /// Whether the full-text index must be created, rebuilt or dropped.
  var changesSearch: Bool { (search?.statements ?? [:]) != searchStatements }

  /// Checks that the engine has the modules of the new and the present full-text index.
  ///
  /// - Throws: `.searchUnavailable` if a module is missing.
  func checkSearchModule(on session: Session) throws(VaultError) {
    for module in [description.search?.module, search?.module].compactMap({ $0 })
    where !session.connection.hasSearchModule(module.rawValue) {
      throw description.searchUnavailable(module)
    }
  }

  /// Creates, rebuilds or drops the full-text index as the class requires, with all objects in it.
  ///
  /// - Parameter session: The connection of the upgrade.
  /// - Throws: `.invalidClass` if the table of another program has no rowid, which a full-text
  ///   index needs.
  func setSearch(on session: Session) throws {
    // A rebuilt table has no triggers of the index, and its rows may have other texts.
    let definition = SearchDefinition(description)
    guard changesSearch || needsRebuild && definition != nil else { return }
    let schema = Schema(on: session)
    for name in Set([table?.name, description.table].compactMap { $0 }) {
      try schema.dropSearch(of: description.table, madeFor: name)
    }
    guard let definition else { return }
    guard try PresentTable(description.table, in: schema).rowIDName == "rowid" else {
      throw description.invalid(
        "its table '\(description.table)' has no row IDs under the name 'rowid', which a full-text "
          + "index needs",
        remedy: "Remove the full-text index, or store the class in another table.")
    }
    try schema.createSearch(definition, of: description.table)
    try session.execute(definition.rebuild)
  }
}

extension ClassDescription {
  /// Returns the error that prevents searches and changes if the engine lacks the module of the
  /// class.
  package func missingSearch(on session: Session) -> VaultError? {
    search.flatMap {
      session.connection.hasSearchModule($0.module.rawValue) ? nil : searchUnavailable($0.module)
    }
  }

  func searchUnavailable(_ module: SearchDescription.Module) -> VaultError {
    VaultError(
      .searchUnavailable,
      "Class '\(name)' has a full-text index of module \(module.rawValue.uppercased()), which this "
        + "engine lacks: its objects can be read, but not searched or changed. Use an engine with "
        + "that module"
        + (module == .fts5 ? ", or declare the index with FTS4." : "."))
  }
}
