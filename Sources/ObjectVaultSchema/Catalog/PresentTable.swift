import ObjectVaultDriver
package import ObjectVaultModel

/// A table in the file, with its indexes, triggers and foreign keys.
package struct PresentTable {
  package let name: String
  /// The statement that created the table.
  let sql: String
  package let columns: [Schema.Column]
  /// The indexes created by an explicit statement.
  let indexes: [Schema.Object]
  let triggers: [Schema.Object]
  let foreignKeys: [TableForeignKey]

  package init(_ name: String, in schema: Schema) throws {
    self.name = name
    sql = try schema.statement(ofTable: name)
    columns = try schema.columns(of: name)
    indexes = try schema.objects("index", of: name)
    triggers = try schema.objects("trigger", of: name)
    foreignKeys = try schema.foreignKeys(of: name)
  }

  /// The parsed text of the table, or `nil` for a virtual table.
  package var text: TableText? { TableText(sql) }

  /// The names of the primary key's columns.
  var keyColumns: [String] { columns.primaryKey.map(\.name) }

  /// A name for the rowid that no column uses, or `nil` if none is free or the table has no rowid.
  var rowIDName: String? { text?.rowIDName }

  /// Returns SQL expressions that order the rows as they were inserted.
  ///
  /// - Parameter alias: The alias of the table in the statement.
  /// - Returns: The expressions; empty if the table has neither a usable rowid nor a primary key.
  package func order(_ alias: String) -> [String] {
    if let rowIDName { return ["\(alias).\(rowIDName)"] }
    return keyColumns.map { "\(alias).\(SQL.quoted($0))" }
  }
}

extension TableText {
  private var hasRowID: Bool {
    let words = options.compactMap(\.keyword)
    return !(words.contains("without") && words.contains("rowid"))
  }

  /// A name for the rowid that no column uses, or `nil` if none is free or the table has no rowid.
  var rowIDName: String? {
    guard hasRowID else { return nil }
    let taken = Set(columns.map(\.name.asciiLowercased))
    return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
  }

  /// The name of the column that holds the rowid, if one does.
  ///
  /// Such a column is an `INTEGER PRIMARY KEY` (SQLite's documentation, "ROWIDs and the INTEGER
  /// PRIMARY KEY").
  var rowIDColumn: String? {
    guard hasRowID else { return nil }
    func isInteger(_ column: Column) -> Bool {
      column.type.count == 1 && column.type[0].text.asciiLowercased == "integer"
    }
    if let column = columns.first(where: { column in
      column.constraints.contains { constraint in
        constraint.kind == .primaryKey && !constraint.tokens.contains { $0.keyword == "desc" }
      }
    }) {
      return isInteger(column) ? column.name : nil
    }
    guard let key = constraints.first(where: { $0.kind == .primaryKey }) else { return nil }
    let names = key.tokens.drop { $0.text != "(" }.dropFirst().prefix { $0.text != ")" }
    guard !names.contains(where: { $0.text == "," }), let name = names.first?.name else {
      return nil
    }
    return columns.first { $0.name.asciiLowercased == name.asciiLowercased && isInteger($0) }?.name
  }
}
