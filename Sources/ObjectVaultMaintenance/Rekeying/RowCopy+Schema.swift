import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile

extension RowCopy {
  /// The engine's own table for the sequences of AUTOINCREMENT.
  static let sequences = "sqlite_sequence"

  /// Creates every table that has pages, and returns these tables.
  func makeTables() throws -> [StoredTable] {
    var tables: [StoredTable] = []
    for (name, sql) in try objects("type = 'table' AND rootpage > 0") {
      // The engine creates it with the first table that needs it.
      if name != Self.sequences { try make("table", name, sql) }
      tables.append(
        try refusing("table", name) { () throws(DriverError) in try StoredTable(name, in: source) })
    }
    if let index = tables.firstIndex(where: { $0.name == Self.sequences }) {
      // It is filled last, because each row of another table changes it.
      tables.append(tables.remove(at: index))
      try makeSequences()
    }
    return tables
  }

  private func makeSequences() throws(DriverError) {
    let master = try destination.prepare(
      "SELECT 1 FROM sqlite_master WHERE name = '\(Self.sequences)'", persistent: false)
    // The table remains even if no table needs it any more.
    guard try !master.step() else { return }
    try destination.execute("CREATE TABLE \(Self.sequences)(name,seq)")
  }

  /// Creates the indexes that have an explicit statement.
  ///
  /// The other indexes are created with their tables.
  func makeIndexes(_ count: RowCount) throws {
    for (name, sql) in try objects("type = 'index' AND sql IS NOT NULL") {
      try make("index", name, sql)
      try count.report()
    }
  }

  /// Copies the schema entries that the engine need not understand.
  ///
  /// Views, triggers and virtual tables consist only of their text.
  func copyUnreadSchema() throws {
    let rows = try source.prepare(
      """
      SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master
      WHERE type IN ('view', 'trigger') OR (type = 'table' AND coalesce(rootpage, 0) = 0)
      ORDER BY rowid
      """, persistent: false)
    let insertion = try destination.prepare(
      "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) VALUES(?1, ?2, ?3, ?4, ?5)",
      persistent: false)
    while try rows.step() {
      let row = rows.row
      try screen(row.text(at: 0) ?? "", row.text(at: 1) ?? "", row.text(at: 4))
      try insertion.run(withRowOf: rows)
    }
  }

  private func objects(_ condition: String) throws(DriverError) -> [(name: String, sql: String)] {
    let statement = try source.prepare(
      "SELECT name, sql FROM sqlite_master WHERE \(condition) ORDER BY rowid", persistent: false)
    var objects: [(name: String, sql: String)] = []
    while try statement.step() {
      objects.append((statement.row.text(at: 0) ?? "", statement.row.text(at: 1) ?? ""))
    }
    return objects
  }

  private func make(_ kind: String, _ name: String, _ sql: String) throws {
    try screen(kind, name, sql)
    try refusing(kind, name) { () throws(DriverError) in
      try destination.prepare(sql, persistent: false).run()
    }
  }

  /// Checks the definition of a schema object.
  ///
  /// - Throws: `.engineRefused` for a definition that would do more than create the object.
  private func screen(_ kind: String, _ name: String, _ sql: String?) throws {
    try refusing(kind, name) { () throws(DriverError) in
      if let reason = SchemaScreen.refusal(type: kind, name: name, sql: sql) {
        throw DriverError(.sqlError, reason)
      }
    }
  }

  /// Calls `body` and names the schema object in errors of the engine.
  func refusing<R>(
    _ kind: String, _ name: String, _ body: () throws(DriverError) -> R
  ) throws -> R {
    do {
      return try body()
    } catch {
      switch error.code {
      case .sqlError, .misuse, .notAuthorized, .mismatch, .tooBig, .constraintUnique,
        .constraintPrimaryKey, .constraintNotNull, .constraintForeignKey, .constraintCheck,
        .constraintTrigger, .constraint:
        throw VaultError(
          .engineRefused,
          "The \(kind) '\(name)' cannot be copied. \(error.message.asSentence) Copy the file with "
            + "the program that created it, or remove the \(kind) first.",
          engineCode: error.resultCode == 0 ? nil : error.resultCode, underlying: error)
      default:
        throw error
      }
    }
  }
}
