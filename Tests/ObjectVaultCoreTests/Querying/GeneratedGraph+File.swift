import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultSchema
import TestSupport

extension GeneratedGraph {
  /// An encrypted file with the tables, without anything that would see to the references.
  func connection(at path: String) throws -> Connection {
    let connection = try Connection.forConditions(at: path)
    try connection.setPragma("foreign_keys", to: "0", expecting: "0")
    try connection.execute("BEGIN")
    for description in Self.classes {
      let definition = TableDefinition(description: description)
      try connection.execute(definition.createTable())
      for index in definition.indexes() { try connection.execute(index.statement) }
      let rows = rows[description.table] ?? []
      // Where the objectID is the rowid, it is the place already.
      let columns = description.rowColumns.map(SQL.quoted)
      let names = (description.objectIDIsRowID ? [] : ["rowid"]) + columns
      let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
      let insert = try connection.prepare(
        "INSERT INTO \(SQL.quoted(description.table)) (\(names.joined(separator: ", "))) "
          + "VALUES (\(marks))")
      for (place, row) in rows.enumerated() {
        let binder = insert.binder
        let first = names.count - columns.count
        if first == 1 { binder.bind(integer: Int64(place), at: 0) }
        for (column, value) in row.enumerated() { value.bind(to: binder, at: first + column) }
        try insert.run()
      }
    }
    try connection.execute("COMMIT")
    return connection
  }
}
