import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("A vault whose keyring is damaged or removed", .cheapSlots)
struct DamagedKeyringTests {
  private let vault: SlottedVault
  private let owner = SlottedVault.owner
  private let raw = VaultKey.raw(51...82)

  init() throws { vault = try SlottedVault() }

  enum Damage: CaseIterable, Sendable { case garbage, missing, notAuthentic }

  private func damage(_ damage: Damage) throws {
    switch damage {
    case .garbage: try write(Data("garbage".utf8), to: vault.path + ".keyring")
    case .missing: #expect(unlink(vault.path + ".keyring") == 0)
    case .notAuthentic: try vault.tamperGeneration(by: 1)
    }
  }

  @Test(
    "The copy that opened the vault is retired when it gets its own key",
    arguments: Damage.allCases, [false, true])
  func retiring(_ damage: Damage, isOpen: Bool) throws {
    let sound = try bytes(vault.path + ".keyring")
    try self.damage(damage)
    if isOpen {
      let open = try Vault(at: vault.path, key: .keyring(owner))
      try open.rekey(to: raw)
      open.close()
    } else {
      try vault.file.rekey(to: raw)
    }
    #expect(vault.opening(raw) == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vault.folder.path).sorted()
        == ["school.vault", "school.vault.keyring.retired"])
    #expect(try bytes(vault.path + ".keyring.retired") == sound)
  }

  @Test(
    "A keyring that a restored vault does not need is retired, whichever copy is left",
    arguments: [Damage.garbage, .missing])
  func retiringByRestore(_ damage: Damage) throws {
    let copy = vault.folder.file("copy.vault")
    try vault.file.backup(to: copy, key: raw)
    let sound = try bytes(vault.path + ".keyring")
    try self.damage(damage)
    try DatabaseFile(at: copy, key: raw).restore(to: vault.path, replacing: true)
    #expect(vault.opening(raw) == nil)
    #expect(try bytes(vault.path + ".keyring.retired") == sound)
    #expect(!vault.keyringFile.exists)
  }

  @Test(
    "A change repairs a keyring with another generation that fails authentication",
    arguments: [-1, 1, 7])
  func changesOfTampered(difference: Int) throws {
    let open = try Vault(at: vault.path, key: .keyring(owner))
    let changes: [() throws -> Void] = [
      { try vault.keyring.addSlot("third", .raw(201...232), unlockedBy: owner) },
      { try vault.keyring.removeSlot("third", unlockedBy: owner) },
      { try open.rotate(unlockedBy: owner) },
      { try open.compact() },
      { try vault.file.rotate() },
      { try vault.file.rotate(keeping: [owner.named("main")]) },
    ]
    for (index, change) in changes.enumerated() {
      // The file is rewritten while no handle has it open.
      if index == 4 { open.close() }
      try vault.tamperGeneration(by: difference)
      let tampered = try bytes(vault.path + ".keyring")
      try change()
      let repaired = try bytes(vault.path + ".keyring")
      #expect(try repaired == bytes(vault.path + ".keyring~"))
      #expect(repaired != tampered)
      #expect(try UnlockedKeyring(vault.keyringFile, key: owner).spareReason == nil)
    }
    #expect(vault.opening(.keyring(owner)) == nil)
    #expect(try vault.keyring.slots().map(\.name) == ["main"])
  }

  @Test("A keyring that disappears while its vault is encrypted is stored again")
  func removedMeanwhile() throws {
    let path = vault.folder.file("own.vault")
    let own = try Vault(at: path, key: raw)
    try own.store(of: Person.self).insert(
      contentsOf: (0..<200).map { Person(name: "marker \($0)", age: $0) })
    try own.rekey(to: .keyring(owner)) {
      if $0.phase == .replacing, $0.done == 0 { KeyringFile(besideVault: path).remove() }
    }
    own.close()
    #expect(vault.opening(.keyring(owner), path) == nil)
  }
}
