import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// What the library writes, seen by the stock shell.
@Suite struct StockShellReadsVaultsTests {
  static let passphrase = "it's open sesame"

  @Test(
    "The stock shell finds exactly the tables and the DDL of the storage contract",
    arguments: [false, true])
  func tables(portable: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try fill(path, portable: portable)
    let lines = try CipherShell.lines(
      path, Self.passphrase, portable: portable,
      [
        "PRAGMA application_id;", "PRAGMA user_version;", "PRAGMA page_size;",
        "PRAGMA journal_mode;",
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name;",
        "PRAGMA integrity_check;", "SELECT key FROM objectvault_info ORDER BY key;",
        "SELECT \"table\", name FROM objectvault_classes ORDER BY 1;",
      ])
    #expect(
      lines == [
        "1331055700", "0", "4096", "wal", "Course", "Everything", "Student", "objectvault_classes",
        "objectvault_info", "sqlite_sequence", "ok", "format_version", "vault_id",
        "Course|Course", "Everything|Everything", "Student|Student",
      ])
    let ddl = try CipherShell.lines(
      path, Self.passphrase, portable: portable,
      [
        "SELECT sql || ';' FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' "
          + "ORDER BY tbl_name, type DESC, name;"
      ])
    #expect(ddl.joined(separator: "\n") + "\n" == (try ddlFixture("vault.sql")))
  }

  @Test(
    "The stock shell reads every value as the storage contract writes it", arguments: [false, true])
  func values(portable: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try fill(path, portable: portable)
    let columns = [
      "flag", "small", "large", "single", "text", "data", "uuid", "url", "decimal",
      "list", "missing",
    ]
    // The shell prints real numbers differently from version to version: asked for as equal.
    let select = columns.map { "typeof(\"\($0)\") || ' ' || quote(\"\($0)\")" }
      .joined(separator: "||char(10)||")
    let lines = try CipherShell.lines(
      path, Self.passphrase, portable: portable,
      [
        "SELECT \(select) FROM Everything WHERE objectID = 1;",
        "SELECT hex(text) FROM Everything WHERE objectID = 1;",
        "SELECT typeof(date), date = 1700000000.123457, typeof(double), double = -1.5e300 "
          + "FROM Everything WHERE objectID = 1;",
        "SELECT quote(tags) FROM Student ORDER BY objectID;",
        "SELECT code, quote(begins) FROM Course;",
      ])
    #expect(
      lines == [
        "integer 1", "integer -128", "integer 9223372036854775807", "real 0.5",
        "text 'it''s'", "blob X'00FF27'",
        "text '00112233-4455-6677-8899-AABBCCDDEEFF'", "text 'https://example.org/a?b=c%20d'",
        "text '-12345678901234567890.0123456789'", #"text '["b","a\"\u0001"]'"#, "null NULL",
        "69742773006E756C20C3A9CC81F09F8D8E", "real|1|real|1", "'[]'", "'[\"x\"]'", "M1|NULL",
      ])
  }

  private func fill(_ path: String, portable: Bool) throws {
    var configuration = VaultConfiguration()
    if portable { configuration.cipherFormat = .portable }
    let vault = try Vault(
      at: path, key: .passphrase(Self.passphrase), configuration: configuration)
    try vault.store(of: Everything.self).insert(try Everything.sample)
    try vault.store(of: Student.self).insert(contentsOf: [
      Student(name: "Li", age: 20), Student(name: "Bo", age: 7, tags: ["x"]),
    ])
    try vault.store(of: Course.self).insert(Course(code: "M1", title: "Mathematics"))
  }
}

/// A file of `Fixtures/ddl`.
func ddlFixture(_ name: String) throws -> String {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/ddl")
  return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
}
