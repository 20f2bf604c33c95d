import ObjectVaultEngine

extension Salvage {
  /// Makes the tables of shared contents, where the file's list does not have them.
  mutating func addSharing(of descriptions: [ClassDescription]) throws {
    guard descriptions.contains(where: { !$0.sharedColumns.isEmpty }) else { return }
    let connection = VaultConnection(target)
    try SharedBlobs.create(on: connection)
    for description in descriptions {
      let columns = description.sharedColumns
      try SharedBlobs.setColumns(columns, ofTable: description.table, on: connection)
      looseIndexes += SharingDefinition(table: description.table, columns: columns).statements
        .sorted { $0.key < $1.key }
        .map {
          StoredSchema.Entry(
            type: "trigger", name: $0.key, table: description.table, root: 0, sql: $0.value)
        }
    }
    guard !salvaged.contains(where: { $0.target.name == SharedBlobs.contents }) else { return }
    let made = try SalvageTarget(
      SharedBlobs.contents, on: target, hasRowIDs: true, encoding: pages.encoding)
    unplaced.append(TableSalvage(made, title: SharedBlobs.contents))
  }

  /// Counts the uses of shared contents that came back. Objects whose content is lost have none, or an
  /// empty one, as they have for other lost values.
  mutating func restoreSharing() throws {
    let connection = VaultConnection(target)
    let schema = Schema(on: connection)
    for column in try SharedBlobs.columns(in: schema) where try schema.hasTable(column.table) {
      let (name, _) = column.digests
      let isOptional =
        try schema.columns(of: column.table)
        .first { $0.name.asciiLowercased == column.column.asciiLowercased }?.isNotNull == false
      try connection.execute(
        "UPDATE \(SQL.quoted(column.table)) SET \(SQL.quoted(column.column)) = "
          + "\(isOptional ? "NULL" : "x''") WHERE \(SharedBlobs.isDigest(name)) AND \(name) NOT IN "
          + "(SELECT \"digest\" FROM \(SharedBlobs.contents))")
      if target.changes > 0 {
        notRestored.append(
          "the shared content of column '\(column.column)' of \(target.changes) rows of table "
            + "'\(column.table)'")
      }
    }
    try SharedBlobs.recount(on: connection)
  }
}
