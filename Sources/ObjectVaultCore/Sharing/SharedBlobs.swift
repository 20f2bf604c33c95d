import ObjectVaultEngine
import ObjectVaultKeys

/// How a file keeps bytes that objects share: each content once, under its digest.
///
/// The column of a shared property has a content of fewer than 32 bytes as it is, and in the place of
/// a longer one its digest: HMAC-SHA-256 under a key that is made for the file and kept in it, as TEXT of
/// 64 hexadecimal digits. A program that takes the column for bytes finds none there, and fails.
///
/// Triggers count in `objectvault_blob_uses` how many rows have a digest, and remove the content with
/// the last one, in the same transaction, whoever writes.
enum SharedBlobs {
  /// The contents by their digests.
  static let contents = "objectvault_blobs"
  /// How many rows have each digest. A table of its own: a count is raised without a word of the content
  /// being written.
  static let uses = "objectvault_blob_uses"
  /// The columns that have digests.
  static let columns = "objectvault_shared"
  /// The key of the digests, in `objectvault_info`.
  static let keyName = "blob_key"
  /// Reads it.
  static let selectKey =
    "SELECT \"value\" FROM objectvault_info WHERE \"key\" = '\(keyName)'"
  /// The fewest bytes of a content that is kept apart from its objects.
  static let leastSize = 32

  private static let definitions = [
    "CREATE TABLE IF NOT EXISTS \(contents) (\"digest\" TEXT PRIMARY KEY NOT NULL, "
      + "\"content\" BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS \(uses) (\"digest\" TEXT PRIMARY KEY NOT NULL, "
      + "\"uses\" INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS \(columns) (\"table\" TEXT NOT NULL, \"column\" TEXT NOT NULL, "
      + "PRIMARY KEY (\"table\", \"column\"))",
  ]

  /// Makes the tables and the key, where they are missing; inside a transaction.
  static func create(on connection: VaultConnection) throws {
    for sql in definitions { try connection.execute(sql) }
    let key = try ContentCode.makeKey()
    try connection.with(
      "INSERT OR IGNORE INTO objectvault_info VALUES ('\(keyName)', CAST(?1 AS TEXT))"
    ) { statement in
      let binder = statement.binder
      key.withUnsafeBytes { binder.bind(bytes: $0, at: 0) }
      try statement.run()
    }
  }

  // MARK: SQL

  /// The content that a column stands for.
  static func content(of column: String) -> String {
    "CASE typeof(\(column)) WHEN 'text' THEN ifnull((SELECT \(contents).\"content\" "
      + "FROM \(contents) WHERE \(contents).\"digest\" = \(column)), "
      + "\(contentFunction)(\(column))) ELSE \(column) END"
  }

  /// What a column keeps of a content, which is stored where it is not there yet.
  static func stored(_ content: String) -> String { "\(shareFunction)(\(content))" }

  /// What a column keeps of a content, to be compared.
  static func digest(of content: String) -> String { "\(digestFunction)(\(content))" }

  /// What tells, among the names of columns, that one has digests: no column can be called so.
  static func mark(_ column: String) -> String { "\(column)\0shared" }

  /// Whether a column has a digest.
  static func isDigest(_ column: String) -> String { "typeof(\(column)) = 'text'" }

  /// Whether a column has a content that is long enough to be kept apart.
  static func isLong(_ column: String) -> String {
    "typeof(\(column)) = 'blob' AND length(\(column)) >= \(leastSize)"
  }

  static let shareFunction = "ov_share"
  static let digestFunction = "ov_digest"
  static let contentFunction = "ov_content"

  /// The digest of a content under the file's key.
  static func digest(
    of content: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer
  ) throws(KeyError) -> String {
    SQL.hexadecimal(try ContentCode.code(of: content, under: key))
  }

  // MARK: Counts

  /// The columns that have digests: of one table, or of all.
  static func columns(of table: String? = nil, in schema: Schema) throws -> [Column] {
    guard try schema.hasTable(columns) else { return [] }
    return try schema.connection.with(
      "SELECT \"table\", \"column\" FROM \(columns) WHERE ?1 IS NULL OR \"table\" = ?1 "
        + "ORDER BY \"table\", \"column\""
    ) { statement in
      // Also where nothing is bound: what was bound before goes.
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

  /// A column that has digests.
  struct Column: Hashable {
    var table: String
    var column: String

    /// The rows that have one: the column, the table, and the condition.
    var digests: (column: String, rows: String) {
      let name = "\(SQL.quoted(table)).\(SQL.quoted(column))"
      return (name, "\(SQL.quoted(table)) WHERE \(isDigest(name))")
    }
  }

  /// Counts all uses anew, and removes the contents that nothing uses; inside a transaction.
  static func recount(on connection: VaultConnection) throws {
    let schema = Schema(on: connection)
    guard try schema.hasTable(uses) else { return }
    try connection.execute("DELETE FROM \(uses)")
    for column in try columns(in: schema) where try schema.hasTable(column.table) {
      let (name, rows) = column.digests
      try connection.execute(
        "INSERT OR REPLACE INTO \(uses) (\"digest\", \"uses\") SELECT \(name), count(*) + ifnull("
          + "(SELECT u.\"uses\" FROM \(uses) AS u WHERE u.\"digest\" = \(name)), 0) "
          + "FROM \(rows) GROUP BY \(name)")
    }
    try connection.execute(
      "DELETE FROM \(contents) WHERE \"digest\" NOT IN (SELECT \"digest\" FROM \(uses))")
  }

  /// Makes the columns of a table those that have digests; inside a transaction.
  static func setColumns(
    _ names: [String], ofTable table: String, on connection: VaultConnection
  ) throws {
    guard try Schema(on: connection).hasTable(columns) else { return }
    try connection.with("DELETE FROM \(columns) WHERE \"table\" = ?1") {
      $0.binder.bind(text: table, at: 0)
      try $0.run()
    }
    for name in names {
      try connection.with("INSERT INTO \(columns) VALUES (?1, ?2)") {
        let binder = $0.binder
        binder.bind(text: table, at: 0)
        binder.bind(text: name, at: 1)
        try $0.run()
      }
    }
  }

  /// Has columns of a class's table, which are about to be dropped, use nothing any more; inside a
  /// transaction.
  static func forget(
    _ names: [String], ofTable description: ClassDescription, on connection: VaultConnection
  ) throws {
    let table = description.table
    let present = try PresentSharing(ofTable: table, in: Schema(on: connection))
    let left = Set(present.columns).subtracting(names)
    guard left.count < present.columns.count else { return }
    for name in present.triggers.keys { try connection.execute("DROP TRIGGER \(SQL.quoted(name))") }
    let columns = ordered(left, description.sharedColumns)
    try setColumns(columns, ofTable: table, on: connection)
    for sql in SharingDefinition(table: table, columns: columns).statements.values {
      try connection.execute(sql)
    }
    try recount(on: connection)
  }

  /// Has a table that was dropped use nothing any more; inside a transaction.
  static func forget(table: String, on connection: VaultConnection) throws {
    guard try !columns(of: table, in: Schema(on: connection)).isEmpty else { return }
    try setColumns([], ofTable: table, on: connection)
    try recount(on: connection)
  }
}
