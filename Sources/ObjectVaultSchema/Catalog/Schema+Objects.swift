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

  /// Returns the names of the tables that have triggers, as the file spells them.
  func triggeredTables() throws -> [String] {
    try session.with(catalog.triggeredTables) { statement in
      var tables: [String] = []
      while try statement.step() { tables.append(statement.row.text(at: 0) ?? "") }
      return tables
    }
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
      // The engine lists the last declared key first.
      return keys.reversed().map(\.key)
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
