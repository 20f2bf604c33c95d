import Foundation
import ObjectVaultCore
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@Suite("What SQL may not do") struct SQLScreenTests {
  private let test: TestVault
  private let vault: Vault

  init() throws {
    test = try TestVault()
    vault = test.vault
    try vault.store(of: Person.self).insert(Person(name: "Ann", age: 30))
  }

  @Test(
    "what would weaken the vault is refused with a reason, and changes nothing", .covers("X49"),
    arguments: [
      "ATTACH '/dev/null' AS x", "ATTACH '' AS x", "ATTACH ':memory:' AS x", "DETACH main",
      "PRAGMA key = 'new'", "PRAGMA key", "PRAGMA rekey = 'new'", "PRAGMA hexrekey = '00'",
      "PRAGMA cipher_page_size = 1024", "PRAGMA cipher_version = 1", "PRAGMA kdf_iter = 1",
      "PRAGMA cipher_salt", "PRAGMA main.cipher_use_hmac = OFF", "PRAGMA temp_store = 1",
      "PRAGMA temp_store_directory = '/tmp'", "PRAGMA writable_schema = 1",
      "PRAGMA journal_mode = OFF", "PRAGMA secure_delete = 0", "PRAGMA foreign_keys = 0",
      "PRAGMA synchronous = OFF", "PRAGMA trusted_schema = 1", "PRAGMA locking_mode = EXCLUSIVE",
      "PRAGMA mmap_size = 1", "PRAGMA application_id = 1", "PRAGMA ignore_check_constraints = 1",
      "PRAGMA recursive_triggers = 1", "PRAGMA defer_foreign_keys = 1", "PRAGMA no_such",
      "BEGIN", "BEGIN EXCLUSIVE", "COMMIT", "END", "ROLLBACK", "SAVEPOINT a", "RELEASE a",
      "ROLLBACK TO a", "VACUUM", "vacuum;", "; VACUUM", "/* so */ VACUUM",
      "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')",
      "SELECT fts3_tokenizer('simple', x'00')", "SELECT sqlcipher_export('main')",
      "DELETE FROM objectvault_classes", "UPDATE ObjectVault_Info SET value = 'x'",
      "INSERT INTO objectvault_info VALUES ('a', 'b')", "DROP TABLE objectvault_classes",
      "ALTER TABLE objectvault_info ADD COLUMN x", "CREATE TABLE objectvault_mine (a)",
      "CREATE INDEX i ON objectvault_info (value)", "CREATE INDEX objectvault_i ON Person (age)",
      "CREATE TRIGGER t AFTER INSERT ON objectvault_info BEGIN SELECT 1; END",
      "CREATE TRIGGER objectvault_t AFTER INSERT ON Person BEGIN SELECT 1; END",
      "CREATE TRIGGER t AFTER INSERT ON Person BEGIN DELETE FROM objectvault_classes; END",
      "CREATE TRIGGER IF NOT EXISTS t AFTER DELETE ON Person BEGIN SELECT 1; "
        + "INSERT OR IGNORE INTO \"ObjectVault_info\" VALUES ('a', 'b'); END",
      "/* */ CREATE TRIGGER t BEFORE UPDATE ON Person WHEN new.age > 1 BEGIN "
        + "UPDATE OR FAIL [objectvault_info] SET value = 'x'; END",
      "CREATE TRIGGER t AFTER INSERT ON Person BEGIN UPDATE objectvault_info SET value = 1; END",
      "CREATE TEMP TABLE t (a)", "CREATE TEMP VIEW v AS SELECT 1",
      "CREATE TEMP TRIGGER t AFTER INSERT ON Person BEGIN SELECT 1; END",
      "CREATE TABLE temp.t (a)", "CREATE TABLE temp.Person AS SELECT * FROM main.Person",
      "CREATE VIEW temp.v AS SELECT 1", "CREATE TABLE temp.ov_values_0 (a, b)",
      "CREATE TRIGGER temp.t AFTER INSERT ON main.Person BEGIN SELECT 1; END",
      "CREATE VIRTUAL TABLE temp.v USING fts4(a)", "CREATE VIRTUAL TABLE v USING dbstat",
      "UPDATE sqlite_sequence SET seq = 0",
      "DELETE FROM sqlite_sequence", "", "  -- nothing", ";", "SELECT 1; SELECT 2",
      "SELECT 1; DELETE FROM Person", "SELECT '\0'", "DELETE FROM Person \0 WHERE 0",
    ])
  func refused(sql: String) throws {
    let statement = SQLStatement(unchecked: sql)
    let info = try vault.rows("SELECT * FROM objectvault_info ORDER BY 1")
    for call in [vault.validate, { _ = try vault.rows($0) }, { try vault.execute($0) }] {
      #expect(code { try call(statement) } == .invalidArgument)
      try vault.transaction { #expect(code { try call(statement) } == .invalidArgument) }
    }
    #expect(try vault.rows("SELECT * FROM objectvault_info ORDER BY 1") == info)
    #expect(try vault.store(of: Person.self).count() == 1)
    #expect(try vault.rows("PRAGMA foreign_keys").map(\.values) == [[.integer(1)]])
  }

  @Test(
    "what is not SQL says so",
    arguments: [
      "nonsense", "SELECT 'open", "SELECT (1", "UPDATE sqlite_master SET sql = ''",
      "SELECT * FROM nowhere", "SELECT 1 FROM Person WHERE", "ROLLBACK TO",
    ])
  func notSQL(sql: String) {
    #expect(code { _ = try vault.rows(SQLStatement(unchecked: sql)) } == .engineRefused)
  }

  @Test("no copy is written by VACUUM INTO, which older engines do not read at all")
  func vacuumInto() throws {
    let copy = test.folder.file("copy")
    #expect(throws: VaultError.self) { try vault.execute("VACUUM INTO \(copy)") }
    #expect(throws: VaultError.self) { try vault.execute("VACUUM INTO '\(unchecked: copy)'") }
    #expect(!FileManager.default.fileExists(atPath: copy))
    // A mark of the order of bytes is a space to newer engines only.
    #expect(throws: VaultError.self) { try vault.execute("\u{FEFF}VACUUM") }
  }

  @Test("what tells of the file is allowed, and so is a schema of one's own")
  func allowed() throws {
    for pragma in [
      "table_info(Person)", "index_list('Person')", "foreign_key_check", "integrity_check",
      "user_version", "journal_mode", "cipher_version",
    ] as [String] {
      _ = try vault.rows("PRAGMA \(unchecked: pragma)")
    }
    try vault.execute([
      "DROP TABLE IF EXISTS missing", "DROP INDEX IF EXISTS missing",
      "CREATE TABLE IF NOT EXISTS Person (a)",
    ])
    try vault.execute("PRAGMA user_version = 7")
    #expect(try vault.value("PRAGMA user_version", as: Int.self) == 7)
    try vault.execute([
      "CREATE TABLE log (line TEXT)", "CREATE INDEX logged ON log (line)",
      "CREATE TRIGGER grown AFTER INSERT ON Person BEGIN INSERT INTO log VALUES (new.name); END",
      "CREATE TRIGGER told AFTER UPDATE ON Person BEGIN "
        + "INSERT INTO log SELECT value FROM objectvault_info; END",
      "DROP TRIGGER told", "CREATE VIEW old AS SELECT * FROM Person WHERE age > 20",
      "INSERT INTO Person (name, age) VALUES (\("Bob"), \(50))", "ANALYZE", "REINDEX",
      "ALTER TABLE log ADD COLUMN more", "ALTER TABLE log RENAME TO logs",
    ])
    // What is there is left alone.
    try vault.execute([
      "CREATE INDEX IF NOT EXISTS logged ON logs (line)",
      "CREATE TRIGGER IF NOT EXISTS grown AFTER INSERT ON Person BEGIN SELECT 1; END",
      "CREATE VIEW IF NOT EXISTS old AS SELECT 1", "CREATE TABLE IF NOT EXISTS logs (a)",
    ])
    #expect(try vault.rows("SELECT name FROM old").count == 2)
    #expect(try vault.rows("SELECT line FROM logs").map { $0[0] } == [.text("Bob")])
    try vault.execute([
      "DROP VIEW old", "DROP TRIGGER grown", "DROP INDEX logged", "DROP TABLE logs",
    ])
  }

  @Test("an explained statement changes nothing", arguments: ["EXPLAIN", "explain query plan"])
  func explained(prefix: String) throws {
    let node = ClassDescription(
      "Node", properties: [PropertyDescription("parent", type: .int64, isOptional: true)],
      references: [
        ReferenceDescription(
          "parent", target: "Node", targetColumns: ["objectID"], onDelete: .cascade)
      ])
    let nodes = try vault.store(of: node)
    for parent in [StoredValue.null, .integer(1)] {
      try nodes.insert(DynamicObject(of: node, ["parent": parent]))
    }
    for sql in [
      "DROP TABLE Node", "DROP TABLE IF EXISTS missing", "ALTER TABLE Node ADD COLUMN more",
      "DELETE FROM Node", "INSERT INTO Node (parent) VALUES (1), (2)", "CREATE TABLE mine (a)",
    ] {
      let statement = SQLStatement(unchecked: "\(prefix) \(sql)")
      _ = try vault.rows(statement)
      #expect(try vault.execute(statement) == 0)
      #expect(try vault.execute([statement]) == 0)
      try vault.transaction {
        try nodes.query.update(set: ["parent": 1])
        #expect(try vault.execute(statement) == 0, "\(sql)")
      }
    }
    #expect(try nodes.count() == 2)
    #expect(try vault.classes().map(\.name).sorted() == ["Node", "Person"])
    #expect(try vault.rows("SELECT name FROM sqlite_master WHERE name = 'mine'").isEmpty)
  }

  @Test("a trigger of another program cannot do what a statement may not")
  func triggers() throws {
    try vault.file().transaction {
      try $0.execute(
        "CREATE TRIGGER evil AFTER INSERT ON Person BEGIN DELETE FROM objectvault_classes; END")
    }
    let people = try vault.store(of: Person.self)
    #expect(throws: VaultError.self) { try people.insert(Person(name: "Bob")) }
    #expect(
      code { try vault.execute("INSERT INTO Person (name, age) VALUES ('Bob', 1)") }
        == .invalidArgument)
    #expect(try people.count() == 1)
    #expect(try vault.classes().map(\.name) == ["Person"])
    try vault.execute("DROP TRIGGER evil")
    try people.insert(Person(name: "Bob"))
  }

  @Test("a table that the library maintains is dropped by removeStore alone, as the error says")
  func dropped() throws {
    let row = ClassDescription(
      "Row", properties: [PropertyDescription("sheet", type: .int64)],
      references: [ReferenceDescription("sheet", target: "Sheet", onDelete: .cascade)])
    let sheet = ClassDescription(
      "Sheet", properties: [PropertyDescription("number", type: .int)],
      owned: [OwnedDescription("rows", target: "Row", reference: "sheet", ordered: true)])
    _ = try vault.store(of: sheet, with: [row])
    for description in [row, .ledgers(), .photos(), .pages(SearchDescription(["title"]))] {
      _ = try vault.store(of: description)
      let error = #expect(throws: VaultError.self) {
        try vault.execute("DROP TABLE \(name: description.table)")
      }
      #expect(error?.code == .invalidArgument)
      let reason = "cannot drop table '\(description.table)'"
      #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
      #expect(error?.message.contains("removeStore(of:)") == true)
    }
    let trigger = #expect(throws: VaultError.self) {
      try vault.execute("DROP TRIGGER objectvault_Ledger_history_insert")
    }
    #expect(trigger?.message.contains("belongs to the library") == true)
    for name in ["Row", "Ledger", "Photo", "Page"] { try vault.removeStore(named: name) }
    try vault.execute(["DROP TABLE Sheet", "DROP TABLE Person"])
    #expect(try vault.classes().isEmpty)
    #expect(try vault.verify().isSound)
  }

  @Test("REPLACE does not pass the library's triggers in a trigger or after a byte order mark")
  func replacing() throws {
    let ledgers = try vault.store(of: Ledger.self)
    try ledgers.insert(Ledger("a", email: "a@a"))
    try vault.execute("CREATE TABLE log (line TEXT UNIQUE)")
    let insertion = "INTO Ledger (name, age, email) VALUES ('b', 1, 'a@a')"
    for body in [
      "INSERT OR REPLACE \(insertion)", "REPLACE \(insertion)",
      "UPDATE OR REPLACE Ledger SET email = 'a@a'", "INSERT OR /**/ \u{FEFF}REPLACE \(insertion)",
    ] {
      let trigger = "CREATE TRIGGER t AFTER INSERT ON log BEGIN \(body); END"
      #expect(throws: VaultError.self, "\(body)") {
        try vault.execute(SQLStatement(unchecked: trigger))
      }
      #expect(throws: VaultError.self, "\(body)") {
        try vault.execute(SQLStatement(unchecked: "\u{FEFF}\(body)"))
      }
    }
    let replacing: SQLStatement =
      "CREATE TRIGGER t AFTER INSERT ON log BEGIN REPLACE INTO log VALUES ('x'); END"
    #expect(code { try vault.execute(replacing) } == .invalidArgument)
    // The conflict rule of a statement is that of its triggers too.
    try vault.execute(
      "CREATE TRIGGER t AFTER INSERT ON log WHEN new.line = 'b' OR replace(new.line, 'b', 'c') = 'b' "
        + "BEGIN INSERT INTO Ledger (name, age, email) VALUES (new.line, 1, 'a@a'); END")
    #expect(code { try vault.execute("REPLACE INTO log VALUES ('b')") } == .invalidArgument)
    #expect(code { try vault.execute("INSERT INTO log VALUES ('b')") } == .duplicate)
    #expect(try ledgers.all().map(\.name) == ["a"])
    #expect(try vault.recorded() == ["inserted 1"])
  }

  @Test("RAISE(IGNORE) does not skip the library's triggers after a change")
  func ignoring() throws {
    let ledgers = try vault.store(of: Ledger.self)
    for event in [
      "AFTER INSERT ON Ledger", "after update of name, age on main.\"ledger\" when new.age = 1",
      "AFTER DELETE ON [Ledger]",
    ] {
      let trigger = "CREATE TRIGGER t \(event) BEGIN SELECT RAISE ( ignore ); END"
      let error = #expect(throws: VaultError.self, "\(event)") {
        try vault.execute(SQLStatement(unchecked: trigger))
      }
      #expect(error?.code == .invalidArgument, "\(event)")
      #expect(error?.message.contains("RAISE(IGNORE)") == true)
    }
    try vault.execute([
      "CREATE TRIGGER a BEFORE UPDATE ON Ledger WHEN old.name = 'a' "
        + "BEGIN SELECT RAISE(IGNORE); END",
      "CREATE TRIGGER b AFTER INSERT ON Ledger WHEN new.age < 0 "
        + "BEGIN SELECT RAISE(ABORT, 'IGNORE'); END",
      "CREATE TRIGGER c AFTER INSERT ON Person BEGIN SELECT RAISE(IGNORE); END",
    ])
    try ledgers.insert(contentsOf: [Ledger("a"), Ledger("b")])
    #expect(code { try ledgers.insert(Ledger("c", age: -1)) } == .constraint)
    try vault.execute("UPDATE Ledger SET age = 2")
    #expect(try vault.recorded() == ["inserted 1", "inserted 2", "updated 2 age"])
  }

  @Test("no name of the library's own is taken, neither by renaming nor by what a table brings")
  func ownNames() throws {
    try vault.execute([
      "CREATE TABLE mine (digest TEXT PRIMARY KEY, content BLOB)",
      "CREATE VIRTUAL TABLE words USING fts4(a)",
    ])
    for statement in [
      "ALTER TABLE mine RENAME TO objectvault_blobs",
      "ALTER TABLE mine RENAME TO \"ObjectVault_x\"",
      "ALTER TABLE words RENAME TO objectvault", "CREATE VIRTUAL TABLE objectvault USING fts4(a)",
    ] as [SQLStatement] {
      #expect(code { try vault.execute(statement) } == .invalidArgument, "\(statement)")
    }
    #expect(
      try vault.rows("SELECT 1 FROM mine").isEmpty && vault.rows("SELECT 1 FROM words").isEmpty)
    try vault.execute("ALTER TABLE mine RENAME TO ours")
  }

  @Test("nothing that is interpolated changes what a statement does")
  func injection() throws {
    let evil = "x'; DELETE FROM Person; --\"`]\u{0301}"
    for statement in [
      "SELECT * FROM Person WHERE name = \(evil)",
      "SELECT * FROM Person WHERE name IN \(list: [evil, evil])",
      "SELECT \(Character("'")) FROM Person", "SELECT \(Data(evil.utf8)) FROM Person",
      "SELECT 1 AS \(name: evil) FROM Person",
    ] as [SQLStatement] {
      #expect(throws: Never.self) { try vault.rows(statement) }
    }
    for statement in [
      "SELECT \(name: evil) FROM Person", "SELECT * FROM \(name: evil)",
      "SELECT * FROM Person ORDER BY \(name: "nothing")",
    ] as [SQLStatement] {
      #expect(code { _ = try vault.rows(statement) } == .engineRefused)
    }
    #expect(try vault.row("SELECT \(evil) AS v")?["v"] == .text(evil))
    #expect(code { _ = try vault.rows("SELECT \(name: "a\0b") FROM Person") } == .invalidArgument)
    #expect(code { _ = try vault.rows("SELECT '\(evil)'") } == .invalidArgument)
    #expect(code { _ = try vault.rows("SELECT 1 -- \(evil)") } == .invalidArgument)
    #expect(try vault.store(of: Person.self).count() == 1)
  }

  @Test("more values than every engine takes are refused, and what cannot be stored")
  func values() throws {
    #expect(try vault.rows("SELECT 1 WHERE 1 IN \(list: Array(1...999))").count == 1)
    #expect(
      code { _ = try vault.rows("SELECT 1 WHERE 1 IN \(list: Array(1...1000))") }
        == .invalidArgument)
    for statement in [
      "SELECT \(Double.nan)", "SELECT \(UInt64.max)", "SELECT \(list: [1.0, .nan])",
      "SELECT \(StoredValue.real(.nan))",
      SQLStatement(unchecked: "SELECT ?", values: [.real(.nan)]),
      "SELECT 1" + " + \(Float.nan)",
    ] as [SQLStatement] {
      #expect(code { _ = try vault.rows(statement) } == .invalidValue)
      #expect(code { _ = try vault.validate(statement) } == .invalidValue)
    }
    #expect(
      code { _ = try vault.rows("SELECT \(column: \Person.name) FROM Person") } == .noSuchProperty)
  }

  @Test("no value stands in an error, a log or a file")
  func secrecy() throws {
    let marker = "MARKER-sql-99317"
    let folder = try TemporaryFolder()
    var messages: [String] = []
    do {
      let vault = try Vault(at: folder.file("v"), key: .ofTests)
      try vault.store(of: Account.self).insert(Account(owner: marker))
      for statement in [
        "INSERT INTO Account (owner, balance) VALUES (\(marker), 1)",
        "SELEC '\(unchecked: marker)' x",
        "SELECT abs('a', '\(unchecked: marker)')",
        "SELECT * FROM Account WHERE '\(unchecked: marker)",
        "INSERT INTO Account (objectID, owner, balance) VALUES (\(marker), 'x', 1)",
        "SELECT * FROM Account WHERE owner MATCH \(marker)", "SELECT \(marker), ?",
      ] as [SQLStatement] {
        do {
          _ = try vault.rows(statement)
          Issue.record("no error: \(statement)")
        } catch {
          messages += [
            "\(error)", String(reflecting: error),
            String(describing: (error as? VaultError)?.underlying),
          ]
        }
      }
      let row = try #require(try vault.row("SELECT owner FROM Account"))
      var dumped = ""
      dump(row, to: &dumped)
      messages += ["\(row)", String(reflecting: row), "\([row])", dumped]
      do { _ = try row.value("owner", as: Int.self) } catch { messages.append("\(error)") }
      do { _ = try row.value("owner", as: [String].self) } catch { messages.append("\(error)") }
      do { _ = try row.decode([String: Int].self) } catch { messages.append("\(error)") }
      try vault.execute("CREATE TABLE t AS SELECT \(marker) AS c")
      #expect(
        FileScan.openFiles(below: folder.path).filter { $0.content.contains(Data(marker.utf8)) }
          .isEmpty)
    }
    #expect(messages.filter { $0.contains(marker) }.isEmpty)
    #expect(messages.count > 20)
    #expect(try FileScan.filesHolding(marker, in: folder.path).isEmpty)
  }
}
