import ObjectVaultDriver

extension Schema {
  /// Returns statements that describe the tables with their columns and references, and the indexes,
  /// by table.
  ///
  /// They show the differences of two schemas, on engines that do not store such statements.
  package func describingStatements() throws -> [String] {
    try tables().flatMap { table in
      let columns = try columns(of: table).map { column in
        "\(SQL.quoted(column.name)) \(column.type)\(column.isNotNull ? " NOT NULL" : "")"
      }
      let references = try foreignKeys(of: table).map { key in
        "FOREIGN KEY (\(SQL.list(key.columns))) REFERENCES \(SQL.quoted(key.table)) "
          + "(\(SQL.list(key.targetColumns))) ON UPDATE \(key.onUpdate) ON DELETE \(key.onDelete)"
      }
      let parts = (columns + references).joined(separator: ", ")
      let indexes = try objects("index", of: table).map(\.sql).sorted()
      return ["CREATE TABLE \(SQL.quoted(table)) (\(parts))"] + indexes
    }
  }
}
