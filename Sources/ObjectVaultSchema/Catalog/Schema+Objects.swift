import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension Schema {
  /// An index, trigger or view with its name and the statement that created it.
  package struct Object: Hashable {
    package var name: String
    var sql: String
  }

  /// Returns the explicitly created indexes, or the triggers, of a table in the order of creation.
  ///
  /// The parameter `type` is `index` or `trigger`.
  package func objects(_ type: String, of table: String) throws -> [Object] {
    try objects(catalog.objectsOfTable, [type, table])
  }

  /// Returns the statements of the triggers of a table with certain names, byte for byte.
  ///
  /// A file can have another trigger whose name is equal in another Unicode form.
  func triggers(_ names: [String], of table: String) throws -> [String: String] {
    var triggers: [String: String] = [:]
    for trigger in try objects("trigger", of: table)
    where names.contains(where: { $0.hasSameBytes(as: trigger.name) }) {
      triggers[trigger.name] = trigger.sql
    }
    return triggers
  }

  /// Returns the names of the tables that have triggers, as the file spells them.
  func triggeredTables() throws -> [String] {
    try catalog.triggeredTables.map(names) ?? []
  }

  /// Returns the events that triggers of a table run for: `insert`, `delete` and `update`.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - includesOwn: Whether the triggers of the library count, too.
  /// - Returns: The events.
  /// - Throws: The errors of reading the schema.
  package func triggerEvents(of table: String, includesOwn: Bool) throws -> Set<String> {
    let triggers = try objects("trigger", of: table)
    return Set(
      triggers.filter { includesOwn || !$0.name.asciiLowercased.hasBytePrefix("objectvault_") }
        .flatMap(\.events))
  }

  /// Returns all objects of a type in the order of creation.
  func objects(_ type: String) throws -> [Object] {
    try objects(catalog.objects, [type])
  }

  private func objects(_ sql: String, _ values: [String]) throws -> [Object] {
    try session.with(sql) { statement in
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

  /// Returns the kind of an object that prevents a table with a name, such as "a view"; `nil` if
  /// there is none.
  func occupant(of table: String) throws -> String? {
    guard let sql = catalog.occupant else { return nil }
    return try session.with(sql) { statement in
      statement.binder.bind(text: table, at: 0)
      return try statement.step() ? statement.row.text(at: 0) : nil
    }
  }

  /// Returns the statement that created a table.
  func statement(ofTable table: String) throws -> String {
    try objects(catalog.definition, [table]).first?.sql ?? ""
  }

  /// A constraint with its name.
  struct Constraint {
    let name: String
    /// The kind, as `Catalog.constraints(of:)` names it.
    let kind: String
    var columns: [String]
    /// The condition of a check.
    let condition: String?
  }

  /// Returns the constraints of a table, if the engine names them.
  func constraints(of table: String) throws -> [Constraint] {
    guard let sql = catalog.constraints(of: table) else { return [] }
    return try fresh(sql) { statement in
      var constraints: [Constraint] = []
      while try statement.step() {
        let row = statement.row
        let (name, column) = (row.text(at: 0) ?? "", row.text(at: 2) ?? "")
        if constraints.last?.name == name {
          constraints[constraints.count - 1].columns.append(column)
        } else {
          constraints.append(
            Constraint(
              name: name, kind: row.text(at: 1) ?? "", columns: [column],
              condition: row.text(at: 3)))
        }
      }
      return constraints
    }
  }

  /// Returns the foreign keys of a table in the order of declaration.
  package func foreignKeys(of table: String) throws -> [TableForeignKey] {
    try fresh(catalog.foreignKeys(of: table)) { statement in
      var keys = ListedForeignKeys()
      while try statement.step() { keys.add(statement.row, of: table) }
      return keys.finished().first?.keys ?? []
    }
  }

  /// Returns the foreign keys of all tables that have some, in the order of the tables and of
  /// declaration.
  package func foreignKeys() throws -> [(table: String, keys: [TableForeignKey])] {
    switch catalog.foreignKeys {
    case .inOneStatement(let sql):
      return try session.with(sql) { statement in
        var keys = ListedForeignKeys()
        while try statement.step() {
          keys.add(statement.row, of: statement.row.text(at: 7) ?? "")
        }
        return keys.finished()
      }
    case .inStatementsOfTables(let sql):
      return try names(sql).map { ($0, try foreignKeys(of: $0)) }
    }
  }

  /// Returns the columns of each unique index, except for the primary key and partial indexes.
  package func uniqueIndexes(of table: String) throws -> [[String]] {
    let names = try session.with(catalog.indexes(of: table)) { statement in
      var names: [String] = []
      while try statement.step() {
        let row = statement.row
        guard row.integer(at: 2) != 0, row.text(at: 3) != "pk", row.integer(at: 4) == 0 else {
          continue
        }
        names.append(row.text(at: 1) ?? "")
      }
      return names
    }
    return try names.map { name in
      try session.with(catalog.columns(ofIndex: name)) { statement in
        var columns: [String] = []
        while try statement.step() { columns.append(statement.row.text(at: 2) ?? "") }
        return columns
      }
    }
  }
}

extension Schema.Object {
  /// The events that a trigger runs for.
  var events: [String] {
    SQLToken.tokens(of: sql).prefix { $0.keyword != "on" }.compactMap(\.keyword)
      .filter { ["insert", "delete", "update"].contains($0) }
  }
}

/// A foreign key as declared by a table.
package struct TableForeignKey: Hashable {
  package var columns: [String]
  /// The target table.
  package var table: String
  /// The target columns.
  ///
  /// Empty if the key refers to the primary key implicitly.
  package var targetColumns: [String]
  /// The action, such as `CASCADE`, `SET NULL` or `NO ACTION`.
  var onUpdate: String
  package var onDelete: String
}

/// The foreign keys that an engine lists by table, the last declared of each first.
private struct ListedForeignKeys {
  private var tables: [(table: String, keys: [TableForeignKey])] = []
  private var last: Int64?

  /// Adds a column of a key.
  mutating func add(_ row: Row, of table: String) {
    if tables.last?.table != table { (last, tables) = (nil, tables + [(table, [])]) }
    let id = row.integer(at: 0)
    if last != id {
      last = id
      tables[tables.count - 1].keys.append(
        TableForeignKey(
          columns: [], table: row.text(at: 2) ?? "", targetColumns: [],
          onUpdate: row.text(at: 5) ?? "", onDelete: row.text(at: 6) ?? ""))
    }
    let key = tables[tables.count - 1].keys.count - 1
    tables[tables.count - 1].keys[key].columns.append(row.text(at: 3) ?? "")
    if let target = row.text(at: 4) {
      tables[tables.count - 1].keys[key].targetColumns.append(target)
    }
  }

  /// Returns the keys of each table in the order of declaration.
  consuming func finished() -> [(table: String, keys: [TableForeignKey])] {
    tables.map { ($0.table, $0.keys.reversed()) }
  }
}
