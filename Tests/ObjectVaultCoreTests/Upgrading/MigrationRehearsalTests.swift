import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultFile
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

  @Test("does not prune the history of the file or compact the file, and creates no file")
  func workOfOpening() throws {
    let vault = try ChangingVault()
    let login = ClassDescription(
      "Login", properties: [.init("name", String.self)], options: TableOptions(history: .changes))
    let names = (0..<300).map { [StoredValue.text("\($0) " + String(repeating: "x", count: 200))] }
    for name in names { try vault.insert(login, name) }
    try vault.vault.store(of: login).removeAll()
    try vault.insert(login, [.text("Li")])
    try vault.vault.pruneHistory(keeping: 5)
    let path = vault.vault.path
    vault.vault.close()
    let before = try bytes(path)
    var configuration = VaultConfiguration()
    configuration.historyLimit = .newest(0)
    configuration.compaction = .whenFree(.bytes(0), fraction: 0)
    configuration.upgradeBackup = .keep
    let rehearsing = try vault.another(configuration)
    let rehearsal = try rehearsing.rehearseMigration()
    #expect(rehearsal.before.map(\.rows) == [1] && rehearsal.after == rehearsal.before)
    #expect(try bytes(path) == before)
    #expect(try contents(of: vault.folder).keys.sorted() == ["a.vault"])
    // A missing vault is not created.
    let missing = try Vault(at: path + "-2", key: ChangingVault.key, configuration: configuration)
    #expect(code { _ = try missing.rehearseMigration() } == .noSuchFile)
    #expect(!FileManager.default.fileExists(atPath: path + "-2"))
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

  @Test("The next opening for writing removes the copy of a rehearsal that was killed")
  func killedRehearsal() throws {
    let vault = try people()
    let copies = RehearsalCopies(ofVaultAt: vault.vault.path)
    let killed = try copies.reserve()
    let used = try copies.reserve()
    for suffix in ["", "-wal", "-journal"] { try write(Data(), to: killed.path + suffix) }
    for suffix in ["", "-journal"] {
      try write(Data(), to: CopyInWork.path(for: killed.path) + suffix)
      try write(Data(), to: CopyInWork.path(for: used.path) + suffix)
    }
    let others = [".a.vault.rehearsing-x", ".a.vault.rehearsing-1x.lock", ".b.vault.rehearsing-1"]
    for name in others { try write(Data(), to: vault.folder.file(name)) }
    func found() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: vault.folder.path)
          .filter { $0.contains("rehearsing") && !others.contains($0) })
    }
    let all = try found()
    #expect(all.count == 10)
    // While the rehearsals work, an opening leaves their copies.
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let later = try vault.reopened()
    try later.vault.open()
    #expect(try found() == all)
    copies.abandon(killed)
    let reading = try later.reopened(configuration)
    try reading.vault.open()
    #expect(try found() == all)
    let latest = try reading.reopened()
    try latest.vault.open()
    let name = URL(fileURLWithPath: used.path).lastPathComponent
    #expect(
      try found() == [
        ".a.vault.rehearsing", name + ".lock", ".\(name).copying", ".\(name).copying-journal",
      ])
    copies.end(used)
    #expect(try found() == [])
    for name in others {
      #expect(FileManager.default.fileExists(atPath: vault.folder.file(name)))
    }
  }
}
