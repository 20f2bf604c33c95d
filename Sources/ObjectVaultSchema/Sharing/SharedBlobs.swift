import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The storage of shared contents: each content is stored once, under its digest.
///
/// The column of a shared property contains a content of fewer than 32 bytes unchanged. For a
/// longer one, it contains the digest: HMAC-SHA-256 with a random key that is generated for the
/// file and stored in it, as TEXT of 64 hexadecimal digits. A program that reads the column as
/// bytes fails, because it contains text.
///
/// Triggers count the rows with each digest in `objectvault_blob_uses` and delete the content with
/// the last row, in the same transaction and for every writing program.
package enum SharedBlobs {
  /// The table of contents by digest.
  package static let contents = "objectvault_blobs"
  /// The table with the number of rows for each digest.
  ///
  /// It is a separate table, so that incrementing a count does not rewrite the content.
  package static let uses = "objectvault_blob_uses"
  /// The table of columns that contain digests.
  package static let columns = "objectvault_shared"
  /// The number of hexadecimal digits of a digest.
  package static let digestLength = 64
  /// The name of the digest key in `objectvault_info`.
  static let keyName = "blob_key"
  /// A query of the digest key.
  package static let selectKey =
    "SELECT \"value\" FROM objectvault_info WHERE \"key\" = '\(keyName)'"

  private static let definitions = [
    "CREATE TABLE IF NOT EXISTS \(contents) (\"digest\" TEXT PRIMARY KEY NOT NULL, "
      + "\"content\" BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS \(uses) (\"digest\" TEXT PRIMARY KEY NOT NULL, "
      + "\"uses\" INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS \(columns) (\"table\" TEXT NOT NULL, \"column\" TEXT NOT NULL, "
      + "PRIMARY KEY (\"table\", \"column\"))",
  ]

  /// Creates missing tables and the key; inside a transaction.
  package static func create(on session: Session) throws {
    for sql in definitions { try session.execute(sql) }
    try session.execute(
      "INSERT OR IGNORE INTO objectvault_info "
        + "VALUES ('\(keyName)', CAST(\(newKeyFunction)() AS TEXT))")
  }

  /// Returns columns in a fixed order: declared columns in declaration order, then all others.
  package static func ordered(_ columns: Set<String>, _ declared: [String]) -> [String] {
    declared.filter(columns.contains) + columns.subtracting(declared).sorted()
  }

  // MARK: SQL

  /// Returns SQL for the content of a column.
  package static func content(of column: String) -> String {
    "CASE typeof(\(column)) WHEN 'text' THEN ifnull((SELECT \(contents).\"content\" "
      + "FROM \(contents) WHERE \(contents).\"digest\" = \(column)), "
      + "\(contentFunction)(\(column))) ELSE \(column) END"
  }

  /// Returns SQL that stores a content if necessary, for the value of a column.
  package static func stored(_ content: String) -> String { "\(shareFunction)(\(content))" }

  /// Returns SQL for the column value of a content, for comparisons.
  package static func digest(of content: String) -> String { "\(digestFunction)(\(content))" }

  /// Returns the marker for a digest column in lists of column names; no column can have this name.
  package static func mark(_ column: String) -> String { "\(column)\0shared" }

  /// Returns SQL that tests whether a column contains a digest.
  package static func isDigest(_ column: String) -> String { "typeof(\(column)) = 'text'" }

  /// Returns SQL that tests whether a column contains a content that must be stored separately.
  static func isLong(_ column: String) -> String {
    "typeof(\(column)) = 'blob' AND length(\(column)) >= \(ClassDescription.leastSharedSize)"
  }

  package static let shareFunction = "ov_share"
  package static let digestFunction = "ov_digest"
  package static let contentFunction = "ov_content"
  package static let newKeyFunction = "ov_content_key"

  // MARK: Counts

  /// Returns the columns that contain digests, of one table or of all tables.
  package static func columns(of table: String? = nil, in schema: Schema) throws -> [Column] {
    guard try schema.hasTable(columns) else { return [] }
    return try schema.session.with(
      "SELECT \"table\", \"column\" FROM \(columns) WHERE ?1 IS NULL OR \"table\" = ?1 "
        + "ORDER BY \"table\", \"column\""
    ) { statement in
      // Also clears an earlier binding if `table` is `nil`.
      let binder = statement.binder
      if let table { binder.bind(text: table, at: 0) }
      var found: [Column] = []
      while try statement.step() {
        let row = statement.row
        found.append(Column(table: row.text(at: 0) ?? "", column: row.text(at: 1) ?? ""))
      }
      return found
    }
  }

  /// Returns the columns of a class that contain digests, in the order of the triggers.
  package static func columns(
    of description: ClassDescription, removed: [FormerProperty]
  ) -> [String] {
    let declared = description.sharedColumns
    let left = removed.filter(\.property.isShared).map(\.property.column)
    return ordered(Set(declared + left), declared)
  }

  /// Returns the columns that contain digests, as the tables of the file have them.
  ///
  /// If another program renamed a table or a column, the triggers have its present name, but the
  /// list of columns has not.
  package static func presentColumns(in schema: Schema) throws -> [Column] {
    var found = try columns(in: schema)
    if !schema.catalog.altersColumns {
      for trigger in try schema.objects("trigger") {
        found += SharingDefinition.columns(ofTrigger: trigger.name, trigger.sql)
      }
    }
    return try existing(found, in: schema)
  }

  /// Returns the columns that contain digests, including those that only the descriptions of
  /// classes name.
  ///
  /// Descriptions that cannot be read are left out.
  package static func allColumns(in schema: Schema) throws -> [Column] {
    let declared = try schema.tables().flatMap { table -> [Column] in
      guard let (description, removed) = try described(table, in: schema) else { return [] }
      return columns(of: description, removed: removed).map { Column(table: table, column: $0) }
    }
    return try existing(presentColumns(in: schema) + declared, in: schema)
  }

  /// Returns the columns that tables have, each once, by table and name.
  package static func existing(_ columns: [Column], in schema: Schema) throws -> [Column] {
    let tables = Dictionary(grouping: Set(columns), by: \.table)
    return try tables.sorted { $0.key < $1.key }.flatMap { table, columns -> [Column] in
      guard try schema.hasTable(table) else { return [] }
      let present = Set(try schema.columns(of: table).map(\.name))
      return columns.filter { present.contains($0.column) }.sorted { $0.column < $1.column }
    }
  }

  private static func described(
    _ table: String, in schema: Schema
  ) throws -> SystemTables.DescribedClass? {
    do {
      return try SystemTables(schema.session).described(ofTable: table)
    } catch is VaultError {
      return nil
    }
  }

  /// Records the columns of all tables that contain digests; inside a transaction.
  package static func record(_ all: [Column], in schema: Schema) throws {
    let listed = Dictionary(grouping: try columns(in: schema), by: \.table)
    let tables = Dictionary(grouping: all, by: \.table)
    for table in Set(listed.keys).union(tables.keys).sorted() {
      let names = Set((tables[table] ?? []).map(\.column))
      if names == Set((listed[table] ?? []).map(\.column)) { continue }
      try setColumns(names.sorted(), ofTable: table, on: schema.session)
    }
  }

  /// A column that contains digests.
  package struct Column: Hashable {
    package var table: String
    package var column: String

    /// Creates a column from the names.
    package init(table: String, column: String) {
      (self.table, self.column) = (table, column)
    }

    /// The SQL parts for rows with a digest: the column, and the table with the condition.
    package var digests: (column: String, rows: String) {
      let name = "\(SQL.quoted(table)).\(SQL.quoted(column))"
      return (name, "\(SQL.quoted(table)) WHERE \(isDigest(name))")
    }
  }

  /// Recounts all uses and deletes unused contents; inside a transaction.
  ///
  /// - Parameters:
  ///   - session: A session of the database.
  ///   - deletesUnused: Whether unused contents are deleted. Columns that use them may be unknown.
  /// - Returns: The number of unused contents that were not deleted.
  /// - Throws: The errors of the statements.
  @discardableResult
  package static func recount(
    on session: Session, deletingUnused deletesUnused: Bool = true
  ) throws -> Int {
    let schema = Schema(on: session)
    guard try schema.hasTable(uses) else { return 0 }
    try session.execute("DELETE FROM \(uses)")
    for column in try presentColumns(in: schema) {
      let (name, rows) = column.digests
      try session.execute(
        "INSERT OR REPLACE INTO \(uses) (\"digest\", \"uses\") SELECT \(name), count(*) + ifnull("
          + "(SELECT u.\"uses\" FROM \(uses) AS u WHERE u.\"digest\" = \(name)), 0) "
          + "FROM \(rows) GROUP BY \(name)")
    }
    let unused = "FROM \(contents) WHERE \"digest\" NOT IN (SELECT \"digest\" FROM \(uses))"
    if deletesUnused {
      try session.execute("DELETE \(unused)")
      return 0
    }
    return try session.with("SELECT count(*) \(unused)") { try $0.count() }
  }

  /// Deletes the contents without a use, beginning with a row; inside a transaction.
  package static func deleteUnused(from row: Int64, on session: Session) throws {
    let unused = try session.with(
      "SELECT \"digest\" FROM \(contents) WHERE rowid >= ?1 AND (SELECT \"uses\" FROM \(uses) "
        + "WHERE \(uses).\"digest\" = \(contents).\"digest\") = 0"
    ) { statement in
      statement.binder.bind(integer: row, at: 0)
      return try statement.rows { $0.text(at: 0) ?? "" }
    }
    for digest in unused {
      for table in [contents, uses] {
        try session.with("DELETE FROM \(table) WHERE \"digest\" = ?1") {
          $0.binder.bind(text: digest, at: 0)
          try $0.run()
        }
      }
    }
  }

  /// Records the columns of a table that contain digests; inside a transaction.
  package static func setColumns(
    _ names: [String], ofTable table: String, on session: Session
  ) throws {
    guard try Schema(on: session).hasTable(columns) else { return }
    try session.with("DELETE FROM \(columns) WHERE \"table\" = ?1") {
      $0.binder.bind(text: table, at: 0)
      try $0.run()
    }
    for name in names {
      try session.with("INSERT INTO \(columns) VALUES (?1, ?2)") {
        let binder = $0.binder
        binder.bind(text: table, at: 0)
        binder.bind(text: name, at: 1)
        try $0.run()
      }
    }
  }

  /// Releases the contents of columns that are about to be dropped; inside a transaction.
  package static func forget(
    _ names: [String], ofTable description: ClassDescription, on session: Session
  ) throws {
    let table = description.table
    let present = try PresentSharing(ofTable: table, in: Schema(on: session))
    let left = Set(present.columns).subtracting(names)
    guard left.count < present.columns.count else { return }
    for name in present.triggers.keys { try session.execute("DROP TRIGGER \(SQL.quoted(name))") }
    let columns = ordered(left, description.sharedColumns)
    try setColumns(columns, ofTable: table, on: session)
    for sql in SharingDefinition(table: table, columns: columns).statements.values {
      try session.execute(sql)
    }
    try recount(on: session)
  }

  /// Releases the contents of a dropped table; inside a transaction.
  package static func forget(table: String, on session: Session) throws {
    guard try !columns(of: table, in: Schema(on: session)).isEmpty else { return }
    try setColumns([], ofTable: table, on: session)
    try recount(on: session)
  }
}
