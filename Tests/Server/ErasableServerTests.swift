import Foundation
import ObjectVaultCore
import ObjectVaultServer
import TestSupport
import Testing

@Suite("Erasable keys on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ErasableServerTests {
  private let schema = Server.newSchema()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func vault(_ keys: ErasableKeys?, connection: String = "tests") throws -> SharedVault {
    try Server.vault(
      schema, connection: connection, sealingKeys: .ofTests(1), erasableKeys: keys)
  }

  @Test("Destroying a key makes its values nil, and they cannot be written", .covers("E11"))
  func destroying() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let vault = try vault(keys)
    defer { vault.close() }
    let donors = try vault.store(of: Donor.self)
    let ada = try donors.insert(Donor("ada", iban: "CH1"))
    var bob = try donors.insert(Donor("bob", iban: "CH2"))
    #expect(try donors.all().map(\.iban) == ["CH1", "CH2"])
    try keys.destroy("ada")
    #expect(try donors.all().map(\.iban) == [nil, "CH2"])
    #expect(code { try donors.update(ada) } == .keyDestroyed)
    bob.iban = "CH3"
    try donors.update(bob, only: "iban")
    let before = try #require(try donors.where("name == 'bob'").first())
    #expect(before == bob)
    bob.key = "new"
    #expect(code { try donors.update(bob, only: "key") } == .invalidArgument)
    #expect(try donors.updateChanges(of: bob, from: before) == ["key"])
    try keys.destroy("bob")
    #expect(try donors.all().map(\.iban) == [nil, "CH3"])
    #expect(try donors.where("iban != nil").count() == 2)
    let again = try self.vault(keys, connection: "second")
    defer { again.close() }
    #expect(try again.store(of: Donor.self).all().map(\.iban) == [nil, "CH3"])
  }

  @Test("A missing or wrong file of keys is an error", .covers("E12"))
  func missing() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let first = try vault(keys)
    try first.store(of: Donor.self).insert(Donor("ada", iban: "CH1"))
    first.close()
    let none = try vault(nil, connection: "none")
    defer { none.close() }
    #expect(code { _ = try none.store(of: Donor.self) } == .noKey)
    let wrong = try vault(
      ErasableKeys(at: folder.file("wrong.keys"), key: .ofTests), connection: "wrong")
    defer { wrong.close() }
    #expect(code { _ = try wrong.store(of: Donor.self) } == .wrongKey)
  }

  @Test("Values are transferred to a server and back without the keys", .covers("E11", "T1"))
  func transfer() throws {
    let keys = try ErasableKeys.ofTests(in: folder.url)
    let source = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: try .erasing(keys))
    let donors = try source.store(of: Donor.self)
    try donors.insert(Donor("ada", iban: "CH1"))
    try donors.insert(Donor("bob", iban: "CH2"))
    try keys.destroy("ada")
    let shared = try vault(nil, connection: "transfer")
    defer { shared.close() }
    try ObjectTransfer(from: source, to: shared).run()
    let back = try Vault(at: folder.file("b.vault"), key: .ofTests)
    try ObjectTransfer(from: shared, to: back).run()
    back.close()
    let opened = try Vault(
      at: folder.file("b.vault"), key: .ofTests, configuration: try .erasing(keys))
    #expect(try opened.store(of: Donor.self).all().map(\.iban) == [nil, "CH2"])
    opened.close()
  }
}
