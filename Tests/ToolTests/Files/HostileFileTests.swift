import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A file that was made to do harm") struct HostileFileTests {
  /// A definition that no CREATE statement leaves in a file, in the place of the table `good`.
  static let definitions = [
    "CREATE TABLE good AS SELECT 1 AS a",
    "CREATE TABLE good AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      + "SELECT zeroblob(1000000) FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      + "INSERT INTO other SELECT zeroblob(1000000) FROM n",
    "CREATE TABLE good(a); DROP TABLE other",
    "CREATE TABLE another(a)",
    "CREATE VIEW good AS SELECT 1",
    "CREATE TEMP TABLE good(a)",
    "DROP TABLE other",
    "ATTACH 'x' AS y",
    "CREATE TABLE good /* ( */ AS -- (\n SELECT 1",
    "",
  ]

  private static let key = VaultKey.digitsOfTests
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file of format 3 with two tables and an index, one of which has another definition.
  private func file(
    _ definition: String, of name: String = "good", isEncrypted: Bool = true
  ) throws -> String {
    let path = folder.file("hostile.db")
    let literal = definition.replacing("'", with: "''")
    let opening =
      isEncrypted
      ? ["PRAGMA key = \"x'\(Self.key)'\";", "PRAGMA cipher_compatibility = 3;"] : []
    // Newer shells protect the schema unless told otherwise; older ones do not know the command.
    let output = try CipherShell.run(
      path,
      [".dbconfig defensive off"] + opening + [
        "CREATE TABLE good(a);", "INSERT INTO good VALUES('a row to keep');",
        "CREATE TABLE other(b);", "INSERT INTO other VALUES('another row');",
        "CREATE INDEX byB ON other(b);",
        "PRAGMA writable_schema = ON;",
        "UPDATE sqlite_master SET sql = '\(literal)' WHERE name = '\(name)';",
        "SELECT 'changed ' || changes();",
      ])
    #expect(output.contains("changed 1"), "\(output)")
    #expect(try folder.size(of: "hostile.db") > 2000)
    return path
  }

  /// Runs the tool, which must end by itself.
  private func run(_ arguments: String...) throws -> ChildProcess {
    let result = try TestTool.bare(
      arguments + ["--raw-key", "--key-env", "KEY"], environment: ["KEY": Self.key])
    #expect(result.exited && result.code < 128, "\(arguments) \(result.errors)")
    return result
  }

  @Test("is rejected by every command, and none of its definitions runs", arguments: definitions)
  func rejected(definition: String) throws {
    let path = try file(definition)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for arguments in [
      ["classes", path], ["sql", path, "SELECT 1"], ["upgrade", path, "--page-size", "8192"],
      ["backup", path, "--to", folder.file("copy.db")],
      ["decrypt", path, "--to", folder.file("plain.db"), "--yes"],
    ] {
      let result = try TestTool.bare(
        arguments + ["--raw-key", "--key-env", "KEY"], environment: ["KEY": Self.key])
      #expect(
        result.exited && (64..<128).contains(result.code),
        "\(arguments) \(result.output) \(result.errors)")
      #expect(result.errors.contains("'good'"), "\(arguments) \(result.errors)")
    }
    let verified = try run("verify", path)
    #expect(verified.code == 1 && verified.output.contains("'good'"), "\(verified.output)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  /// Makes a harmless file and a journal that gives it another definition.
  private func file(_ journal: ForgedJournal, isEncrypted: Bool) throws -> String {
    let path = try file("CREATE TABLE good(a)", isEncrypted: isEncrypted)
    let harmless = try Data(contentsOf: URL(fileURLWithPath: path))
    let opening =
      isEncrypted
      ? ["PRAGMA key = \"x'\(Self.key)'\";", "PRAGMA cipher_compatibility = 3;"] : []
    let output = try CipherShell.run(
      path,
      [".dbconfig defensive off"] + opening + [
        "PRAGMA writable_schema = ON;",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE good AS SELECT 1' WHERE name = 'good';",
        "SELECT 'changed ' || changes();",
      ])
    #expect(output.contains("changed 1"), "\(output)")
    let hostile = try Data(contentsOf: URL(fileURLWithPath: path))
    // The size of the pages is in the header, or the default of the format.
    let pageSize = isEncrypted ? 1024 : Int(hostile[16]) << 8 | Int(hostile[17])
    try #require(hostile.count == harmless.count && hostile.count % pageSize == 0)
    try journal.write(path, harmless, restoring: hostile, pageSize: pageSize)
    return path
  }

  @Test(
    "and gets its definition from a journal that SQLite does not leave is rejected",
    arguments: ForgedJournal.allCases)
  func journal(journal: ForgedJournal) throws {
    let clear = try file(journal, isEncrypted: false)
    let new = folder.file("new.db")
    let encrypted = try run("encrypt", clear, "--to", new)
    #expect(encrypted.code >= 64, "\(encrypted.output) \(encrypted.errors)")
    // Pages of another size also damage the file.
    #expect(
      journal == .otherPageSize || encrypted.errors.contains("'good'"), "\(encrypted.errors)")
    #expect(!FileManager.default.fileExists(atPath: new))
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(clear + suffix) }
    let path = try file(journal, isEncrypted: true)
    let verified = try run("verify", path)
    #expect(
      verified.code != 0 && (verified.output + verified.errors).contains("malicious"),
      "\(verified.output) \(verified.errors)")
    let copied = try run("backup", path, "--to", new)
    #expect(copied.code >= 64, "\(copied.errors)")
    #expect(!FileManager.default.fileExists(atPath: new))
    let queried = try run("sql", path, "SELECT 1")
    #expect(queried.code >= 64, "\(queried.output) \(queried.errors)")
  }

  @Test("is salvaged with all of its rows", arguments: definitions)
  func salvaged(definition: String) throws {
    let path = try file(definition)
    let new = folder.file("new.db")
    let result = try run("salvage", path, "--to", new)
    #expect(result.code == 1, "\(result.output) \(result.errors)")
    #expect(result.output.contains("table 'good'"), "\(result.output)")
    let lost = try run("sql", new, "SELECT * FROM lost_1")
    #expect(lost.output.contains("a row to keep"), "\(lost.output) \(lost.errors)")
    let other = try run("sql", new, "SELECT * FROM other")
    #expect(other.output.contains("another row"), "\(other.output) \(other.errors)")
    #expect(try folder.size(of: "new.db") < 1 << 20)
  }

  @Test("and is in plaintext is not encrypted", arguments: definitions)
  func encrypted(definition: String) throws {
    let path = try file(definition, isEncrypted: false)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let new = folder.file("new.db")
    let result = try TestTool.bare(
      ["encrypt", path, "--to", new, "--raw-key", "--key-env", "KEY"],
      environment: ["KEY": Self.key])
    #expect(result.exited && (64..<128).contains(result.code), "\(result.errors)")
    #expect(result.errors.contains("'good'"), "\(result.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test("and computes large values does not make a large file")
  func largeValues() throws {
    // Rows of a record without a value for the second column get its default.
    let path = try file("CREATE TABLE good(a, b DEFAULT (zeroblob(900000000)))")
    let new = folder.file("new.db")
    let result = try run("salvage", path, "--to", new)
    #expect(result.code == 1, "\(result.output) \(result.errors)")
    #expect(try folder.size(of: "new.db") < 1 << 20)
  }

  @Test("and computes large values for an index loses the index alone")
  func largeIndexValues() throws {
    let path = try file("CREATE INDEX byB ON other(hex(zeroblob(900000)))", of: "byB")
    let new = folder.file("new.db")
    let result = try run("salvage", path, "--to", new)
    #expect(result.code == 1, "\(result.output) \(result.errors)")
    #expect(result.output.contains("index 'byB'"), "\(result.output)")
    for (table, row) in [("good", "a row to keep"), ("other", "another row")] {
      let rows = try run("sql", new, "SELECT * FROM \(table)")
      #expect(rows.output.contains(row), "\(rows.output) \(rows.errors)")
    }
  }
}
