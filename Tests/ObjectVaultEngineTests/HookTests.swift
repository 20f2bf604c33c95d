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

  @Test("every changed row is told, also what triggers change") func everyChangedRowIsToldAlso()
    throws
  {
    let events = Events()
    connection.onUpdate = { events.list.append("\($0.operation) \($0.table) \($0.rowID)") }
    try connection.execute(
      "INSERT INTO t VALUES(5, 'x'); UPDATE t SET a = 'y'; DELETE FROM t WHERE id = 5")
    #expect(events.list == ["insert t 5", "update t 5", "insert log 1", "delete t 5"])
    connection.onUpdate = nil
    try connection.execute("INSERT INTO t VALUES(6, 'x')")
    #expect(events.list.count == 4)
  }

  @Test("commits and rollbacks are told") func commitsAndRollbacksAreTold() throws {
    let events = Events()
    connection.onCommit = { events.list.append("commit") }
    connection.onRollback = { events.list.append("rollback") }
    try connection.execute("BEGIN; INSERT INTO t VALUES(1, 'x'); COMMIT")
    try connection.execute("BEGIN; INSERT INTO t VALUES(2, 'x'); ROLLBACK")
    try connection.execute("INSERT INTO t VALUES(3, 'x')")
    try connection.execute("SELECT * FROM t")
    #expect(events.list == ["commit", "rollback", "commit"])
    connection.onCommit = nil
    connection.onRollback = nil
    try connection.execute("INSERT INTO t VALUES(4, 'x'); BEGIN; ROLLBACK")
    #expect(events.list.count == 3)
  }

  @Test("a connection let go inside a transaction rolls back and calls nobody")
  func aConnectionLetGoInside() throws {
    let events = Events()
    var other: Connection? = try Connection.test(folder.file("test.db"), .readWrite)
    other?.onRollback = { events.list.append("rollback") }
    other?.onUpdate = { _ in events.list.append("update") }
    try other?.execute("BEGIN; INSERT INTO t VALUES(1, 'x')")
    #expect(events.list == ["update"])
    other = nil
    #expect(events.list == ["update"])
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

  @Test("an interrupt stops what runs") func anInterruptStopsWhatRuns() throws {
    try connection.register(function: "stop_now", arguments: 0, deterministic: false) { _, result in
      connection.interrupt()
      result.set(Int64(1))
    }
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT stop_now() UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    #expect(engineError { _ = try connection.integer(endless) }?.code == .interrupted)
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

  @Test("ignoring a delete makes it tell its rows") func ignoringADeleteMakesItTell() throws {
    try connection.execute("INSERT INTO t VALUES(1, 'x'), (2, 'y')")
    let events = Events()
    connection.onUpdate = { events.list.append("\($0.operation) \($0.rowID)") }
    try connection.execute("DELETE FROM t")
    #expect(events.list == [])
    try connection.execute("INSERT INTO t VALUES(1, 'x'), (2, 'y')")
    events.list = []
    connection.onAuthorize = { $0.code == 9 ? .ignore : .allow }
    try connection.execute("DELETE FROM t")
    #expect(events.list == ["delete 1", "delete 2"])
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
