package import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultModel

/// The statements of PostgreSQL 15 and later that read and change the schema at the start of the
/// search path (its documentation, "System Catalogs").
package struct PostgreSQLCatalog: Catalog {
  package init() {}

  // MARK: Transactions

  private static let begin = StatementText("BEGIN ISOLATION LEVEL SERIALIZABLE")
  private static let beginReading = StatementText(
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
  private static let firstRead = StatementText("SELECT 1")
  private static let schemaVersion = StatementText(
    "SELECT number FROM objectvault_schema_changes"
  )

  package var begin: StatementText { Self.begin }
  package var beginReading: StatementText { Self.beginReading }
  package var firstRead: StatementText { Self.firstRead }
  package var schemaVersion: StatementText { Self.schemaVersion }
  package var listsSchemaWhenCompiled: Bool { false }
  package var deferReferences: String { "SET CONSTRAINTS ALL DEFERRED" }
  package var enforceReferences: String? { "SET CONSTRAINTS ALL IMMEDIATE" }
  package var requireAllRows: String? { "SET LOCAL row_security TO off" }

  // MARK: Reading

  /// The tables of the schema, as `c`.
  private static let tables =
    "pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
    + "AND n.nspname = current_schema()"

  package var tableNamed: String {
    "SELECT c.relname FROM \(Self.tables) WHERE c.relkind IN ('r', 'p') "
      + "AND lower(c.relname::text COLLATE \"C\") = lower(?1::text COLLATE \"C\") "
      // Another program can have a table whose name differs only in case.
      + "ORDER BY c.relname = ?1::text DESC LIMIT 1"
  }

  /// Returns the columns of text that other programs created: those of the library compare by their
  /// bytes.
  package var collatedTables: String {
    "SELECT c.relname, 'CREATE TABLE t (' || string_agg('\"' || replace(a.attname, '\"', '\"\"') "
      + "|| '\" TEXT COLLATE NOCASE', ', ') || ')' FROM \(Self.tables) "
      + "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 "
      + "AND NOT a.attisdropped \(Self.types) "
      + "JOIN pg_catalog.pg_collation AS l ON l.oid = a.attcollation "
      + "WHERE c.relkind IN ('r', 'p') AND NOT starts_with(c.relname, 'objectvault_') "
      + "AND (t.typname = 'citext' OR NOT CASE l.collprovider WHEN 'd' THEN (SELECT "
      + "d.datlocprovider = 'c' AND d.datcollate IN ('C', 'POSIX') FROM pg_catalog.pg_database AS d "
      + "WHERE d.datname = current_database()) ELSE l.collname IN ('C', 'POSIX') END) "
      + "GROUP BY c.relname"
  }

  /// The types of the columns `a`, as `t`: the values of a domain have its type.
  private static let types =
    "JOIN pg_catalog.pg_type AS y ON y.oid = a.atttypid JOIN pg_catalog.pg_type AS t "
    + "ON t.oid = CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.oid END"

  package var tables: String {
    "SELECT c.relname FROM \(Self.tables) WHERE c.relkind IN ('r', 'p') "
      + "AND NOT starts_with(c.relname, 'objectvault_') ORDER BY c.relname::text COLLATE \"C\""
  }

  package var ownNames: String {
    "SELECT c.relname FROM \(Self.tables) WHERE starts_with(c.relname, 'objectvault_')"
  }

  package var triggeredTables: String? { nil }

  package var triggeredObjects: String? { nil }

  package var objectsOfTable: String {
    "SELECT i.indexname, i.indexdef FROM pg_catalog.pg_indexes AS i WHERE ?1::text = 'index' "
      + "AND i.schemaname = current_schema() AND i.tablename = ?2::text "
      // A foreign key of another table has the index of its target.
      + "AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k "
      + "JOIN pg_catalog.pg_class AS x ON x.oid = k.conindid WHERE x.relname = i.indexname "
      + "AND k.contype <> 'f' "
      + "AND k.connamespace = x.relnamespace "
      + "AND x.relnamespace = quote_ident(current_schema())::regnamespace) "
      + "UNION ALL SELECT t.tgname, coalesce(\(Self.comment), '') || \(Self.movedMark) "
      + "FROM \(Self.tables) JOIN pg_catalog.pg_trigger AS t ON t.tgrelid = c.oid "
      + "WHERE ?1::text = 'trigger' AND NOT t.tgisinternal "
      + "AND c.relname = ?2::text"
  }

  /// The comment on the trigger `t`, which is its definition.
  private static let comment = "obj_description(t.oid, 'pg_trigger')"

  /// An expression that is a space if the trigger `t` is for other columns than its definition: it
  /// follows a column that gets a new name.
  private static let movedMark =
    "CASE WHEN strpos(coalesce(\(comment), ''), 'UPDATE OF ' || (SELECT string_agg('\"' || "
    + "replace(a.attname, '\"', '\"\"') || '\"', ', ' ORDER BY p.place) "
    + "FROM unnest(t.tgattr::int2[]) WITH ORDINALITY AS p(number, place) "
    + "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.tgrelid AND a.attnum = p.number) "
    + "|| ' ON ') = 0 THEN ' ' ELSE '' END"

  package var objects: String { "SELECT ''::text, ''::text WHERE ?1::text IS NULL" }

  package var definition: String {
    "SELECT c.relname, ''::text FROM \(Self.tables) WHERE c.relkind IN ('r', 'p') "
      + "AND c.relname = ?1::text"
  }

  package func columns(of table: String) -> String {
    "SELECT a.attnum - 1, a.attname, CASE t.typname WHEN 'int8' THEN 'INTEGER' "
      + "WHEN 'float8' THEN 'REAL' WHEN 'text' THEN 'TEXT' WHEN 'bytea' THEN 'BLOB' "
      + "ELSE t.typname::text END, a.attnotnull, pg_catalog.pg_get_expr(d.adbin, d.adrelid), "
      + "coalesce(array_position(string_to_array(i.indkey::text, ' ')::int[], a.attnum::int), 0) "
      + "FROM \(Self.tables) JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid "
      + "AND a.attnum > 0 AND NOT a.attisdropped \(Self.types) "
      + "LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum "
      + "LEFT JOIN pg_catalog.pg_index AS i ON i.indrelid = c.oid AND i.indisprimary "
      + "WHERE c.relname = \(SQL.text(table)) AND a.attname <> '\(Self.order)' ORDER BY a.attnum"
  }

  package func foreignKeys(of table: String) -> String {
    foreignKeys(where: "WHERE c.relname = \(SQL.text(table))")
  }

  package var foreignKeys: AllForeignKeys { .inOneStatement(foreignKeys(where: "")) }

  private func foreignKeys(where condition: String) -> String {
    "SELECT k.number - 1, p.place - 1, f.relname, "
      + "a.attname, b.attname, \(action("k.confupdtype")), \(action("k.confdeltype")), k.relname "
      + "FROM (SELECT k.*, c.relname, "
      + "row_number() OVER (PARTITION BY k.conrelid ORDER BY k.oid DESC) AS number "
      // The partitions of a target have constraints that follow its own.
      + "FROM \(Self.tables) JOIN pg_catalog.pg_constraint AS k ON k.conrelid = c.oid "
      + "AND k.contype = 'f' AND k.conparentid = 0 \(condition)) AS k "
      + "CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(near, far, place) "
      + "JOIN pg_catalog.pg_class AS f ON f.oid = k.confrelid "
      + "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = p.near "
      + "JOIN pg_catalog.pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = p.far "
      + "ORDER BY k.relname::text COLLATE \"C\", k.number, p.place"
  }

  private func action(_ column: String) -> String {
    "CASE \(column) WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' "
      + "WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END"
  }

  package func constraints(of table: String) -> String? {
    "SELECT k.conname, k.contype::text, a.attname, pg_catalog.pg_get_expr(k.conbin, k.conrelid) "
      + "FROM \(Self.tables) JOIN pg_catalog.pg_constraint AS k ON k.conrelid = c.oid "
      + "AND k.conparentid = 0 "
      + "CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS p(number, place) "
      + "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.number "
      + "WHERE c.relname = \(SQL.text(table)) ORDER BY k.oid, p.place"
  }

  package func indexes(of table: String) -> String {
    "SELECT row_number() OVER () - 1, x.relname, i.indisunique, CASE WHEN i.indisprimary THEN 'pk' "
      + "ELSE 'c' END, i.indpred IS NOT NULL FROM \(Self.tables) JOIN pg_catalog.pg_index AS i "
      + "ON i.indrelid = c.oid JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid "
      + "WHERE c.relname = \(SQL.text(table)) AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute AS a "
      + "WHERE a.attrelid = c.oid AND a.attname = '\(Self.order)' AND a.attnum = i.indkey[0])"
  }

  package func columns(ofIndex index: String) -> String {
    "SELECT p.place - 1, coalesce(a.attnum - 1, -2), a.attname FROM \(Self.tables) "
      + "JOIN pg_catalog.pg_index AS i ON i.indexrelid = c.oid "
      + "CROSS JOIN LATERAL unnest(string_to_array(i.indkey::text, ' ')::int[]) "
      + "WITH ORDINALITY AS p(number, place) LEFT JOIN pg_catalog.pg_attribute AS a "
      + "ON a.attrelid = i.indrelid AND a.attnum = p.number WHERE c.relname = \(SQL.text(index)) "
      + "ORDER BY p.place"
  }

  // MARK: Rows

  static let order = "ov_seq"

  package var orderColumn: String? { Self.order }

  package func presentOrderColumn(of table: String) -> String? {
    "SELECT a.attname FROM \(Self.tables) JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid "
      + "AND a.attname = '\(Self.order)' WHERE c.relname = \(SQL.text(table))"
  }

  package var orderType: String { "bigint GENERATED ALWAYS AS IDENTITY UNIQUE" }

  package func order(_ table: String, by column: String) -> [String] {
    let (name, order) = (SQL.quoted(table), Self.order)
    return [
      "ALTER TABLE \(name) DROP COLUMN IF EXISTS \(order), ADD COLUMN \(order) bigint",
      "UPDATE \(name) SET \(order) = \(SQL.quoted(column))",
      "ALTER TABLE \(name) ALTER COLUMN \(order) SET NOT NULL, ADD UNIQUE (\(order))",
      "ALTER TABLE \(name) ALTER COLUMN \(order) ADD GENERATED ALWAYS AS IDENTITY",
      "SELECT setval(\(Self.series(of: table, order)), max(\(order))) FROM \(name) "
        + "HAVING max(\(order)) > 0",
    ]
  }

  // MARK: Defining

  package func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let value): String(value)
    case .real(let value) where value == .infinity: "'Infinity'::double precision"
    case .real(let value) where value == -.infinity: "'-Infinity'::double precision"
    case .real(let value) where value.isNaN: nil
    case .real(let value): "'\(value)'::double precision"
    case .text(let value) where value.utf8.contains(0): nil
    case .text(let value): SQL.text(value)
    case .blob(let bytes): "'\\x\(SQL.hexadecimal(bytes))'::bytea"
    }
  }

  package func affinity(ofColumn type: String) -> String? {
    switch type {
    case "INTEGER", "int2", "int4": "INTEGER"
    case "REAL", "float4": "REAL"
    case "TEXT", "varchar", "bpchar", "name", "citext": "TEXT"
    case "BLOB": "BLOB"
    case "numeric": "NUMERIC"
    default: ""
    }
  }

  package func columnType(_ type: String) -> String {
    let name = Self.typeName(type)
    return name == "text" ? "text COLLATE \"C\"" : name
  }

  package func columnType(_ type: String, of property: PropertyType) -> String {
    // In SQLite, such a column stores integers and doubles exactly.
    let isNumeric = PropertyType.affinity(ofColumnType: type) == "NUMERIC"
    return columnType(isNumeric ? property.columnType : type)
  }

  /// Returns the name of a type from one of SQLite's, without a collation.
  static func typeName(_ type: String) -> String {
    switch PropertyType.affinity(ofColumnType: type) {
    case "INTEGER": "bigint"
    case "REAL", "NUMERIC": "double precision"
    case "BLOB": "bytea"
    default: "text"
    }
  }

  package var generatedKey: String { "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" }

  package var numbered: String { " GENERATED BY DEFAULT AS IDENTITY" }

  package var withoutRowNumbers: String { "" }

  package var needsReferencedTables: Bool { true }

  package var referenceTiming: String { "DEFERRABLE INITIALLY IMMEDIATE" }

  package func isAtMost(_ limit: Int, _ value: String, countsBytes: Bool) -> String {
    "\(countsBytes ? "octet_length" : "char_length")(\(value)) <= \(limit)"
  }

  package var longestName: Int? { 63 }

  /// The columns that each table has (PostgreSQL's documentation, "System Columns").
  private static let systemColumns: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  package func problem(withName name: String, ofColumn isColumn: Bool) -> String? {
    if isColumn {
      return Self.systemColumns.contains(name)
        ? "is that of a column that PostgreSQL adds to each table" : nil
    }
    // The server looks for a table in its own catalog first.
    return name.hasPrefix("pg_") ? "begins with 'pg_', which PostgreSQL reserves" : nil
  }

  package var occupant: String? {
    "SELECT CASE c.relkind WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' "
      + "WHEN 'i' THEN 'an index' WHEN 'I' THEN 'an index' WHEN 'S' THEN 'a sequence' "
      + "WHEN 'f' THEN 'a foreign table' ELSE 'a type' END FROM \(Self.tables) "
      + "WHERE c.relkind NOT IN ('r', 'p') AND c.relname = ?1::text UNION ALL "
      + "SELECT 'a type' FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n "
      + "ON n.oid = t.typnamespace AND n.nspname = current_schema() "
      // A table of this name moves the type of an array.
      + "WHERE t.typrelid = 0 AND t.typcategory <> 'A' AND t.typname = ?1::text"
  }

  /// Returns a function, the trigger that calls it, and a comment with the definition.
  ///
  /// The function finds tables as the connection that creates it.
  package func make(_ trigger: ClearingTrigger) -> [String] {
    let name = SQL.quoted(objectName(trigger.name))
    let table = SQL.quoted(trigger.table)
    let isChanged = trigger.columns.map(SQL.quoted)
      .map { "old.\($0) IS DISTINCT FROM new.\($0)" }.joined(separator: " OR ")
    let body =
      "BEGIN IF (\(isChanged)) AND (\(trigger.condition)) "
      + "THEN new.\(SQL.quoted(trigger.cleared)) := NULL; END IF; RETURN new; END"
    return [
      "CREATE OR REPLACE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql "
        + "SET search_path FROM CURRENT AS \(SQL.text(body))",
      "CREATE TRIGGER \(name) BEFORE UPDATE OF \(trigger.list) ON \(table) FOR EACH ROW "
        + "EXECUTE FUNCTION \(name)()",
      "COMMENT ON TRIGGER \(name) ON \(table) IS \(SQL.text(trigger.definition))",
    ]
  }

  package func dropTrigger(_ name: String) -> String {
    "DROP FUNCTION IF EXISTS \(SQL.quoted(objectName(name)))() CASCADE"
  }

  package var hasTriggers: Bool { false }

  package var now: String {
    "round(extract(epoch FROM statement_timestamp()), 3)::double precision"
  }

  package var takesNumbersBack: Bool { false }

  package func raising(_ table: String, _ column: String) -> String? {
    "SELECT objectvault.ov_number(\(Self.series(of: table, column)), ?1::bigint)"
  }

  package var altersColumns: Bool { true }

  package func recordedNumber(_ table: String, _ column: String) -> String? {
    "SELECT pg_sequence_last_value(\(Self.series(of: table, column)))"
  }

  /// Returns the series of the numbers of a key.
  static func series(of table: String, _ column: String) -> String {
    "pg_get_serial_sequence(\(SQL.text(SQL.quoted(table))), \(SQL.text(column)))::regclass"
  }

  package func updating(_ table: String) -> String { "UPDATE \(SQL.quoted(table))" }

  package var cascadesToAnyDepth: Bool { true }

  // MARK: Temporary tables

  package func temporary(_ table: String) -> String { "pg_temp.\(SQL.quoted(table))" }

  package var typesColumns: Bool { true }

  package func makeTemporary(_ table: String, _ columns: String) -> String {
    var columns = columns.replacing(" WITHOUT ROWID", with: "")
    for type in ["INTEGER", "REAL", "TEXT", "BLOB"] {
      columns = columns.replacing(" \(type)", with: " \(columnType(type))")
    }
    return "CREATE TEMPORARY TABLE IF NOT EXISTS \(SQL.quoted(table)) \(columns)"
  }

  package func makeTemporary(
    _ table: String, forKeysOf source: String, _ key: [String]
  ) -> [String]? {
    let columns = key.enumerated().map { "\($1) AS k\($0)" } + ["0::bigint AS round"]
    let names = key.indices.map { "k\($0)" }.joined(separator: ", ")
    return [
      "DROP TABLE IF EXISTS \(temporary(table))",
      "CREATE TEMPORARY TABLE \(SQL.quoted(table)) AS SELECT \(columns.joined(separator: ", ")) "
        + "FROM \(SQL.quoted(source)) WITH NO DATA",
      "CREATE UNIQUE INDEX ON \(temporary(table)) (\(names))",
    ]
  }

  package func insertingNew(into table: String, _ select: String) -> String {
    "INSERT INTO \(table) \(select) ON CONFLICT DO NOTHING"
  }

  package var orderedJoin: String { "JOIN" }

  package var fillsTemporaryTablesWhileReading: Bool { false }
}
