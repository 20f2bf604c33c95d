import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite struct `Hooks` {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection.test(folder.file("test.db"))
    try connection.execute(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a);
      CREATE TABLE log(a);
      CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log VALUES(new.a); END;
      """)
  }

  final class Events {
    var list: [String] = []
  }

  @Test("a connection that is released inside a transaction rolls back")
  func aConnectionLetGoInside() throws {
    var other: Connection? = try Connection.test(folder.file("test.db"), .readWrite)
    try other?.execute("BEGIN; INSERT INTO t VALUES(1, 'x')")
    other = nil
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    try connection.execute("INSERT INTO t VALUES(1, 'x')")
  }

  @Test("a rollback under a running statement is told from a stopped one")
  func aRollbackUnderARunningStatement() throws {
    try connection.execute(
      "INSERT INTO t VALUES(1, 'x'), (2, 'y'); BEGIN; CREATE TABLE z(a)")
    let select = try connection.prepare("SELECT t.id FROM t, (SELECT 1 UNION ALL SELECT 2)")
    #expect(try select.step())
    try connection.execute("ROLLBACK")
    let error = engineError { _ = try select.step() }
    #expect(error?.code == .aborted)
    #expect(error?.resultCode == 516)
  }

  @Test("a progress handler stops a statement, and the next one runs")
  func aProgressHandlerStopsAStatement() throws {
    let calls = Events()
    connection.setProgress(every: 1_000) {
      calls.list.append("asked")
      return calls.list.count == 10
    }
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    let error = engineError { _ = try connection.integer(endless) }
    #expect(error?.code == .interrupted)
    #expect(calls.list.count == 10)
    connection.setProgress(every: 1_000, nil)
    #expect(
      try connection.integer(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT max(i) FROM n"
      ) == 10_000)
    #expect(calls.list.count == 10)
  }

  @Test("a stopped write takes back what it did") func aStoppedWriteTakesBack() throws {
    try connection.execute("BEGIN; INSERT INTO t VALUES(1, 'kept')")
    connection.setProgress(every: 100) { true }
    let error = engineError {
      try connection.execute(
        "INSERT INTO t(a) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
      )
    }
    #expect(error?.code == .interrupted)
    connection.setProgress(every: 100, nil)
    // Whether the transaction survives is the engine's choice, and known here.
    if connection.isInTransaction {
      #expect(try connection.integer("SELECT count(*) FROM t") == 1)
      try connection.execute("ROLLBACK")
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("the authorizer hears of every table that is written, and can forbid it")
  func theAuthorizerHearsOfEveryTable() throws {
    let events = Events()
    connection.onAuthorize = { action in
      // SQLITE_INSERT and SQLITE_DELETE
      if action.code == 18 || action.code == 9 { events.list.append(action.table ?? "") }
      return action.table == "log" && action.code == 9 ? .deny : .allow
    }
    try connection.execute("INSERT INTO t VALUES(1, 'x')")
    #expect(events.list == ["t"])
    let error = engineError { try connection.execute("DELETE FROM log") }
    #expect(error?.code == .notAuthorized)
    connection.onAuthorize = nil
    try connection.execute("DELETE FROM log")
  }

  @Test("deferred violations are known before the commit") func deferredViolationsAreKnownBefore()
    throws
  {
    try connection.execute(
      "CREATE TABLE c(p REFERENCES t(id) DEFERRABLE INITIALLY DEFERRED); BEGIN")
    #expect(connection.deferredForeignKeyViolations == 0)
    try connection.execute("INSERT INTO c VALUES(77)")
    #expect(connection.deferredForeignKeyViolations != 0)
    #expect(engineError { try connection.execute("COMMIT") }?.code == .constraintForeignKey)
    try connection.execute("INSERT INTO t VALUES(77, 'x')")
    #expect(connection.deferredForeignKeyViolations == 0)
    try connection.execute("COMMIT")
  }

  @Test("the data version changes with another connection's commit only")
  func theDataVersionChangesWithAnother() throws {
    let other = try Connection.test(folder.file("test.db"), .readWrite)
    let before = try connection.dataVersion
    try connection.execute("INSERT INTO t VALUES(1, 'x')")
    #expect(try connection.dataVersion == before)
    try other.execute("INSERT INTO t VALUES(2, 'x')")
    #expect(try connection.dataVersion != before)
  }

  @Test("a checkpoint says how far it went") func aCheckpointSaysHowFar() throws {
    #expect(try connection.checkpoint(.passive).framesInLog == -1)
    try connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
    try connection.execute("INSERT INTO t VALUES(1, 'x')")
    let passive = try connection.checkpoint(.passive)
    #expect(passive.framesInLog > 0)
    #expect(passive.framesCheckpointed == passive.framesInLog)
    #expect(try connection.checkpoint(.truncate).framesInLog == 0)
  }
}
