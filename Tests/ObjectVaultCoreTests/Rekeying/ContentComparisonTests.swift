import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@testable import ObjectVaultMaintenance

@Suite("A comparison of two files")
struct ContentComparisonTests {
  private let folder: TemporaryFolder
  private static let schema = """
    CREATE TABLE t(a, b); CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE INDEX i ON t(a);
    CREATE VIEW v AS SELECT a FROM t; CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;
    CREATE TABLE s(id INTEGER PRIMARY KEY AUTOINCREMENT);
    INSERT INTO t(rowid, a, b) VALUES(1, 1, 'x'), (2, 1.5, x'00'), (5, NULL, ''), (9, 'last', 0.0);
    INSERT INTO w VALUES('a', 1), ('b', 2); INSERT INTO s VALUES(3);
    """

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The message of the difference between the sample and itself after a change.
  private func difference(
    _ change: String, _ encoding: String = "UTF-8", meantToDiffer: Set<String> = []
  ) throws -> String? {
    let names = ["first", "second"].map { folder.file($0 + UUID().uuidString) }
    let (first, second) = (
      try FileForm.encrypted().open(names[0]), try FileForm.clear().open(names[1])
    )
    for connection in [first, second] {
      try connection.execute("PRAGMA encoding = \"\(encoding)\"; \(Self.schema)")
    }
    try second.setPragma("writable_schema", to: "1", expecting: "1")
    try second.execute(change)
    let error = thrown {
      try ContentComparison(original: first, copy: second, meantToDiffer: meantToDiffer)
        .check()
    }
    #expect(error == nil || error?.code == .damaged)
    return error?.message
  }

  @Test(
    "names the first row that differs",
    arguments: [
      ("UPDATE t SET a = 2 WHERE rowid = 1", "row 1 of table 't'"),
      ("UPDATE t SET a = 1.0 WHERE rowid = 1", "row 1 of table 't'"),
      ("UPDATE t SET a = '1' WHERE rowid = 1", "row 1 of table 't'"),
      ("UPDATE t SET b = x'78' WHERE rowid = 1", "row 1 of table 't'"),
      ("UPDATE t SET b = 'y' WHERE rowid = 1", "row 1 of table 't'"),
      ("UPDATE t SET b = x'0000' WHERE rowid = 2", "row 2 of table 't'"),
      ("UPDATE t SET a = 1.5000000000000002 WHERE rowid = 2", "row 2 of table 't'"),
      ("UPDATE t SET a = '' WHERE rowid = 5", "row 3 of table 't'"),
      ("UPDATE t SET b = NULL WHERE rowid = 5", "row 3 of table 't'"),
      ("UPDATE t SET b = x'' WHERE rowid = 5", "row 3 of table 't'"),
      ("UPDATE t SET b = 0 WHERE rowid = 9", "row 4 of table 't'"),
      ("UPDATE t SET b = -0.0 WHERE rowid = 9", "row 4 of table 't'"),
      ("UPDATE t SET rowid = 4 WHERE rowid = 5", "row 3 of table 't'"),
      ("UPDATE w SET v = '2' WHERE k = 'b'", "row 2 of table 'w'"),
      ("UPDATE sqlite_sequence SET seq = 4", "row 1 of table 'sqlite_sequence'"),
      ("DELETE FROM t WHERE rowid = 9", "table 't', which ends before row 4"),
      ("DELETE FROM w", "table 'w', which ends before row 1"),
      ("INSERT INTO t VALUES(0, 0)", "table 't', which has more than 4 rows"),
    ], ["UTF-8", "UTF-16le", "UTF-16be"])
  func rows(change: (String, String), encoding: String) throws {
    let message = try difference(change.0, encoding)
    #expect(message?.contains("in \(change.1). ") == true, "\(message ?? "none")")
  }

  @Test(
    "names what else differs, unless that is meant",
    arguments: [
      ("PRAGMA user_version = 1", "the setting user_version"),
      ("PRAGMA application_id = 1", "the setting application_id"),
      ("DROP INDEX i", "the schema table"), ("DROP VIEW v", "the schema table"),
      ("DROP TRIGGER g", "the schema table"), ("CREATE TABLE more(a)", "the schema table"),
      (
        "UPDATE sqlite_master SET sql = 'CREATE VIEW v AS SELECT b FROM t' WHERE name = 'v'",
        "the schema table"
      ),
      (
        "CREATE TABLE x(a); DROP INDEX i; CREATE INDEX i ON t(b); DROP TABLE x",
        "the schema table"
      ),
    ])
  func settings(change: String, what: String) throws {
    let message = try difference(change)
    #expect(message?.contains(what) == true, "\(message ?? "none")")
  }

  @Test("takes no notice of the order of making, of free pages, and of a setting meant to differ")
  func same() throws {
    #expect(try difference("SELECT 1") == nil)
    #expect(try difference("SELECT 1", "UTF-16be") == nil)
    #expect(
      try difference(
        "DROP INDEX i; DROP VIEW v; CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t(a)")
        == nil)
    #expect(try difference("CREATE TABLE x(a); DROP TABLE x") == nil)
    #expect(try difference("PRAGMA user_version = 9", meantToDiffer: ["user_version"]) == nil)
  }

  @Test("tells texts of UTF-16 apart that are the same only when they are converted")
  func surrogates() throws {
    let names = ["first", "second"].map { folder.file($0) }
    for (name, text) in zip(names, ["00D8", "01D8"]) {
      let file = try FileForm.clear().open(name)
      try file.execute(
        "PRAGMA encoding = \"UTF-16le\"; CREATE TABLE t(a); INSERT INTO t VALUES(CAST(x'\(text)' "
          + "AS TEXT))")
      try file.close()
    }
    let files = try names.map { try FileForm.clear().open($0) }
    let error = thrown {
      try ContentComparison(original: files[0], copy: files[1]).check()
    }
    #expect(error?.message.contains("row 1 of table 't'") == true)
  }
}
