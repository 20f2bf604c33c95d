import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultStores

/// A full-text index, which is rebuilt from the recovered texts.
///
/// Nothing is read from the index in the damaged file, so a lost page of it loses nothing.
struct SalvagedSearch {
  /// The name of the index.
  let name: String
  /// The name of the class.
  let title: String
  /// The schema entries of its view, of the index and of its triggers, in order of creation.
  let entries: [StoredSchema.Entry]

  /// The tables in which the engine stores the index.
  var innerTables: Set<String> { Set(SearchDefinition.innerTables.map { "\(name)_\($0)" }) }
}

extension Salvage {
  /// The full-text indexes of the file.
  var searches: [SalvagedSearch] { owners.schema.searches + looseSearches }

  /// Adds the full-text index of a class from its description, if the file's list of tables does
  /// not contain it.
  mutating func addSearch(of description: ClassDescription) {
    guard let definition = SearchDefinition(description),
      !searches.contains(where: { $0.name == definition.name })
    else { return }
    looseSearches.append(
      SalvagedSearch(
        name: definition.name, title: description.name,
        entries: definition.statements.map { type, name, sql in
          StoredSchema.Entry(
            type: type, name: name, table: type == "trigger" ? description.table : name, root: 0,
            sql: sql)
        }))
  }

  /// Creates a full-text index and its triggers, in place of the recovered contents of its tables.
  mutating func restore(_ search: SalvagedSearch) throws {
    for table in search.innerTables.sorted() {
      try target.execute("DROP TABLE IF EXISTS \(SQL.quoted(table))")
    }
    // If this engine lacks the module, the first program with an engine that has it creates the
    // index.
    try attempt("the full-text index of", search.title) { target in
      for entry in search.entries { try Self.make(entry, on: target) }
      try target.execute(SearchDefinition.rebuild(search.name))
    }
  }
}

extension StoredSchema {
  /// The full-text indexes in the readable part of the list of tables.
  fileprivate var searches: [SalvagedSearch] {
    entries.filter { $0.type == "table" && $0.root > 0 }.compactMap { table in
      let name = SearchDefinition.name(ofTable: table.name)
      let index = entries.first { $0.type == "table" && $0.root == 0 && $0.name == name }
      // The definition of another module is copied unchanged.
      guard let index, let module = index.sql.flatMap(SchemaScreen.module),
        SearchDescription.Module(rawValue: module) != nil
      else { return nil }
      let view = SearchDefinition.viewName(ofIndex: name)
      let views = entries.filter { $0.type == "view" && $0.name == view }
      let triggers = entries.filter {
        $0.type == "trigger" && $0.table == table.name && $0.name.hasPrefix("\(name)_")
      }
      return SalvagedSearch(
        name: name, title: title(ofTable: table.name), entries: views + [index] + triggers)
    }
  }
}
