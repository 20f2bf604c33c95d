import Foundation
import ObjectVaultConformanceFormat
import ObjectVaultDriver
import ObjectVaultServer
import Testing

/// The conditions, sorts and ranges of the fixtures as SQL of another engine.
///
/// The statements are recorded in `PostgreSQL.txt`. After an intended change, run the tests with
/// OBJECTVAULT_RECORD=1, review the difference and commit it.
@Suite("The SQL of another engine") struct DialectTests {
  private static let folders = ["conditions", "sort", "range"]
  /// The folder of this file.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The fixtures and the errors of reading them.
  private static let loaded = FixtureLoader.load(
    folder.appendingPathComponent("../../Fixtures").standardizedFileURL.path)

  /// A case with its statements, or with the reason that it has none.
  private struct Written {
    var name: String
    var statements: [String] = []
    var refusal: String?
  }

  private static let written = Result { try write() }

  private static func write() throws -> [Written] {
    let (fixtures, errors) = loaded
    try #require(errors.isEmpty)
    var written: [Written] = []
    for fixture in fixtures
    where folders.contains(where: { fixture.path.hasPrefix("\($0)/") }) {
      let sql = FixtureSQL(fixture, in: PostgreSQLDialect())
      for fixtureCase in fixture.cases {
        var one = Written(name: "\(fixture.path): \(fixtureCase.name)")
        do {
          one.statements = try sql.statements(fixtureCase.steps)
        } catch let error as VaultError where error.code == .invalidCondition {
          one.refusal = error.message
        }
        if one.refusal != nil || !one.statements.isEmpty { written.append(one) }
      }
    }
    return written
  }

  @Test("is written for nine of ten cases, and every other case names what the engine lacks")
  func coverage() throws {
    let written = try Self.written.get()
    #expect(written.count > 150)
    let refused = written.filter { $0.refusal != nil }
    #expect(refused.count * 10 <= written.count, "\(refused.map(\.name))")
    for one in refused {
      #expect(one.refusal?.hasPrefix("PostgreSQL does not support ") == true, "\(one.name)")
    }
  }

  @Test("is as recorded, so that a change of the writer is seen") func recorded() throws {
    let text =
      try Self.written.get().map { one in
        (["-- \(one.name)"] + (one.refusal.map { ["-- \($0)"] } ?? one.statements.map { "\($0);" }))
          .joined(separator: "\n")
      }.joined(separator: "\n\n") + "\n"
    let file = Self.folder.appendingPathComponent("PostgreSQL.txt")
    if ProcessInfo.processInfo.environment["OBJECTVAULT_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let changed = text.split(separator: "\n").difference(from: recorded.split(separator: "\n"))
    #expect(changed.isEmpty, "\(changed.prefix(10))")
  }

  @Test("is the same for a repeated condition as for its first use, so that indexes serve it")
  func repeated() throws {
    let (fixtures, errors) = Self.loaded
    try #require(errors.isEmpty)
    var count = 0
    for fixture in fixtures where fixture.path.hasPrefix("conditions/") {
      let sql = FixtureSQL(fixture, in: PostgreSQLDialect())
      for fixtureCase in fixture.cases {
        for one in (try? sql.repeatedConditions(fixtureCase.steps)) ?? [] {
          #expect(one.later == one.first, "\(fixture.path): \(fixtureCase.name)")
          count += 1
        }
      }
    }
    #expect(count > 50)
  }

  @Test("has nothing of SQLite") func nothingOfSQLite() throws {
    for one in try Self.written.get() {
      for statement in one.statements {
        for word in [
          "rowid", "COLLATE ov_", "ifnull(", "ov_calculate", "julianday", "instr(", "?",
        ] {
          #expect(!statement.contains(word), "\(one.name): \(statement)")
        }
      }
    }
  }
}
