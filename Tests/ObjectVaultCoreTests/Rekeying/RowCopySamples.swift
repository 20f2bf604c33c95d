import ObjectVaultEngine
import Testing

/// Something that a schema can hold, and a question whose answer must be the same after a copy.
struct SchemaSample: Sendable, CustomTestStringConvertible {
  let name: String
  let sql: String
  let query: String
  /// What the engine must have, as its answer to this statement, which fails where it has not.
  var needs = "SELECT 1"

  var testDescription: String { name }

  static let all: [SchemaSample] = [
    SchemaSample(
      name: "rowids with gaps of a table without a key",
      sql: "CREATE TABLE t(a); INSERT INTO t(rowid, a) VALUES(3, 'x'), (-7, 'y'), (1 << 40, 'z');",
      query: "SELECT rowid, a FROM t ORDER BY a"),
    SchemaSample(
      name: "columns named like the rowid",
      sql: """
        CREATE TABLE one(RowID TEXT); INSERT INTO one(oid, RowID) VALUES(9, 'x');
        CREATE TABLE two(rowid, OID); INSERT INTO two(_rowid_, rowid, oid) VALUES(8, 'x', 'y');
        CREATE TABLE three(rowid, oid, _rowid_); INSERT INTO three VALUES('b', 2, 3), ('a', 5, 6);
        CREATE TABLE four(rowid TEXT, oid, _rowid_ INTEGER PRIMARY KEY);
        INSERT INTO four VALUES('a', 1, 70);
        CREATE TABLE five(rowid TEXT PRIMARY KEY, a) WITHOUT ROWID; INSERT INTO five VALUES('k', 1);
        """,
      query: """
        SELECT oid, rowid FROM one UNION ALL SELECT _rowid_, oid FROM two
        UNION ALL SELECT rowid, oid FROM three UNION ALL SELECT _rowid_, rowid FROM four
        UNION ALL SELECT rowid, a FROM five
        """),
    SchemaSample(
      name: "keys that are not the rowid",
      sql: """
        CREATE TABLE falling(a INTEGER PRIMARY KEY DESC, b); INSERT INTO falling VALUES(5, 'x'), (2, 'y');
        CREATE TABLE word(a TEXT PRIMARY KEY); INSERT INTO word(rowid, a) VALUES(5, NULL), (2, 'z');
        CREATE TABLE two(a INTEGER, b INTEGER, PRIMARY KEY(b, a)); INSERT INTO two(rowid, a, b) VALUES(4, 1, 2);
        """,
      query: """
        SELECT rowid, a FROM falling UNION ALL SELECT rowid, a FROM word
        UNION ALL SELECT rowid, b FROM two
        """),
    SchemaSample(
      name: "tables without rowids",
      sql: """
        CREATE TABLE t(a INTEGER, b TEXT, c REAL, PRIMARY KEY(b DESC, a)) WITHOUT ROWID;
        INSERT INTO t VALUES(1, 'z', 0.5), (2, 'y', 1e300), (3, 'z', NULL);
        CREATE UNIQUE INDEX i ON t(c);
        """,
      query: "SELECT * FROM t"),
    SchemaSample(
      name: "sequences of AUTOINCREMENT, of emptied tables and of none too",
      sql: """
        CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, x); INSERT INTO a VALUES(7, 'x'), (9, 'y');
        DELETE FROM a WHERE id = 9;
        CREATE TABLE b(id INTEGER PRIMARY KEY AUTOINCREMENT, x); INSERT INTO b VALUES(50, 'x');
        DELETE FROM b; CREATE TABLE c(id INTEGER PRIMARY KEY AUTOINCREMENT);
        INSERT INTO sqlite_sequence VALUES('by hand', 'no number'), (NULL, 3);
        """,
      query: "SELECT rowid, name, seq FROM sqlite_sequence"),
    SchemaSample(
      name: "sequences without any table that needs them",
      sql: """
        CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO a VALUES(7); DROP TABLE a;
        """,
      query: "SELECT name, sql FROM sqlite_master"),
    SchemaSample(
      name: "views and triggers, which do not fire",
      sql: """
        CREATE TABLE t(a); CREATE TABLE log(what); CREATE VIEW v AS SELECT a FROM t WHERE a > 1;
        INSERT INTO t VALUES(1), (2);
        CREATE TRIGGER after AFTER INSERT ON t BEGIN INSERT INTO log VALUES('t ' || new.a); END;
        CREATE TRIGGER instead INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES(new.a); END;
        CREATE TRIGGER "delete" BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'never'); END;
        """,
      query: "SELECT count(*), (SELECT count(*) FROM v), (SELECT count(*) FROM log) FROM t"),
    SchemaSample(
      name: "a view of tables that there are not",
      sql: "CREATE TABLE gone(a); CREATE VIEW v AS SELECT * FROM gone; DROP TABLE gone;",
      query: "SELECT name, sql FROM sqlite_master"),
    SchemaSample(
      name: "indexes: unique, falling, partial, on expressions, by other collations",
      sql: """
        CREATE TABLE t(a, b TEXT COLLATE NOCASE UNIQUE, c);
        INSERT INTO t VALUES(1, 'x', NULL), (2, 'Y', 1.5), (3, NULL, 'text');
        CREATE UNIQUE INDEX one ON t(a DESC); CREATE INDEX two ON t(c) WHERE c IS NOT NULL;
        CREATE INDEX three ON t(length(b), a + 1 DESC); CREATE INDEX four ON t(b COLLATE RTRIM);
        """,
      query: "SELECT * FROM t INDEXED BY two WHERE c IS NOT NULL"),
    SchemaSample(
      name: "rows that a CHECK does not allow, and references to nothing",
      sql: """
        CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE t(a CHECK(a > 0), p REFERENCES p(id));
        PRAGMA ignore_check_constraints = ON;
        INSERT INTO t VALUES(-1, 77); PRAGMA ignore_check_constraints = OFF;
        """,
      query: "SELECT * FROM t"),
    SchemaSample(
      name: "tables that would ignore or replace what conflicts",
      sql: """
        CREATE TABLE t(a UNIQUE ON CONFLICT IGNORE, b UNIQUE ON CONFLICT REPLACE,
          c NOT NULL ON CONFLICT REPLACE DEFAULT 'given');
        INSERT INTO t VALUES(1, 1, NULL), (2, 2, 'x'), (NULL, NULL, 'y');
        """,
      query: "SELECT rowid, * FROM t"),
    SchemaSample(
      name: "columns added later",
      sql: """
        CREATE TABLE t(a); INSERT INTO t VALUES(1);
        ALTER TABLE t ADD COLUMN b TEXT NOT NULL DEFAULT 'added'; ALTER TABLE t ADD COLUMN c DEFAULT x'00FF';
        INSERT INTO t VALUES(2, 'own', NULL); ALTER TABLE t RENAME TO "renamed one";
        """,
      query: "SELECT * FROM \"renamed one\""),
    SchemaSample(
      name: "statistics",
      sql: """
        CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2), (1, 3); CREATE INDEX i ON t(a, b); ANALYZE;
        """,
      query: "SELECT * FROM sqlite_stat1"),
    SchemaSample(
      name: "names with quotes, of keywords and of nothing but space",
      sql: """
        CREATE TABLE "it's ""quoted"" 🗝"("a ""b"" 'c'" TEXT, "😀", "select", " ");
        INSERT INTO "it's ""quoted"" 🗝" VALUES(1, 2, 3, 4);
        CREATE TABLE [order by](a, [b c]); INSERT INTO [order by] VALUES(5, 6);
        CREATE INDEX "in""dex" ON [order by]([b c]);
        """,
      query: "SELECT * FROM \"it's \"\"quoted\"\" 🗝\" UNION ALL SELECT *, 0, 0 FROM [order by]"),
    SchemaSample(
      name: "full text in FTS4, with and without contents of its own",
      sql: """
        CREATE VIRTUAL TABLE search USING fts4(title, body);
        INSERT INTO search(docid, title, body) VALUES(3, 'first', 'the quick brown fox'), (9, 'second', 'jumps');
        CREATE TABLE note(id INTEGER PRIMARY KEY, body); INSERT INTO note VALUES(4, 'a lazy dog');
        CREATE VIRTUAL TABLE outside USING fts4(content="note", body);
        INSERT INTO outside(docid, body) SELECT id, body FROM note;
        CREATE TRIGGER noted AFTER INSERT ON note BEGIN
          INSERT INTO outside(docid, body) VALUES(new.id, new.body);
        END;
        """,
      query: """
        SELECT docid, title FROM search WHERE search MATCH 'brown'
        UNION ALL SELECT docid, body FROM outside WHERE outside MATCH 'lazy'
        """,
      needs: "CREATE VIRTUAL TABLE temp.probe USING fts4(a)"),
    SchemaSample(
      name: "full text in FTS5",
      sql: """
        CREATE VIRTUAL TABLE search USING fts5(title, body);
        INSERT INTO search(rowid, title, body) VALUES(3, 'first', 'the quick brown fox'), (9, 'second', 'jumps');
        """,
      query: "SELECT rowid, title FROM search WHERE search MATCH 'brown'",
      needs: "CREATE VIRTUAL TABLE temp.probe USING fts5(a)"),
    SchemaSample(
      name: "an R-tree",
      sql: """
        CREATE VIRTUAL TABLE box USING rtree(id, minX, maxX);
        INSERT INTO box VALUES(1, 0, 10), (2, 5, 7), (3, 20, 21);
        """,
      query: "SELECT id, minX FROM box WHERE maxX < 15 ORDER BY id",
      needs: "CREATE VIRTUAL TABLE temp.probe USING rtree(id, a, b)"),
    SchemaSample(
      name: "generated columns",
      sql: """
        CREATE TABLE t(a INTEGER PRIMARY KEY, b AS (a * 2) STORED, rowid AS (a + 1), c TEXT);
        INSERT INTO t(a, c) VALUES(4, 'x'), (6, 'y'); CREATE INDEX i ON t(b);
        CREATE TABLE u(rowid AS (a || '!'), a); INSERT INTO u(oid, a) VALUES(33, 'z');
        """,
      query: "SELECT a, b, c FROM t UNION ALL SELECT oid, rowid, a FROM u",
      needs: "CREATE TEMP TABLE probe(a, b AS (a))"),
    SchemaSample(
      name: "strict tables",
      sql: """
        CREATE TABLE t(a INTEGER, b ANY, c TEXT) STRICT; INSERT INTO t VALUES(1, '007', 'x'), (NULL, 7.0, 'y');
        """,
      query: "SELECT * FROM t", needs: "CREATE TEMP TABLE probe(a INTEGER) STRICT"),
    SchemaSample(
      name: "user_version, application_id and nothing else",
      sql: "PRAGMA user_version = -12; PRAGMA application_id = 2147483647;",
      query: "PRAGMA user_version"),
  ]
}
