import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("The statement cache") struct StatementCacheTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    var options = ConnectionOptions()
    options.statementCacheCapacity = 3
    connection = try Connection.test(folder.file("test.db"), options: options)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
  }

  private func identity(_ sql: String) throws -> ObjectIdentifier {
    ObjectIdentifier(try connection.statement(sql))
  }

  @Test("the same text gives the same statement") func theSameTextGivesTheSame() throws {
    let first = try identity("SELECT 1")
    let other = try identity("SELECT 2")
    #expect(first != other)
    #expect(try identity("SELECT 1") == first)
    #expect(try identity("SELECT 2") == other)
  }

  @Test("texts that are only canonically equivalent are two") func canonicallyEquivalent() throws {
    // One name for Swift, and two tables of a file.
    let (composed, decomposed) = ("SELECT 'caf\u{E9}'", "SELECT 'cafe\u{301}'")
    #expect(composed == decomposed)
    for sql in [composed, decomposed] {
      let statement = try connection.statement(sql)
      #expect(try statement.step())
      #expect(statement.row.text(at: 0)?.utf8.count == sql.utf8.count - 9)
    }
  }

  @Test("a statement that is held is not given out twice") func aStatementThatIsHeld() throws {
    let held = try connection.statement("SELECT a FROM t WHERE a = ?")
    held.binder.bind(integer: 1, at: 0)
    let second = try connection.statement("SELECT a FROM t WHERE a = ?")
    #expect(held !== second)
    second.binder.bind(integer: 2, at: 0)
    #expect(try held.step())
    #expect(try second.step())
    #expect(held.row.integer(at: 0) == 1)
    #expect(second.row.integer(at: 0) == 2)
  }

  @Test("a statement left on a row starts over") func aStatementLeftOnARow() throws {
    do {
      let statement = try connection.statement("SELECT a FROM t ORDER BY a")
      #expect(try statement.step())
      #expect(try statement.step())
    }
    let again = try connection.statement("SELECT a FROM t ORDER BY a")
    #expect(!again.isBusy)
    #expect(try again.step())
    #expect(again.row.integer(at: 0) == 1)
  }

  @Test("the one unused for longest makes room") func theOneUnusedForLongestMakes() throws {
    let kept = try connection.statement("SELECT 1")
    let first = ObjectIdentifier(kept)
    _ = try identity("SELECT 2")
    _ = try identity("SELECT 3")
    #expect(connection.cachedStatementCount == 3)
    _ = try identity("SELECT 2")
    // 1 is in use but the oldest: it leaves the cache and goes on working.
    _ = try identity("SELECT 4")
    #expect(connection.cachedStatementCount == 3)
    #expect(try kept.step())
    #expect(try identity("SELECT 1") != first)
  }

  @Test("a statement survives a change of the tables") func aStatementSurvivesAChange() throws {
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    try connection.execute("ALTER TABLE t ADD COLUMN b; CREATE INDEX i ON t(a)")
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    try connection.execute("DROP TABLE t")
    let error = engineError { _ = try connection.integer("SELECT count(*) FROM t") }
    #expect(error?.code == .sqlError)
    #expect(error?.message.contains("no such table: t") == true)
  }

  @Test("a capacity of nothing keeps nothing") func aCapacityOfNothingKeepsNothing() throws {
    var options = ConnectionOptions()
    options.statementCacheCapacity = 0
    let bare = try Connection.test(folder.file("bare.db"), options: options)
    #expect(try bare.integer("SELECT 5") == 5)
    #expect(bare.cachedStatementCount == 0)
    try bare.close()
  }
}
