import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

/// Files that the stock shell made, opened as vaults.
@Suite struct ForeignFileTests {
  private static let schema = [
    "CREATE TABLE city(id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, area DECIMAL(10,2), "
      + "founded DATETIME, capital BOOLEAN NOT NULL DEFAULT 0, flag BLOB, motto);",
    "INSERT INTO city VALUES(1,'Oslo',480.75,'1048-01-01',1,x'00ff','a motto'),"
      + "(2,'Bergen',465,NULL,0,NULL,NULL);",
    "CREATE TABLE \"road sign\"(code TEXT NOT NULL, country TEXT NOT NULL, height REAL NOT NULL, "
      + "PRIMARY KEY(country, code)) WITHOUT ROWID;",
    "INSERT INTO \"road sign\" VALUES('302','no',0.6),('100','no',0.9),('B1','de',0.4);",
    "CREATE TABLE log(line TEXT);", "INSERT INTO log VALUES('a'),('b');",
    "CREATE VIEW big AS SELECT * FROM city WHERE area > 470;",
    "PRAGMA user_version=5;",
  ]

  private func make(_ path: String, settings: [String] = []) throws {
    let output = try CipherShell.run(
      path, ["PRAGMA key='\(passphrase)';"] + settings + Self.schema)
    #expect(!output.contains("Error"), "\(output)")
  }

  @Test(
    "A file that the stock shell made opens as a vault, whatever its pages and its journal, and stays as it is",
    arguments: [
      [], ["PRAGMA cipher_page_size=4096;"], ["PRAGMA cipher_page_size=8192;"],
      ["PRAGMA cipher_page_size=65536;"], ["PRAGMA journal_mode=WAL;"],
      ["PRAGMA journal_mode=PERSIST;"], ["PRAGMA auto_vacuum=FULL;"],
    ], [false, true])
  func reading(settings: [String], isReadOnly: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign.db")
    try make(path, settings: settings)
    let before = try bytes(path)
    do {
      var configuration = VaultConfiguration()
      configuration.isReadOnly = isReadOnly
      let vault = try Vault(at: path, key: .passphrase(passphrase), configuration: configuration)
      #expect(try vault.classes().map(\.name) == ["city", "road sign"])
      let cities = try vault.store(named: "city")
      #expect(
        cities.classDescription.properties.map(\.name)
          == ["id", "name", "area", "founded", "capital", "flag", "motto"])
      let oslo = try #require(try cities.where("name == 'Oslo'").first())
      #expect(
        oslo.allValues == [
          .integer(1), .text("Oslo"), .real(480.75), .text("1048-01-01"), .integer(1),
          .blob([0, 255]), .text("a motto"),
        ])
      #expect(try cities.where("area > 470").count() == 1)
      #expect(try cities.where("founded == nil").first()?.value(of: "name") == .text("Bergen"))
      #expect(try cities.where("flag == nil && id IN {1, 2}").count() == 1)
      let signs = try vault.store(named: "road sign")
      #expect(
        try signs.all().map { try $0.value(of: "code") }
          == ["B1", "100", "302"].map(StoredValue.text))
      #expect(try signs.find(DynamicObjectID([.text("no"), .text("302")])) != nil)
      // A table without a primary key has nothing to be an objectID.
      let error = #expect(throws: VaultError.self) { try vault.store(named: "log") }
      #expect(error?.code == .noSuchClass)
      #expect(error?.message.contains("no primary key") == true)
    }
    #expect(try bytes(path) == before)
    // Who only reads cannot remove the log that it had to make, which is empty then.
    let log = try? bytes(path + "-wal")
    #expect(log == nil || isReadOnly && log?.isEmpty == true)
  }

  @Test("Objects can be written into a foreign file without anything of the library's in it")
  func writing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign.db")
    try make(path, settings: ["PRAGMA cipher_page_size=4096;"])
    do {
      let vault = try Vault(at: path, key: .passphrase(passphrase))
      let cities = try vault.store(named: "city")
      var bodo = try DynamicObject(of: cities.classDescription)
      try bodo.set("name", to: .text("Bodø"))
      try bodo.set("capital", to: .integer(0))
      let stored = try cities.insert(bodo)
      #expect(try stored.value(of: "id") == .integer(3))
      var oslo = try #require(try cities.where("name == 'Oslo'").first())
      try oslo.set("area", to: .real(454.5))
      try cities.update(oslo)
      #expect(try cities.where("id == 2").remove() == 1)
      // What a column demands is demanded.
      let nameless = try DynamicObject(of: cities.classDescription)
      let error = #expect(throws: VaultError.self) { try cities.insert(nameless) }
      #expect(error?.code == .invalidValue)
    }
    let lines = try CipherShell.lines(
      path, passphrase,
      [
        "SELECT id, name, area FROM city ORDER BY id;", "PRAGMA application_id;",
        "PRAGMA user_version;", "PRAGMA journal_mode;",
        "SELECT count(*) FROM sqlite_master WHERE name LIKE 'objectvault%';",
      ])
    #expect(lines == ["1|Oslo|454.5", "3|Bodø|", "0", "5", "delete", "0"])
  }

  @Test("The first store of a class makes a foreign file a vault and leaves its tables alone")
  func becomingVault() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign.db")
    try make(path, settings: ["PRAGMA cipher_page_size=4096;"])
    do {
      let vault = try Vault(at: path, key: .passphrase(passphrase))
      let students = try vault.store(of: Student.self)
      try students.insert(Student(name: "Li", age: 20))
      #expect(try vault.classes().map(\.name) == ["Student", "city", "road sign"])
    }
    let lines = try CipherShell.lines(
      path, passphrase,
      [
        "PRAGMA application_id;", "PRAGMA user_version;", "PRAGMA journal_mode;",
        "SELECT count(*) FROM city;", "SELECT name FROM Student;",
        "SELECT \"table\" FROM objectvault_classes;",
      ])
    #expect(lines == ["1331055700", "5", "wal", "2", "Li", "Student"])
  }

  @Test(
    "A file that became a vault inside a transaction gets its write-ahead log at the next opening")
  func becomingVaultInTransaction() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("foreign.db")
    try make(path, settings: ["PRAGMA cipher_page_size=4096;"])
    do {
      let vault = try Vault(at: path, key: .passphrase(passphrase))
      try vault.transaction {
        try vault.store(of: Student.self).insert(Student(name: "Li", age: 20))
      }
    }
    let vault = try Vault(at: path, key: .passphrase(passphrase))
    #expect(try vault.store(of: Student.self).count() == 1)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
  }
}
