import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension Salvage {
  /// Creates the tables of shared blobs, if the file's list of tables does not contain them.
  mutating func addSharing(of classes: [LostClass]) throws {
    let shared = classes.map {
      (
        table: $0.description.table,
        columns: SharedBlobs.columns(of: $0.description, removed: $0.removed)
      )
    }.filter { !$0.columns.isEmpty }
    if shared.isEmpty { return }
    try SharedBlobs.create(on: Session(target))
    for (table, columns) in shared {
      looseIndexes += SharingDefinition(table: table, columns: columns).statements
        .sorted { $0.key < $1.key }
        .map { name, sql in
          StoredSchema.Entry(type: "trigger", name: name, table: table, root: 0, sql: sql)
        }
    }
    guard !salvaged.contains(where: { $0.target.name == SharedBlobs.contents }) else { return }
    let made = try SalvageTarget(
      SharedBlobs.contents, on: target, hasRowIDs: true, encoding: pages.encoding)
    let table = TableSalvage(made, title: SharedBlobs.contents)
    let encoding = pages.encoding
    table.isPossible = { values in
      guard values.count == 2, case .text(let digest) = values[0] else { return false }
      if case .text = values[1] { return false }
      return encoding.text(digest).utf8.count == SharedBlobs.digestLength
    }
    unplaced.append(table)
  }

  /// Returns the columns that contain digests of shared blobs.
  ///
  /// A part of their list may be lost, but the triggers in the file name the columns too, and so do
  /// the descriptions of classes.
  private func sharedColumns(in schema: Schema) throws -> [SharedBlobs.Column] {
    let triggers = owners.schema.entries.filter { $0.type == "trigger" }
    let counted = triggers.flatMap {
      SharingDefinition.columns(ofTrigger: $0.name, $0.sql ?? "")
    }
    return try SharedBlobs.existing(SharedBlobs.allColumns(in: schema) + counted, in: schema)
  }

  /// Whether columns or rows that use shared blobs may be lost, although the blobs are not.
  private var mayLackUses: Bool {
    !lostTables.isEmpty
      || [SharedBlobs.columns, "objectvault_classes"].contains { name in
        tables.first { $0.table == name }?.isWhole != true
      }
  }

  /// Counts the references to the recovered shared blobs.
  ///
  /// An object whose blob is lost gets nil or an empty blob, as for other lost values.
  mutating func restoreSharing() throws {
    let session = Session(target)
    let schema = Schema(on: session)
    let columns = try sharedColumns(in: schema)
    if !columns.isEmpty {
      // The information about the vault, including the key of the digests, may be lost.
      try SystemTables(session).create(vaultID: vaultID)
      try SharedBlobs.create(on: session)
      try SharedBlobs.record(columns, in: schema)
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
    let unused = try SharedBlobs.recount(on: session, deletingUnused: !mayLackUses)
    if unused > 0 {
      notRestored.append(
        "the rows that use \(unused) shared contents, which are stored until the file is reindexed")
    }
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
