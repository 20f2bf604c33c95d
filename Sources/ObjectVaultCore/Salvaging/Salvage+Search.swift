/// An index of words, which is made anew from the texts that came back: nothing of it is taken from the
/// file, so that nothing is lost with a page of it.
struct SalvagedSearch {
  /// The name of the index.
  let name: String
  /// What the class is called.
  let title: String
  /// The index, and then its triggers.
  let entries: [StoredSchema.Entry]

  /// The tables in which the engine keeps it.
  var innerTables: Set<String> { Set(SearchDefinition.innerTables.map { "\(name)_\($0)" }) }
}

extension Salvage {
  /// The indexes of words of the file.
  var searches: [SalvagedSearch] { owners.schema.searches + looseSearches }

  /// Has the index of a class made of its description, where the file's list does not have it.
  mutating func addSearch(of description: ClassDescription) {
    guard let definition = SearchDefinition(description),
      !searches.contains(where: { $0.name == definition.name })
    else { return }
    looseSearches.append(
      SalvagedSearch(
        name: definition.name, title: description.name,
        entries: definition.statements.map { name, sql in
          StoredSchema.Entry(
            type: name == definition.name ? "table" : "trigger", name: name,
            table: description.table, root: 0, sql: sql)
        }))
  }

  /// Makes an index, and the triggers that keep it, in place of what came of its own tables.
  mutating func restore(_ search: SalvagedSearch) throws {
    for table in search.innerTables.sorted() {
      try target.execute("DROP TABLE IF EXISTS \(SQL.quoted(table))")
    }
    // Where the engine lacks the module, it is made by the first program whose engine has it.
    try attempt("the index of words of", search.title) { target in
      for entry in search.entries { try Self.make(entry, on: target) }
      try target.execute(SearchDefinition.rebuild(search.name))
    }
  }
}

extension StoredSchema {
  /// The indexes of words that tables have, as far as the list could be read.
  fileprivate var searches: [SalvagedSearch] {
    entries.filter { $0.type == "table" && $0.root > 0 }.compactMap { table in
      let name = SearchDefinition.name(ofTable: table.name)
      let index = entries.first { $0.type == "table" && $0.root == 0 && $0.name == name }
      // A definition of another module's is copied as it is.
      guard let index, let module = index.sql.flatMap(SchemaScreen.module),
        SearchDescription.Module(rawValue: module) != nil
      else { return nil }
      let triggers = entries.filter {
        $0.type == "trigger" && $0.table == table.name && $0.name.hasPrefix("\(name)_")
      }
      return SalvagedSearch(
        name: name, title: title(ofTable: table.name), entries: [index] + triggers)
    }
  }
}
