package import ObjectVaultCondition

/// The statements of SQLite 3.15 and later that read and change its schema (its documentation, "The
/// Schema Table" and "PRAGMA Statements").
package struct SQLiteCatalog: Catalog {
  package init() {}

  // MARK: Transactions

  private static let begin = StatementText("BEGIN IMMEDIATE")
  private static let beginReading = StatementText("BEGIN DEFERRED")
  private static let firstRead = StatementText("SELECT 1 FROM sqlite_master LIMIT 1")
  private static let schemaVersion = StatementText("PRAGMA schema_version")

  package var begin: StatementText { Self.begin }
  package var beginReading: StatementText { Self.beginReading }
  package var firstRead: StatementText { Self.firstRead }
  package var schemaVersion: StatementText { Self.schemaVersion }
  package var listsSchemaWhenCompiled: Bool { true }
  package var deferReferences: String { "PRAGMA defer_foreign_keys = ON" }
  package var enforceReferences: String? { nil }
  package var requireAllRows: String? { nil }

  // MARK: Reading

  package var tableNamed: String {
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
  }

  package var tables: String {
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
      + "ESCAPE '\\' AND name NOT LIKE 'objectvault\\_%' ESCAPE '\\' ORDER BY name"
  }

  package var ownNames: String {
    "SELECT name FROM sqlite_master WHERE name LIKE 'objectvault\\_%' ESCAPE '\\'"
  }

  package var triggeredTables: String? {
    "SELECT DISTINCT t.name FROM sqlite_master t JOIN sqlite_master o "
      + "ON o.tbl_name = t.name COLLATE NOCASE WHERE o.type = 'trigger' AND t.type = 'table'"
  }

  package var triggeredObjects: String? {
    "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY tbl_name"
  }

  package var objectsOfTable: String {
    "SELECT name, sql FROM sqlite_master WHERE type = ?1 AND sql IS NOT NULL "
      + "AND tbl_name = ?2 COLLATE NOCASE ORDER BY rowid"
  }

  package var objects: String {
    "SELECT name, sql FROM sqlite_master WHERE type = ?1 AND sql IS NOT NULL ORDER BY rowid"
  }

  package var definition: String {
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name = ?1"
  }

  package var collatedTables: String {
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%COLLATE%'"
  }

  package func columns(of table: String) -> String { "PRAGMA table_info(\(SQL.quoted(table)))" }

  package func foreignKeys(of table: String) -> String {
    "PRAGMA foreign_key_list(\(SQL.quoted(table)))"
  }

  package var foreignKeys: AllForeignKeys {
    .inStatementsOfTables(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%REFERENCES%' "
        + "ORDER BY name")
  }

  package func indexes(of table: String) -> String { "PRAGMA index_list(\(SQL.quoted(table)))" }

  package func columns(ofIndex index: String) -> String {
    "PRAGMA index_info(\(SQL.quoted(index)))"
  }

  // MARK: Defining

  package var orderColumn: String? { nil }

  package func presentOrderColumn(of table: String) -> String? { nil }

  package var orderType: String { "" }

  package func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value) where value == .infinity: "9e999"
    case .real(let value) where value == -.infinity: "-9e999"
    case .real(let value) where value.isNaN: nil
    case .real(let value): String(value)
    case .text(let text) where text.utf8.contains(0): nil
    case .text(let text): SQL.text(text)
    case .blob(let bytes): "x'\(SQL.hexadecimal(bytes))'"
    }
  }

  package func constraints(of table: String) -> String? { nil }

  package func order(_ table: String, by column: String) -> [String] { [] }

  package func affinity(ofColumn type: String) -> String? { nil }

  package func columnType(_ type: String) -> String { type }

  package func columnType(_ type: String, of property: PropertyType) -> String { type }

  package var generatedKey: String { "INTEGER PRIMARY KEY AUTOINCREMENT" }

  package var numbered: String { "" }

  package var withoutRowNumbers: String { " WITHOUT ROWID" }

  package var needsReferencedTables: Bool { false }

  /// Returns a deferred check: an immediate one makes every statement keep a statement journal,
  /// which SQLCipher 3.4 encrypts page by page.
  package var referenceTiming: String { "DEFERRABLE INITIALLY DEFERRED" }

  /// Returns a condition; the engine counts the characters of a text only up to the first NUL.
  package func isAtMost(_ limit: Int, _ value: String, countsBytes: Bool) -> String {
    if countsBytes { return "length(\(value)) <= \(limit)" }
    return "length(CAST(\(value) AS BLOB)) <= \(limit) OR "
      + "length(\(value)) <= \(limit) AND instr(\(value), char(0)) = 0"
  }

  package var longestName: Int? { nil }

  package func problem(withName name: String, ofColumn isColumn: Bool) -> String? { nil }

  package var occupant: String? { nil }

  package func make(_ trigger: ClearingTrigger) -> [String] { [trigger.definition] }

  package func dropTrigger(_ name: String) -> String {
    "DROP TRIGGER IF EXISTS \(SQL.quoted(name))"
  }

  package var hasTriggers: Bool { true }

  /// The engine's clock counts milliseconds, and its Julian days are exact to less than one.
  package var now: String { "round((julianday('now') - 2440587.5) * 86400.0, 3)" }

  package var takesNumbersBack: Bool { true }

  package func raising(_ table: String, _ column: String) -> String? { nil }

  package var altersColumns: Bool { false }

  package func recordedNumber(_ table: String, _ column: String) -> String? { nil }

  package func updating(_ table: String) -> String { "UPDATE OR FAIL \(SQL.quoted(table))" }

  /// The engine limits the depth to that of triggers, 1,000.
  package var cascadesToAnyDepth: Bool { false }

  // MARK: Temporary tables

  package func temporary(_ table: String) -> String { "temp.\(SQL.quoted(table))" }

  package var typesColumns: Bool { false }

  package func makeTemporary(_ table: String, _ columns: String) -> String {
    "CREATE TABLE IF NOT EXISTS \(temporary(table)) \(columns)"
  }

  package func makeTemporary(
    _ table: String, forKeysOf source: String, _ key: [String]
  ) -> [String]? { nil }

  package func insertingNew(into table: String, _ select: String) -> String {
    "INSERT OR IGNORE INTO \(table) \(select)"
  }

  package var orderedJoin: String { "CROSS JOIN" }

  package var fillsTemporaryTablesWhileReading: Bool { true }
}
