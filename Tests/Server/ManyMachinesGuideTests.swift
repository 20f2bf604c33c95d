import Foundation
import ObjectVaultCore
import ObjectVaultServer
import TestSupport
import Testing

/// The Swift of the guide "Many machines", line by line as it stands there.
@Suite("The guide to many machines", .enabled(if: Server.address != nil))
struct ManyMachinesGuideTests {
  private struct Note: StoredObject, GeneratesObjectID, Sendable {
    static let classDescription = ClassDescription(
      "Note", properties: [PropertyDescription("text", String.self)])

    var objectID: Int64?
    var text: String

    init(_ text: String) { self.text = text }

    init(row: Row) throws {
      text = try row.value(at: 0)
      objectID = try row.value(at: 1)
    }

    func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
  }

  private struct Missing: Error {}

  @Test("opens a schema for each school") func schools() throws {
    let address = try #require(Server.address)
    func vault(ofSchool number: Int) throws -> SharedVault {
      var configuration = SharedVaultConfiguration()
      configuration.schema = "school_\(number)"
      return try SharedVault(at: address, configuration: configuration)
    }
    let schools = try (1...2).map(vault(ofSchool:))
    defer { for school in schools { school.close() } }
    try schools[0].store(of: Note.self).insert(Note("buy milk"))
    #expect(try schools[1].store(of: Note.self).count() == 0)
  }

  @Test("stores notes in a schema and changes one of them") func notes() throws {
    let address = try #require(Server.address)
    var configuration = SharedVaultConfiguration()
    configuration.schema = "school"
    let sealingKey = [UInt8](repeating: 7, count: 32)
    configuration.sealingKeys = try SealingKeys(Secret(copying: sealingKey))
    let folder = try TemporaryFolder()
    let (keysPath, passphrase) = (folder.file("keys.vault"), "words of a test")
    try Vault(at: keysPath, key: .keyring(.passphrase(passphrase))).open()
    let keyring = try VaultKeyring(ofVaultAt: keysPath)
    configuration.sealingKeys = try keyring.sealingKeys(unlockedBy: .passphrase(passphrase))
    let vault = try SharedVault(at: address, configuration: configuration)
    let notes = try vault.store(of: Note.self)
    try notes.insert(contentsOf: [Note("buy milk"), Note("call Bo")])
    let found = try notes.where("text BEGINSWITH 'call'").all()
    #expect(found.count == 1)
    let id = try #require(notes.all().first?.objectID)
    try vault.transaction(retryingFor: .seconds(10)) {
      guard var note = try notes.find(id) else { throw Missing() }
      note.text += " and bread"
      try notes.update(note)
    }
    #expect(try notes.find(id)?.text == "buy milk and bread")
    do {
      try notes.insert(Note("call Cy"))
    } catch let error as VaultError where error.code == .connectionLost {
      print("Nothing was stored. Try again.")
    } catch let error as VaultError where error.code == .commitUnknown {
      print("It may be stored. Look for it before you try again.")
    }
    let rehearsal = try vault.rehearseMigration(of: [Note.self])
    if let refusal = rehearsal.refusal { print(refusal) }
    #expect(rehearsal.refusal == nil && rehearsal.after == rehearsal.before)
    let hosts = "db1.example,db2.example,db3.example"
    let cluster = try SharedVault(at: "postgresql://app@\(hosts)/registry")
    cluster.close()
    var other = configuration
    other.schema = "moved"
    let moved = try SharedVault(at: address, configuration: other)
    let report = try ObjectTransfer(from: vault, to: moved).run()
    #expect(report.classes.map(\.count) == [3])
    moved.close()
    configuration.readPreference = .replica
    let reports = try SharedVault(at: address, configuration: configuration)
    let count = try reports.store(of: Note.self).count()
    #expect(count == 3)
    reports.close()
    vault.close()
    #expect(try GuideSnippets.missing("Guides/ManyMachines.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ManyMachines.md").count > 10)
  }
}
