import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

/// Which tables statements read and write, as the connection notes them without a call for each row.
@Suite struct WrittenTableTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection.test(folder.file("test.db"))
    try connection.execute(
      """
      PRAGMA user_version = 1;
      CREATE TABLE parent(id INTEGER PRIMARY KEY, u UNIQUE, a);
      CREATE TABLE child(p REFERENCES parent(id) ON DELETE CASCADE, b);
      CREATE TABLE keyed(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE "Ünï Log"(a);
      CREATE TRIGGER g AFTER INSERT ON keyed BEGIN INSERT INTO "Ünï Log" VALUES(new.k); END;
      CREATE VIEW pairs AS SELECT a, b FROM parent JOIN child ON p = id;
      INSERT INTO parent VALUES(1, 1, 1), (2, 2, 2);
      INSERT INTO child VALUES(1, 1);
      INSERT INTO keyed VALUES('x', 1);
      """)
    connection.record.forgetWritten()
  }

  private func written(_ sql: String) throws -> Set<String> {
    connection.record.forgetWritten()
    try connection.execute(sql)
    return connection.record.written
  }

  @Test(
    "A statement notes the table that it writes, where the engine's hook of rows says nothing too")
  func unreported() throws {
    #expect(try written("UPDATE parent SET a = 5 WHERE id = 1") == ["parent"])
    #expect(try written("INSERT INTO PARENT VALUES(3, 3, 3)") == ["parent"])
    // The victim of a REPLACE, with what cascades from it.
    #expect(
      try written("INSERT OR REPLACE INTO parent VALUES(4, 1, 1)").isSuperset(of: [
        "parent", "child",
      ]))
    #expect(try connection.integer("SELECT count(*) FROM child") == 0)
    #expect(try written("UPDATE keyed SET v = 2") == ["keyed"])
    #expect(try written("DELETE FROM child") == ["child"])
    #expect(try written("DELETE FROM parent WHERE id = 2").isSuperset(of: ["parent", "child"]))
    #expect(try written("INSERT INTO keyed VALUES('y', 1)") == ["keyed", "Ünï log"])
  }

  @Test("Neither reading nor temporary tables are noted")
  func readingAndTemporary() throws {
    #expect(try written("SELECT * FROM parent") == [])
    #expect(try written("CREATE TEMP TABLE t(a)") == [])
    #expect(try written("INSERT INTO temp.t SELECT id FROM parent; DELETE FROM temp.t") == [])
  }

  @Test("A change of the schema is noted, with the tables that go")
  func schema() throws {
    #expect(try written("CREATE TABLE more(a)").contains("sqlite_master"))
    #expect(try written("CREATE INDEX i ON more(a)").contains("sqlite_master"))
    #expect(try written("ALTER TABLE more RENAME TO rest").contains("sqlite_master"))
    #expect(try written("ALTER TABLE rest ADD COLUMN b").contains("sqlite_master"))
    #expect(try written("DROP TABLE keyed").isSuperset(of: ["sqlite_master", "keyed"]))
    // The second one only replaces the statistics.
    for _ in 0..<2 { #expect(try written("ANALYZE").contains("sqlite_master")) }
    #expect(try written("REINDEX").contains("sqlite_master"))
    #expect(try written("PRAGMA User_Version = 2") == ["sqlite_master"])
    #expect(try written("PRAGMA user_version; PRAGMA cache_size = 100") == [])
  }

  @Test(
    "Compiling a statement that writes is counted, also if the engine reports no table",
    arguments: [
      "CREATE TABLE more(a)", "ALTER TABLE parent ADD COLUMN b", "DROP TABLE keyed", "ANALYZE",
      "REINDEX", "PRAGMA user_version = 2", "PRAGMA main.User_Version(2)", "DELETE FROM child",
    ])
  func counted(sql: String) throws {
    // Creates the tables of statistics.
    try connection.execute("ANALYZE")
    let count = connection.compiledWriteCount
    try connection.execute("SELECT * FROM parent; PRAGMA user_version; PRAGMA cache_size = 100")
    #expect(connection.compiledWriteCount == count)
    try connection.execute(sql)
    #expect(connection.compiledWriteCount > count)
  }

  @Test("A statement notes its tables in every run, once those of before were forgotten")
  func everyRun() throws {
    let update = try connection.prepare("UPDATE parent SET a = 6")
    for _ in 0..<3 {
      try update.run()
      try update.run()
      #expect(connection.record.written == ["parent"])
      connection.record.forgetWritten()
      #expect(connection.record.written == [])
    }
  }

  @Test("A statement that is compiled anew notes what a new trigger writes, in every run")
  func compiledAnew() throws {
    let update = try connection.prepare("UPDATE parent SET a = 7")
    try connection.execute(
      "CREATE TRIGGER h AFTER UPDATE ON parent BEGIN DELETE FROM keyed; END")
    for _ in 0..<2 {
      connection.record.forgetWritten()
      try update.run()
      #expect(connection.record.written == ["parent", "keyed"])
    }
  }

  @Test("A statement that fails half-way notes what it may have changed")
  func failing() throws {
    connection.record.forgetWritten()
    #expect(
      engineError { try connection.execute("UPDATE OR FAIL parent SET u = 1") }?.code
        == .constraintUnique)
    #expect(connection.record.written == ["parent"])
    #expect(engineError { try connection.execute("DELETE FROM keyed WHERE nothing = 1") } != nil)
    #expect(try written("UPDATE child SET b = 2") == ["child"])
  }

  @Test("A statement tells the tables that it reads, behind views and in subqueries too")
  func reading() throws {
    func read(_ sql: String) throws -> Set<String> { Set(try connection.prepare(sql).readTables) }
    #expect(try read("SELECT a FROM Parent WHERE id = 1") == ["parent"])
    #expect(try read("SELECT a FROM pairs").isSuperset(of: ["parent", "child"]))
    #expect(
      try read("SELECT v FROM keyed WHERE EXISTS (SELECT 1 FROM child WHERE p = v)")
        == ["keyed", "child"])
    #expect(
      try read("SELECT (SELECT count(*) FROM child WHERE p = id) FROM parent")
        == ["parent", "child"])
    #expect(try read("SELECT 1") == [])
  }
}
