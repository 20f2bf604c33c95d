import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import Testing
import TestSupport

@Suite("A migration that is rehearsed")
struct MigrationRehearsalTests {
  private static let person = ClassDescription(
    "Person", properties: [.init("name", String.self), .init("age", Int.self)])
  private static let other = ClassDescription("Other", properties: [.init("x", Int.self)])

  private func people() throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.insert(Self.person, [.text("Li"), .integer(20)], [.text("Bo"), .integer(300)])
    try vault.insert(Self.other, [.integer(1)])
    return vault
  }

  @Test("tells the schema, the objects and their digests before and after, and changes nothing")
  func told() throws {
    let vault = try people()
    let before = try vault.schema()
    let files = try FileManager.default.contentsOfDirectory(atPath: vault.folder.url.path).sorted()
    let changed = Self.person.with([
      .init("name", String.self), .init("age", String.self),
      .init("rank", Int.self, defaultValue: 1),
    ])
    let told = try vault.vault.rehearseMigration(of: [changed])
    #expect(told.refusal == nil)
    #expect(told.before.map(\.name) == ["Other", "Person"])
    #expect(told.before.map(\.rows) == [1, 2] && told.after.map(\.rows) == [1, 2])
    #expect(told.before[0] == told.after[0])
    #expect(told.before[1].digest != told.after[1].digest)
    #expect(told.before.allSatisfy { $0.digest.utf8.count == 64 })
    #expect(told.schemaBefore.contains { $0.contains("\"age\" INTEGER NOT NULL") })
    #expect(told.schemaAfter.contains { $0.contains("\"age\" TEXT NOT NULL") })
    #expect(told.duration > .zero)
    #expect(try vault.schema() == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vault.folder.url.path).sorted() == files)
    // What was told is what comes.
    _ = try vault.vault.store(of: changed)
    let again = try vault.vault.rehearseMigration(of: [changed])
    #expect(again.before == told.after && again.after == told.after)
  }

  @Test("tells what would be lost, with the first objects concerned")
  func refused() throws {
    let vault = try people()
    let narrow = Self.person.with([.init("name", String.self), .init("age", Int8.self)])
    let told = try vault.vault.rehearseMigration(of: [narrow])
    #expect(told.refusal?.code == .upgradeRefused)
    #expect(told.refusal?.message.contains("object 2 ") == true)
    #expect(told.before == told.after && told.schemaBefore == told.schemaAfter)
    #expect(try vault.vault.store(of: Self.person).count() == 2)
  }

  @Test("follows the schema's steps on the copy alone, in which nothing stands in clear")
  func steps() throws {
    let vault = try people()
    let copies = Locked<[(path: String, bytes: Data)]>([])
    var configuration = VaultConfiguration()
    configuration.schema = VaultSchema(version: 2).step(from: 1) { context in
      let path = context.database.handle.location
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      copies.withLock { $0.append((path, bytes)) }
      try context.execute("DELETE FROM \"Person\"")
    }
    let later = try vault.reopened(configuration)
    let told = try later.vault.rehearseMigration()
    #expect(told.refusal == nil)
    #expect(told.before.map(\.rows) == [1, 2] && told.after.map(\.rows) == [1, 0])
    let copy = try #require(copies.withLock { $0 }.first)
    #expect(copy.path != later.vault.path && copies.withLock { $0 }.count == 1)
    #expect(copy.bytes.count >= 4096 && copy.bytes.range(of: Data("Person".utf8)) == nil)
    // The vault is as it was, until it is used.
    #expect(try later.reopened().vault.store(of: Self.person).count() == 2)
    let used = try later.another(configuration)
    #expect(try used.store(of: Self.person).count() == 0)
    #expect(copies.withLock { $0 }.last?.path == used.path)
  }

  @Test("is none inside a transaction, and takes away what another left behind")
  func leftovers() throws {
    let vault = try people()
    #expect(
      code {
        try vault.vault.transaction {
          _ = try vault.vault.rehearseMigration(of: [Self.person])
        }
      } == .invalidArgument)
    let left = vault.vault.path
    let folder = URL(fileURLWithPath: left).deletingLastPathComponent()
    for name in [".a.vault.rehearsing-1", ".a.vault.rehearsing-1.lock"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    _ = try vault.vault.rehearseMigration(of: [Self.person])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.contains("rehearsing") } == [])
  }
}
