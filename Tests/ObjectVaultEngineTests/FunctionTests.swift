import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("Functions and collations") struct FunctionTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection.test(folder.file("test.db"))
  }

  @Test("a function gets every kind of value and gives every kind back")
  func aFunctionGetsEveryKind() throws {
    try connection.register(function: "echo", arguments: 1, deterministic: true) { values, result in
      switch values.storageClass(at: 0) {
      case 1: result.set(values.integer(at: 0))
      case 2: result.set(values.real(at: 0))
      case 3: values.withText(at: 0) { text in if let text { result.set(utf8: text) } }
      case 4: values.withBytes(at: 0) { result.set(bytes: $0) }
      default:
        #expect(values.isNull(at: 0))
        #expect(values.text(at: 0) == nil)
        result.setNull()
      }
    }
    for literal in [
      "-9223372036854775808", "0.5", "9e999", "''", "'text'", "'a' || char(0) || 'b'", "x''",
      "x'00ff00'", "NULL", "zeroblob(100000)",
    ] {
      let sql =
        "SELECT echo(\(literal)) IS \(literal) AND typeof(echo(\(literal))) = typeof(\(literal))"
      #expect(try connection.integer(sql) == 1, "\(literal)")
    }
    let select = try connection.prepare("SELECT echo(?)")
    select.binder.bind(text: "a\0b", at: 0)
    #expect(try select.step())
    #expect(select.row.text(at: 0) == "a\0b")
  }

  @Test("empty answers are text and bytes, not nothing") func emptyAnswersAreTextAndBytes() throws {
    try connection.register(function: "empty_text", arguments: 0, deterministic: true) {
      $1.set("")
    }
    try connection.register(function: "no_text", arguments: 0, deterministic: true) {
      $1.set(utf8: UnsafeBufferPointer(start: nil, count: 0))
    }
    try connection.register(function: "no_bytes", arguments: 0, deterministic: true) {
      $1.set(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    }
    #expect(try connection.text("SELECT typeof(empty_text())") == "text")
    #expect(try connection.text("SELECT typeof(no_text())") == "text")
    #expect(try connection.text("SELECT typeof(no_bytes())") == "blob")
  }

  @Test("the number of arguments is checked, and can be open") func theNumberOfArgumentsIsChecked()
    throws
  {
    try connection.register(function: "how_many", arguments: -1, deterministic: true) {
      $1.set(Int64($0.count))
    }
    try connection.register(function: "two", arguments: 2, deterministic: true) {
      $1.set($0.integer(at: 0) == $0.integer(at: 1))
    }
    #expect(try connection.integer("SELECT how_many(1, 2, 3)") == 3)
    #expect(try connection.integer("SELECT two(4, 4)") == 1)
    #expect(engineError { _ = try connection.integer("SELECT two(4)") }?.code == .sqlError)
  }

  /// Makes the function `twice` known, which is good for indexes.
  static func knowTwice(_ connection: Connection) throws(DriverError) {
    try connection.register(function: "twice", arguments: 1, deterministic: true) {
      $1.set($0.integer(at: 0) * 2)
    }
  }

  @Test("functions are made known once, before the first statement that may call them")
  func functionsAreMadeKnownOnce() throws {
    var calls = 0
    connection.makesFunctionsKnown = { connection throws(DriverError) in
      calls += 1
      try Self.knowTwice(connection)
    }
    try connection.setPragma("cache_size", to: "-100", expecting: "-100")
    #expect(try connection.firstValue("SELECT name FROM sqlite_master") == nil)
    #expect(calls == 0)
    #expect(try connection.integer("SELECT twice(4)") == 8)
    try connection.execute("SELECT twice(1)")
    #expect(calls == 1)
  }

  @Test("functions that could not be made known are made known for the next statement")
  func functionsThatCouldNotBeMadeKnown() throws {
    var fails = true
    connection.makesFunctionsKnown = { connection throws(DriverError) in
      defer { fails = false }
      if fails { throw DriverError(.noMemory, "there is no memory left", resultCode: 7) }
      try Self.knowTwice(connection)
    }
    #expect(engineError { try connection.execute("SELECT 1") }?.code == .noMemory)
    try connection.execute("SELECT twice(1)")
  }

  @Test(
    "what the schema calls is known to the first statement",
    arguments: [
      "INSERT INTO indexed VALUES (5)", "INSERT INTO watched VALUES (5)", "SELECT * FROM doubled",
      "REINDEX", "UPDATE indexed SET a = 7",
    ])
  func whatTheSchemaCalls(sql: String) throws {
    try Self.knowTwice(connection)
    try connection.execute(
      """
      CREATE TABLE indexed(a); INSERT INTO indexed VALUES (1);
      CREATE INDEX by_twice ON indexed(twice(a));
      CREATE TABLE watched(a);
      CREATE TRIGGER watching AFTER INSERT ON watched BEGIN
        INSERT INTO indexed VALUES (twice(new.a)); END;
      CREATE VIEW doubled AS SELECT twice(a) FROM indexed
      """)
    try connection.close()
    let path = folder.file("test.db")
    let other = try Connection.test(path, .readWrite)
    #expect(engineError { try other.execute(sql) }?.code == .sqlError)
    for run in [{ try $0.execute(sql) }, { try $0.prepare(sql).run() }]
      as [(Connection) throws -> Void]
    {
      let connection = try Connection.test(path, .readWrite)
      connection.makesFunctionsKnown = Self.knowTwice
      try run(connection)
      #expect(try connection.integrityProblems() == [])
    }
  }

  struct Failure: Error { let value = "secret" }

  @Test("an error in a function fails the statement without a value") func anErrorInAFunctionFails()
    throws
  {
    try connection.register(function: "fails", arguments: 1, deterministic: true) { _, _ in
      throw Failure()
    }
    try connection.register(function: "explains", arguments: 1, deterministic: true) { _, _ in
      throw DriverError(.tooBig, "the pattern is longer than 1000 characters")
    }
    let first = try #require(engineError { _ = try connection.text("SELECT fails('secret')") })
    #expect(first.code == .sqlError)
    #expect(first.message == "The function fails failed")
    let second = try #require(engineError { _ = try connection.text("SELECT explains('secret')") })
    #expect(second.message.contains("the pattern is longer"))
    // That of a pattern names its operator.
    let pattern = "The pattern of LIKE needs too many steps"
    try connection.register(function: "matches", arguments: 1, deterministic: true) { _, _ in
      throw ConditionError(.pattern, pattern)
    }
    let match = try #require(engineError { _ = try connection.text("SELECT matches('secret')") })
    #expect(match.message == pattern)
    // The reason does not stick to the next failure.
    let third = try #require(engineError { try connection.execute("SELECT * FROM nowhere") })
    #expect(third.message.contains("nowhere"))
  }

  @Test("a deterministic function may stand in an index") func aDeterministicFunctionMayStand()
    throws
  {
    try connection.register(function: "ov_half", arguments: 1, deterministic: true) {
      $1.set($0.integer(at: 0) / 2)
    }
    try connection.register(function: "ov_dice", arguments: 0, deterministic: false) {
      $1.set(Int64(4))
    }
    try connection.execute("CREATE TABLE t(a); CREATE INDEX i ON t(ov_half(a))")
    try connection.execute("INSERT INTO t VALUES(10), (20)")
    #expect(try connection.integer("SELECT a FROM t WHERE ov_half(a) = 10") == 20)
    let error = engineError { try connection.execute("CREATE INDEX j ON t(ov_dice())") }
    #expect(error?.code == .sqlError)
  }

  @Test("a collation orders text, NUL included") func aCollationOrdersTextNULIncluded() throws {
    try connection.register(collation: "by_length") { first, second in
      Int32(first.count) - Int32(second.count)
    }
    try connection.execute("CREATE TABLE t(a)")
    let insert = try connection.prepare("INSERT INTO t VALUES(?)")
    for text in ["ccc", "a\0\0\0", "bb", ""] {
      insert.binder.bind(text: text, at: 0)
      try insert.run()
    }
    let select = try connection.prepare("SELECT a FROM t ORDER BY a COLLATE by_length")
    var order: [String?] = []
    while try select.step() { order.append(select.row.text(at: 0)) }
    #expect(order == ["", "bb", "ccc", "a\0\0\0"])
  }

  @Test("a collation that is missing is an error") func aCollationThatIsMissing() throws {
    let error = engineError { _ = try connection.text("SELECT 'a' = 'b' COLLATE nowhere") }
    #expect(error?.code == .sqlError)
    #expect(error?.message.contains("nowhere") == true)
  }

  @Test("functions are let go with their connection") func functionsAreLetGoWithTheir() throws {
    final class Marker {}
    weak var marker: Marker?
    do {
      let kept = Marker()
      marker = kept
      let other = try Connection.test(folder.file("other.db"))
      try other.register(function: "holds", arguments: 0, deterministic: true) {
        withExtendedLifetime(kept) {}
        $1.set(true)
      }
      try other.register(collation: "holds") { _, _ in
        withExtendedLifetime(kept) {}
        return 0
      }
      #expect(try other.integer("SELECT holds()") == 1)
      #expect(marker != nil)
    }
    #expect(marker == nil)
  }
}
