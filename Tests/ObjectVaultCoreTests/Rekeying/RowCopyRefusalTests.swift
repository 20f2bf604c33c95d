import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@testable import ObjectVaultMaintenance

@Suite("A copy of rows that cannot be made")
struct RowCopyRefusalTests {
  private let folder: TemporaryFolder
  private let source: Connection

  init() throws {
    folder = try TemporaryFolder()
    source = try FileForm.encrypted().open(folder.file("source"))
  }

  /// Copies, expects to be refused with a message that holds `part`, and nothing in the destination.
  private func expectRefusal(naming part: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let destination = try FileForm.clear().open(folder.file("refused"))
    let error = thrown { try RowCopy(from: source, to: destination).run { _, _ in } }
    #expect(error?.code == .engineRefused, sourceLocation: sourceLocation)
    #expect(
      error?.message.contains(part) == true, "\(error as Any)", sourceLocation: sourceLocation)
    try expectNothing(in: destination)
  }

  private func expectNothing(in destination: Connection) throws {
    #expect(!destination.isInTransaction && !source.isInTransaction)
    #expect(try destination.rows("SELECT * FROM sqlite_master") == [])
    #expect(try destination.pragma("writable_schema") == "0")
    #expect(try destination.pragma("foreign_keys") == "1")
    #expect(try destination.pragma("ignore_check_constraints") == "0")
    #expect(try destination.pragma("user_version") == "0")
  }

  @Test("because an index orders by what this program does not have names the index")
  func collation() throws {
    try source.register(collation: "elsewhere") { Int32($0.count) - Int32($1.count) }
    try source.execute(
      """
      CREATE TABLE t(a TEXT); INSERT INTO t VALUES('x'), ('y');
      CREATE INDEX "of t" ON t(a COLLATE elsewhere);
      """)
    try expectRefusal(naming: "index 'of t'")
  }

  @Test("because a table orders so names the table")
  func collationOfTable() throws {
    try source.register(collation: "elsewhere") { Int32($0.count) - Int32($1.count) }
    try source.execute(
      "CREATE TABLE t(a TEXT COLLATE elsewhere); INSERT INTO t VALUES('x'), ('yy');")
    try expectRefusal(naming: "table 't'")
  }

  @Test("because an index calls a function that this program does not have names the index")
  func function() throws {
    try source.register(function: "elsewhere", arguments: 1, deterministic: true) {
      arguments, result in
      result.set(arguments.integer(at: 0))
    }
    try source.execute(
      "CREATE TABLE t(a); INSERT INTO t VALUES(1); CREATE INDEX i ON t(elsewhere(a));")
    try expectRefusal(naming: "index 'i'")
  }

  @Test("because a CHECK calls such a function names the table")
  func functionOfCheck() throws {
    try source.register(function: "elsewhere", arguments: 1, deterministic: true) {
      arguments, result in
      result.set(arguments.integer(at: 0))
    }
    try source.execute("CREATE TABLE t(a CHECK(elsewhere(a))); INSERT INTO t VALUES(1);")
    try expectRefusal(naming: "table 't'")
  }

  @Test("quotes no value where a row is refused")
  func values() throws {
    try source.execute("CREATE TABLE t(a, b); INSERT INTO t VALUES('marker', 1), ('marker', 2);")
    try source.setPragma("writable_schema", to: "1", expecting: "1")
    try source.execute(
      "UPDATE sqlite_master SET sql = 'CREATE TABLE t(a NOT NULL, b CHECK(b > 0))'")
    try source.execute("UPDATE t SET a = NULL WHERE b = 2")
    try source.close()
    let again = try FileForm.encrypted().open(folder.file("source"))
    let destination = try FileForm.clear().open(folder.file("refused"))
    let error = thrown { try RowCopy(from: again, to: destination).run { _, _ in } }
    #expect(error?.message.contains("table 't'") == true)
    #expect(error?.message.contains("marker") == false)
    #expect(try destination.rows("SELECT * FROM sqlite_master") == [])
  }

  @Test("is no reason to refuse modules that are not there: their tables come through")
  func modules() throws {
    try source.execute("CREATE TABLE search_content(a); INSERT INTO search_content VALUES('kept')")
    try source.setPragma("writable_schema", to: "1", expecting: "1")
    try source.execute(
      """
      INSERT INTO sqlite_master VALUES('table', 'search', 'search', 0,
        'CREATE VIRTUAL TABLE search USING elsewhere(a)')
      """)
    try source.close()
    let again = try FileForm.encrypted().open(folder.file("source"))
    let rows = try copyRows(
      again, to: folder.file("copy"), as: .clear(),
      asking:
        "SELECT a FROM search_content UNION ALL SELECT sql FROM sqlite_master WHERE name = 'search'"
    )
    #expect(rows == ["text kept", "text CREATE VIRTUAL TABLE search USING elsewhere(a)"])
  }

  @Test("for more columns than the engine takes values for, and is made up to there")
  func columns() throws {
    let names = { (count: Int) in (1...count).map { "c\($0)" }.joined(separator: ", ") }
    let most = min(try Engine.prove().maxVariables, 2_000)
    try source.execute("CREATE TABLE t(\(names(most - 1))); INSERT INTO t(c1) VALUES(1)")
    try copyRows(source, to: folder.file("copy"), as: .clear())
    guard most < 2_000 else { return }
    try source.execute("CREATE TABLE u(\(names(most))); INSERT INTO u(c1) VALUES(1)")
    try expectRefusal(naming: "table 'u'")
  }

  @Test("because the destination holds something leaves that")
  func destinationInUse() throws {
    let destination = try FileForm.clear().open(folder.file("copy"))
    try destination.execute("CREATE TABLE before(a)")
    let error = thrown(DriverError.self) {
      try RowCopy(from: source, to: destination).run { _, _ in }
    }
    #expect(error?.code == .misuse)
    #expect(try destination.rows("SELECT name FROM sqlite_master") == ["text before"])
  }

  @Test("because its progress ended it, at any report, leaves nothing")
  func ended() throws {
    struct Enough: Error {}
    try source.execute(
      """
      PRAGMA user_version = 5; CREATE TABLE t(a, b); CREATE VIEW v AS SELECT 1;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
        INSERT INTO t SELECT i, hex(i * 7919 % 30011) FROM n;
      CREATE INDEX i ON t(b);
      """)
    let destination = try FileForm.clear().open(folder.file("copy"))
    var reports: [(done: Int, total: Int)] = []
    try RowCopy(from: source, to: FileForm.clear().open(folder.file("whole"))).run {
      reports.append(($0, $1))
    }
    #expect(reports.count > 100)
    #expect(reports.last?.done == 30_000)
    #expect(reports.allSatisfy { $0.total == 30_000 || $0.done == 0 })
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.done <= $1.done })
    // A long statement, as the making of the index is, is ended too.
    #expect(reports.count { $0.done == 30_000 } > 2)
    // The number of reports depends on time, so this ends copies until one has fewer reports.
    var last = 1
    while true {
      var seen = 0
      do {
        try RowCopy(from: source, to: destination).run { _, _ in
          seen += 1
          if seen >= last { throw Enough() }
        }
        break
      } catch is Enough {
        last += 9
      }
      try expectNothing(in: destination)
    }
    #expect(last > 90)
    // The statement that builds the index follows the last row.
    let other = try FileForm.clear().open(folder.file("other"))
    #expect(throws: Enough.self) {
      try RowCopy(from: source, to: other).run { done, _ in
        if done == 30_000 { throw Enough() }
      }
    }
    try expectNothing(in: other)
  }
}
