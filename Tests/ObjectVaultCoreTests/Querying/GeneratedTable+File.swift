import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSchema
import ObjectVaultStores
import TestSupport

extension GeneratedTable {
  /// The table as queries of a file name it.
  var queried: QueriedTable {
    QueriedTable(name: "\"sample\"", columns: columns, dialect: SQLiteDialect())
  }

  /// An encrypted file with the table `"sample"` in it, the rows from rowid 0 on.
  func connection(with rows: [[StoredValue]], at path: String) throws -> Connection {
    let connection = try Connection.forConditions(at: path)
    let definitions = properties.map {
      "\(SQLIdentifier($0.name)) \($0.type.columnType)\($0.isOptional ? "" : " NOT NULL")"
    }
    try connection.execute("CREATE TABLE \"sample\" (\(definitions.joined(separator: ", ")))")
    // Indexes change how the engine compares: half of the properties have one.
    for property in properties where property.position % 4 < 2 {
      try connection.execute(
        "CREATE INDEX \(SQLIdentifier("i\(property.position)")) ON \"sample\" "
          + "(\(SQLIdentifier(property.name)))")
    }
    let marks = Array(repeating: "?", count: properties.count + 1).joined(separator: ", ")
    let names = columns.joined(separator: ", ")
    let insert = try connection.prepare(
      "INSERT INTO \"sample\" (rowid, \(names)) VALUES (\(marks))")
    try connection.execute("BEGIN")
    for (position, row) in rows.enumerated() {
      let binder = insert.binder
      binder.bind(integer: Int64(position), at: 0)
      for (column, value) in row.enumerated() { value.bind(to: binder, at: column + 1) }
      try insert.run()
    }
    try connection.execute("COMMIT")
    return connection
  }
}

extension Connection {
  /// A new encrypted file, with what conditions call.
  static func forConditions(at path: String) throws -> Connection {
    let key = "x'\(String(repeating: "07", count: 48))'"
    let connection = try Array(key.utf8).withUnsafeBytes {
      try Connection(
        path: path, mode: .create, key: $0,
        cipher: CipherSettings(format: try Engine.prove().newestCipherFormat))
    }
    try VaultFunctions.install(on: connection)
    return connection
  }

  /// The rowids of the rows that the SQL of a condition chooses.
  func chosen(_ sql: ConditionSQL, from table: String = "\"sample\"") throws -> [Int] {
    try sql.fillLists(on: self)
    let statement = try prepare("SELECT rowid FROM \(table) WHERE \(sql.text) ORDER BY rowid")
    let binder = statement.binder
    for (position, value) in sql.values.enumerated() { value.bind(to: binder, at: position) }
    var chosen: [Int] = []
    while try statement.step() { chosen.append(Int(statement.row.integer(at: 0))) }
    statement.reset()
    return chosen
  }
}
