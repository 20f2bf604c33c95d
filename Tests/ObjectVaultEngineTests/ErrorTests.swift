import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite struct `Errors` {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    var options = ConnectionOptions()
    options.busyTimeout = 10
    connection = try Connection.test(folder.file("test.db"), options: options)
    try connection.execute(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY);
      CREATE TABLE w(k TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
      CREATE TABLE c(u TEXT UNIQUE, n TEXT NOT NULL DEFAULT 'x', k CHECK (k < 10),
        p REFERENCES p DEFERRABLE INITIALLY IMMEDIATE);
      INSERT INTO p VALUES(1); INSERT INTO w VALUES('secret');
      INSERT INTO c(u) VALUES('secret');
      CREATE TRIGGER g BEFORE DELETE ON w BEGIN SELECT raise(ABORT, 'keep it'); END;
      """)
  }

  @Test(
    "each constraint has its code, its names and no value",
    arguments: [
      ("INSERT INTO c(u) VALUES(?)", DriverError.Code.constraintUnique, 2067, "c.u"),
      ("INSERT INTO w VALUES(?)", .constraintPrimaryKey, 1555, "w.k"),
      ("INSERT INTO p VALUES(length(?) - 5)", .constraintPrimaryKey, 1555, "p.id"),
      ("INSERT INTO c(n) VALUES(nullif(?, 'secret'))", .constraintNotNull, 1299, "c.n"),
      ("INSERT INTO c(p) VALUES(?)", .constraintForeignKey, 787, "FOREIGN KEY"),
      ("INSERT INTO c(k) VALUES(?)", .constraintCheck, 275, "CHECK constraint"),
      ("DELETE FROM w WHERE k = ?", .constraintTrigger, 1811, "keep it"),
      ("INSERT INTO p VALUES(?)", .mismatch, 20, "mismatch"),
      ("SELECT abs(-9223372036854775808), ?", .sqlError, 1, "integer overflow"),
    ])
  func eachConstraintHasItsCode(
    sql: String, code: DriverError.Code, resultCode: Int32, part: String
  ) throws {
    let statement = try connection.prepare(sql)
    statement.binder.bind(text: "secret", at: 0)
    let error = try #require(engineError { try statement.run() })
    #expect(error.code == code)
    #expect(error.resultCode == resultCode)
    // Since 3.47 the text of RAISE can hold a value, and is left out.
    let isLeftOut =
      try code == .constraintTrigger && Engine.prove().sqliteVersionNumber >= 3_047_000
    #expect(
      error.message.contains(
        isLeftOut ? "A trigger of the file rejected the change. Check the trigger." : part))
    #expect(!error.message.contains("secret"))
    #expect(error.description == error.message)
    // It is reset, and works again with another value where there is one.
    #expect(!statement.isBusy)
  }

  @Test(
    "a mistake in SQL is named",
    arguments: [
      ("SELECT absent FROM p", "no such column: absent"),
      ("SELECT * FROM nowhere", "no such table: nowhere"),
      ("SELEC 1", "near \"SELEC\": syntax error"),
      ("SELECT no_such_function(1)", "no such function: no_such_function"),
      ("CREATE TABLE p(a)", "p already exists"),
    ])
  func aMistakeInSQLIsNamed(sql: String, message: String) {
    let error = engineError { try connection.execute(sql) }
    #expect(error?.code == .sqlError)
    #expect(error?.message.contains(message) == true)
  }

  @Test(
    "a literal of the SQL stands in no message",
    arguments: [
      "SELECT 1 'secret' 'secret'", "SELECT 'secret", "SELECT * FROM p WHERE id = = 'secret'",
      "SELECT 1 x'5345435245' 7", "SELECT * FROM p WHERE id MATCH 'secret'",
      "SELECT 'a' LIKE 'b' ESCAPE 'secret'", "SELECT 1 FROM p p 5ecret",
    ])
  func aLiteralOfTheSQLStands(sql: String) throws {
    let error = try #require(engineError { try connection.execute(sql) })
    #expect(error.code == .sqlError)
    #expect(!error.message.contains("ecret"))
    #expect(!error.message.contains("5345"))
    #expect(!error.message.isEmpty)
  }

  @Test("a full-text query that cannot be read stands in no message")
  func aFullTextQueryThatCannot() throws {
    let modules = try Engine.prove().hasFTS5 ? ["fts4", "fts5"] : ["fts4"]
    for module in modules {
      try connection.execute("CREATE VIRTUAL TABLE \(module) USING \(module)(text)")
      let search = try connection.prepare("SELECT * FROM \(module) WHERE \(module) MATCH ?")
      search.binder.bind(text: "\"secret (", at: 0)
      let error = try #require(engineError { _ = try search.step() })
      #expect(error.code == .sqlError)
      #expect(!error.message.contains("secret"))
    }
  }

  @Test("another connection's lock is busy") func anotherConnectionsLockIsBusy() throws {
    let other = try Connection.test(folder.file("test.db"), .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let error = engineError { try connection.execute("INSERT INTO p VALUES(7)") }
    #expect(error?.code == .busy)
    #expect(error.map { $0.resultCode & 0xff } == 5)
    try other.execute("ROLLBACK")
    try connection.execute("INSERT INTO p VALUES(7)")
  }

  @Test("a statement of the same connection in the way is locked")
  func aStatementOfTheSameConnection() throws {
    let select = try connection.prepare("SELECT id FROM p")
    #expect(try select.step())
    #expect(engineError { try connection.execute("DROP TABLE p") }?.code == .locked)
  }

  @Test("a file at its page limit is full, and is as before") func aFileAtItsPageLimit() throws {
    let pages = try #require(try connection.pragma("page_count"))
    try connection.setPragma("max_page_count", to: pages, expecting: pages)
    let error = engineError { try connection.execute("INSERT INTO w VALUES(zeroblob(100000))") }
    #expect(error?.code == .diskFull)
    #expect(try connection.integer("SELECT count(*) FROM w") == 1)
    #expect(try connection.integrityProblems() == [])
  }

  #if os(Linux)
    @Test("a full disk is an error, and the file is as before", arguments: ["delete", "wal"])
    func aFullDiskIsAnError(journal: String) throws {
      let path = folder.file("full.db")
      let made = try Connection.test(path)
      try made.setPragma("journal_mode", to: journal, expecting: journal)
      try made.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
      try made.close()
      let child = try ChildProcess.run("engine-fill", path, testKey, "400000")
      #expect(child.exited)
      #expect(child.output.hasPrefix("diskFull: "))
      let again = try Connection.test(path, .readWrite)
      #expect(try again.integer("SELECT count(*) FROM t") == 1)
      #expect(try again.integrityProblems() == [])
    }
  #endif

  @Test("a damaged page is corrupt at the row that needs it") func aDamagedPageIsCorrupt() throws {
    try connection.execute(
      """
      CREATE TABLE big(a);
      INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
        SELECT zeroblob(1000) FROM n;
      """)
    let size = try connection.fileSize
    try connection.close()
    try flipByte(of: folder.file("test.db"), at: UInt64(size / 2))
    let damaged = try Connection.test(folder.file("test.db"), .readWrite)
    let error = engineError {
      let select = try damaged.prepare("SELECT sum(length(a)) FROM big")
      _ = try select.step()
    }
    #expect(error?.code == .corrupt || error?.code == .notADatabase)
  }
}
