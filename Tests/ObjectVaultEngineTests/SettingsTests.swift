import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("A connection's settings") struct SettingsTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.db")
  }

  @Test("all are in force and can be read") func allAreInForceAndCan() throws {
    var options = ConnectionOptions()
    options.busyTimeout = 1_234
    options.cacheKiB = 9_000
    options.synchronous = .full
    options.walAutocheckpoint = 0
    let connection = try Connection.test(path, options: options)
    let expected = [
      "temp_store": "2", "foreign_keys": "1", "secure_delete": "1", "busy_timeout": "1234",
      "cache_size": "-9000", "synchronous": "2", "wal_autocheckpoint": "0",
    ]
    for (name, value) in expected {
      #expect(try connection.pragma(name) == value, "\(name)")
    }
    #expect(try connection.pragma("mmap_size") ?? "0" == "0")
    if try Engine.prove().sqliteVersionNumber >= 3_031_000 {
      #expect(try connection.pragma("trusted_schema") == "0")
    }
  }

  @Test("the other choices are in force too") func theOtherChoicesAreInForce() throws {
    var options = ConnectionOptions()
    options.secureDelete = false
    options.foreignKeys = false
    options.synchronous = .off
    let connection = try Connection.test(path, options: options)
    for name in ["secure_delete", "foreign_keys", "synchronous"] {
      #expect(try connection.pragma(name) == "0", "\(name)")
    }
  }

  @Test("of a file made by others check its cells and accept no long texts and values")
  func guarded() throws {
    var options = ConnectionOptions()
    options.isGuarded = true
    options.valueSizeLimit = 1_000
    options.fileSizeLimit = 1 << 20
    let connection = try Connection.test(path, options: options)
    #expect(try connection.pragma("cell_size_check") == "1")
    #expect(engineError { try connection.execute("SELECT zeroblob(1001)") }?.code == .tooBig)
    let long = "SELECT 1 -- " + String(repeating: "x", count: 1_000_000)
    let tooLong = engineError { try connection.execute(long) }
    #expect(tooLong?.code == .tooBig)
    #expect(
      tooLong?.message.hasPrefix(
        "The SQL text has 1000012 bytes, but the engine accepts at most 1000000.") == true)
    try connection.execute("CREATE TABLE t(a)")
    let fill =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
      + "INSERT INTO t SELECT zeroblob(900) FROM n"
    #expect(engineError { try connection.execute(fill) }?.code == .diskFull)
    if try Engine.prove().sqliteVersionNumber >= 3_026_000 {
      // Only defensive mode protects the tables inside a full-text index.
      var options = ConnectionOptions()
      options.isGuarded = true
      options.isDefensive = true
      let defensive = try Connection.test(folder.file("defensive.db"), options: options)
      try defensive.execute("CREATE VIRTUAL TABLE words USING fts4(text)")
      #expect(engineError { try defensive.execute("DELETE FROM words_content") } != nil)
    }
    let plain = try Connection.test(folder.file("plain.db"))
    #expect(try plain.pragma("cell_size_check") == "0")
  }

  @Test(
    "D6 SQL text cannot lift a protection",
    arguments: [
      "PRAGMA temp_store = FILE", "PRAGMA temp_store(1)", "pragma main.TEMP_STORE=0",
      "PRAGMA temp_store_directory = '/tmp'", "PRAGMA mmap_size = 1000000", "PRAGMA key = 'secret'",
      "PRAGMA rekey = 'secret'", "PRAGMA hexkey = '00'", "PRAGMA foreign_keys = OFF",
      "PRAGMA writable_schema = ON", "PRAGMA page_size = 8192", "PRAGMA kdf_iter = 1",
      "PRAGMA main.cipher_page_size = 8192", "PRAGMA cipher_use_hmac = OFF",
    ])
  func d6SQLTextCannotLift(sql: String) throws {
    let connection = try Connection.test(path)
    try connection.execute("CREATE TABLE t(a)")
    let error = engineError { try connection.execute(sql) }
    #expect(error?.code == .notAuthorized)
    #expect(error?.message.contains("Only the library may set PRAGMA") == true)
    #expect(error?.message.contains("secret") == false)
    #expect(try connection.pragma("temp_store") == "2")
    #expect(try connection.pragma("foreign_keys") == "1")
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("D6 a vacuum works and keeps temporary data in memory") func d6AVacuumWorksAndKeeps() throws
  {
    let connection = try Connection.test(path)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(100000)); VACUUM")
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    #expect(try connection.integrityProblems() == [])
  }

  @Test("the library itself may switch foreign keys off and on")
  func theLibraryItselfMaySwitchForeign() throws {
    let connection = try Connection.test(path)
    try connection.setPragma("foreign_keys", to: "OFF", expecting: "0")
    try connection.setPragma("foreign_keys", to: "ON", expecting: "1")
    // SQL may not, also directly after.
    let refusal = engineError { try connection.execute("PRAGMA foreign_keys = OFF") }
    #expect(refusal?.code == .notAuthorized)
    #expect(try connection.pragma("foreign_keys") == "1")
    // Inside a transaction the engine ignores it, which reading back shows.
    try connection.execute("BEGIN")
    let error = engineError { try connection.setPragma("foreign_keys", to: "OFF", expecting: "0") }
    #expect(error?.code == .settingNotApplied("foreign_keys"))
  }

  @Test("a pragma the engine does not know is not taken for set") func aPragmaTheEngine() throws {
    let connection = try Connection.test(path)
    let error = engineError { try connection.setPragma("no_such", to: "1", expecting: "1") }
    #expect(error?.code == .settingNotApplied("no_such"))
    #expect(try connection.pragma("no_such") == nil)
  }

  @Test(
    "a pragma takes words and numbers only",
    arguments: [("user_version", "1; DROP TABLE t"), ("user_version", "'x'"), ("a b", "1")])
  func aPragmaTakesWordsAndNumbers(name: String, value: String) throws {
    let connection = try Connection.test(path)
    let error = engineError { try connection.setPragma(name, to: value, expecting: nil) }
    #expect(error?.code == .misuse)
  }

  @Test(
    "D4 a second file cannot be attached by SQL text",
    arguments: ["ATTACH 'other.db' AS x", "ATTACH ? AS x", "ATTACH 'o' AS x KEY 'secret'"])
  func d4ASecondFileCannot(sql: String) throws {
    let connection = try Connection.test(path)
    try connection.execute("CREATE TABLE t(a)")
    let error = engineError { try connection.execute(sql) }
    #expect(error?.code == .notAuthorized)
    #expect(error?.message.contains("Statements with ATTACH are not available") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("libraries cannot be loaded by SQL text") func librariesCannotBeLoadedBySQL() throws {
    let connection = try Connection.test(path)
    let error = engineError { try connection.execute("SELECT load_extension('x')") }
    #expect(error?.code == .sqlError || error?.code == .notAuthorized)
  }

  @Test("D13 an integrity check finds a flipped byte, and nothing in a sound file")
  func d13AnIntegrityCheckFinds() throws {
    let connection = try Connection.test(path)
    try connection.execute("CREATE TABLE t(a)")
    let insert = try connection.prepare("INSERT INTO t VALUES(zeroblob(1000))")
    try connection.execute("BEGIN")
    for _ in 0..<100 { try insert.run() }
    try connection.execute("COMMIT")
    #expect(try connection.integrityProblems() == [])
    try connection.close()
    try flipByte(of: path, at: 5 * 4096 + 100)
    let damaged = try Connection.test(path, .readWrite)
    #expect(try damaged.integrityProblems() != [])
  }
}
