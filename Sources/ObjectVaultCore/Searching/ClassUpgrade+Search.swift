import ObjectVaultEngine

/// The index of words of a table as the file has it: the statements by the names of what they made.
struct PresentSearch {
  let statements: [String: String]

  /// - Parameter table: The name of the table in the file.
  init(ofTable table: String, in schema: Schema) throws {
    let name = SearchDefinition.name(ofTable: table)
    var statements: [String: String] = [:]
    let sql = try schema.statement(ofTable: name)
    if !sql.isEmpty { statements[name] = sql }
    for trigger in try schema.searchTriggers(of: table) { statements[trigger.name] = trigger.sql }
    self.statements = statements
  }

  /// What keeps the index, as far as the file's text tells.
  var module: SearchDescription.Module? {
    SearchDescription.Module.allCases.first { module in
      statements.values.contains { $0.contains(" USING \(module.rawValue)(") }
    }
  }
}

extension Schema {
  /// The triggers of a table that keep an index of words.
  ///
  /// - Parameter name: What the table was called when they were made; what it is called now by default.
  func searchTriggers(of table: String, madeFor name: String? = nil) throws -> [Object] {
    let prefix = SearchDefinition.name(ofTable: name ?? table) + "_"
    return try objects("trigger", of: table).filter { $0.name.hasPrefix(prefix) }
  }

  /// Drops an index of words, as far as it is there, and the triggers that keep it.
  ///
  /// - Parameter name: What the table was called when they were made; what it is called now by default.
  func dropSearch(of table: String, madeFor name: String? = nil) throws {
    for trigger in try searchTriggers(of: table, madeFor: name) {
      try connection.execute("DROP TRIGGER \(SQL.quoted(trigger.name))")
    }
    let index = SearchDefinition.name(ofTable: name ?? table)
    try connection.execute("DROP TABLE IF EXISTS \(SQL.quoted(index))")
  }
}

extension ClassUpgrade {
  private var searchStatements: [String: String] {
    SearchDefinition(description)?.statementsByName ?? [:]
  }

  /// Whether the index of words has to be made, made anew or taken away.
  var changesSearch: Bool { (search?.statements ?? [:]) != searchStatements }

  /// - Throws: `.searchUnavailable` where the engine cannot do what is to be done to the class: the
  ///   module of its index of words, or of the one in the file, is missing.
  func checkSearchModule() throws(VaultError) {
    for module in [description.search?.module, search?.module].compactMap({ $0 }) {
      guard try module.isMissing else { continue }
      throw description.searchUnavailable(module)
    }
  }

  /// Brings the index of words to the class's form, with every object in it.
  ///
  /// - Throws: `.invalidClass` where the rows of another program's table have no numbers, by which an
  ///   index of words finds them.
  func setSearch(on connection: VaultConnection) throws {
    let definition = SearchDefinition(description)
    if !changesSearch {
      if needsRebuild, let definition { try connection.execute(definition.rebuild) }
      return
    }
    let schema = Schema(on: connection)
    for name in Set([table?.name, description.table].compactMap { $0 }) {
      // The triggers of a table made anew are those of its new name.
      try schema.dropSearch(of: description.table, madeFor: name)
    }
    guard let definition else { return }
    guard try PresentTable(description.table, in: schema).rowIDName == "rowid" else {
      throw description.invalid(
        "its table '\(description.table)' has rows without numbers under the name 'rowid', which an "
          + "index of words needs",
        remedy: "Leave the search out, or keep the class in another table.")
    }
    for (_, sql) in definition.statements { try connection.execute(sql) }
    try connection.execute(definition.rebuild)
  }
}

extension SearchDescription.Module {
  /// Whether the engine does not have it.
  var isMissing: Bool {
    get throws(VaultError) {
      do {
        let engine = try Engine.prove()
        return switch self {
        case .fts4: !engine.hasFTS4
        case .fts5: !engine.hasFTS5
        }
      } catch {
        throw VaultError(error, path: "")
      }
    }
  }
}

extension ClassDescription {
  /// What keeps the class from being searched and changed, where the engine lacks what it needs.
  var missingSearch: VaultError? {
    search.flatMap { (try? $0.module.isMissing) == true ? searchUnavailable($0.module) : nil }
  }

  func searchUnavailable(_ module: SearchDescription.Module) -> VaultError {
    VaultError(
      .searchUnavailable,
      "Class '\(name)' has an index of words by \(module.rawValue.uppercased()), which this engine does "
        + "not have: its objects can be read, but neither searched nor changed. Use an engine with it"
        + (module == .fts5 ? ", or declare the search with FTS4." : "."))
  }
}
