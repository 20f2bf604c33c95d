import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension Salvage {
  /// Creates the tables of shared blobs, if the file's list of tables does not contain them.
  mutating func addSharing(of descriptions: [ClassDescription]) throws {
    guard descriptions.contains(where: { !$0.sharedColumns.isEmpty }) else { return }
    let session = Session(target)
    try SharedBlobs.create(on: session)
    for description in descriptions {
      let columns = description.sharedColumns
      try SharedBlobs.setColumns(columns, ofTable: description.table, on: session)
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

  /// Counts the references to the recovered shared blobs.
  ///
  /// An object whose blob is lost gets nil or an empty blob, as for other lost values.
  mutating func restoreSharing() throws {
    let session = Session(target)
    let schema = Schema(on: session)
    let columns = try SharedBlobs.columns(in: schema).filter { try schema.hasTable($0.table) }
    if !columns.isEmpty {
      // The information about the vault, including the key of the digests, may be lost.
      try SystemTables(session).create(vaultID: vaultID)
      try SharedBlobs.create(on: session)
      try renewDigests(in: columns, on: session)
    }
    for column in columns {
      let (name, _) = column.digests
      let isOptional =
        try schema.columns(of: column.table)
        .first { $0.name.asciiLowercased == column.column.asciiLowercased }?.isNotNull == false
      try session.execute(
        "UPDATE \(SQL.quoted(column.table)) SET \(SQL.quoted(column.column)) = "
          + "\(isOptional ? "NULL" : "x''") WHERE \(SharedBlobs.isDigest(name)) AND \(name) NOT IN "
          + "(SELECT \"digest\" FROM \(SharedBlobs.contents))")
      if target.changes > 0 {
        notRestored.append(
          "the shared content of column '\(column.column)' of \(target.changes) rows of table "
            + "'\(column.table)'")
      }
    }
    try SharedBlobs.recount(on: session)
  }

  /// Updates the digests of blobs to the key of the new file.
  ///
  /// If the old key is lost, all digests change.
  private func renewDigests(
    in columns: [SharedBlobs.Column], on session: Session
  ) throws {
    let renewed = try session.with(SharedBlobs.selectKey) { statement in
      guard try statement.step() else { return [(old: String, new: String)]() }
      return try statement.row.withBytes(at: 0) { key in
        try session.with("SELECT \"digest\", \"content\" FROM \(SharedBlobs.contents)") {
          contents in
          var renewed: [(old: String, new: String)] = []
          while try contents.step() {
            let old = contents.row.text(at: 0) ?? ""
            let new = try contents.row.withBytes(at: 1) {
              try SharedBlobs.digest(of: $0, under: key)
            }
            if new != old { renewed.append((old, new)) }
          }
          return renewed
        }
      }
    }
    guard !renewed.isEmpty else { return }
    let list = "temp.\(SQL.quoted("ov_renewed"))"
    try session.execute("CREATE TABLE \(list) (old TEXT PRIMARY KEY, new TEXT)")
    for (old, new) in renewed {
      for sql in [
        "INSERT OR REPLACE INTO \(list) VALUES (?1, ?2)",
        "UPDATE OR REPLACE \(SharedBlobs.contents) SET \"digest\" = ?2 WHERE \"digest\" = ?1",
      ] {
        try session.with(sql) { statement in
          let binder = statement.binder
          binder.bind(text: old, at: 0)
          binder.bind(text: new, at: 1)
          try statement.run()
        }
      }
    }
    for column in columns {
      let (name, _) = column.digests
      try session.execute(
        "UPDATE \(SQL.quoted(column.table)) SET \(SQL.quoted(column.column)) = "
          + "(SELECT new FROM \(list) WHERE old = \(name)) "
          + "WHERE \(SharedBlobs.isDigest(name)) AND \(name) IN (SELECT old FROM \(list))")
    }
    try session.execute("DROP TABLE \(list)")
  }
}
