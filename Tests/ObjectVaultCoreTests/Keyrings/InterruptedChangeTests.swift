import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("A keyring change that the vault has not recorded", .cheapSlots)
struct InterruptedChangeTests {
  private let vault: SlottedVault
  private let owner = SlottedVault.owner
  private let deputy = SlottedVault.deputy
  private let newKey = SlotKey.raw(201...232)

  init() throws { vault = try SlottedVault() }

  /// Stores a change as a process does that is killed before the vault records it.
  ///
  /// Returns the keyring before and after the change.
  private func interrupt(
    _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws -> (before: Data, after: Data) {
    let before = try bytes(vault.path + ".keyring")
    _ = try UnlockedKeyring(vault.keyringFile, key: owner).storing(change)
    return (before, try bytes(vault.path + ".keyring"))
  }

  /// Changes the key of the deputy's slot to `newKey` in this way.
  private func interruptChange() throws -> (before: Data, after: Data) {
    let secret = try newKey.resolve()
    return try interrupt { keyring throws(KeyError) in
      try keyring.changeSecret(ofSlot: "deputy", to: secret)
    }
  }

  private func putBack(_ keyring: Data) throws {
    for suffix in [".keyring", ".keyring~"] { try write(keyring, to: vault.path + suffix) }
  }

  @Test("A removal is recorded when it is repeated, and by no opening")
  func removal() throws {
    let (before, after) = try interrupt { keyring throws(KeyError) in
      try keyring.removeSlot("deputy")
    }
    let open = try Vault(at: vault.path, key: .keyring(owner))
    #expect(try open.store(of: Person.self).where("age == 0").update(set: ["age": 1]) == 1)
    open.close()
    try putBack(before)
    #expect(vault.opening(.keyring(deputy)) == nil)
    try putBack(after)
    let error = thrown { try vault.keyring.removeSlot("deputy", unlockedBy: owner) }
    #expect(error?.code == .noSuchSlot)
    #expect(error?.message.contains("No older copy of the keyring opens the vault") == true)
    #expect(try bytes(vault.path + ".keyring") == after)
    #expect(vault.opening(.keyring(owner)) == nil)
    try putBack(before)
    #expect(vault.opening(.keyring(deputy)) == .keyringRolledBack)
  }

  @Test(
    "A changed key is recorded when the change is repeated with the former key",
    arguments: [nil, "deputy"])
  func change(slot: String?) throws {
    let (before, after) = try interruptChange()
    let error = thrown {
      try vault.keyring.changeKey(ofSlot: slot, to: newKey, unlockedBy: deputy)
    }
    #expect(error?.code == .wrongKey)
    #expect(error?.message.contains("The new key already opens the slot 'deputy'.") == true)
    #expect(try bytes(vault.path + ".keyring") == after)
    #expect(vault.opening(.keyring(newKey)) == nil)
    try putBack(before)
    #expect(vault.opening(.keyring(deputy)) == .keyringRolledBack)
  }

  @Test("A changed key is recorded when it is the present key of the next change")
  func changeWithNewKey() throws {
    let (before, _) = try interruptChange()
    try vault.keyring.changeKey(to: newKey, unlockedBy: newKey)
    #expect(vault.opening(.keyring(newKey)) == nil)
    try putBack(before)
    #expect(vault.opening(.keyring(deputy)) == .keyringRolledBack)
  }

  @Test("A change with a wrong key records nothing unless the new key opens the named slot")
  func wrongKey() throws {
    let (before, after) = try interruptChange()
    let recipient = try KeyringIdentity.generate().recipient
    for (slot, key) in [
      (nil, SlotKey.raw(151...182)), ("main", newKey), (nil, .recipient(recipient)),
      (nil, .passphrase("other words")),
    ] as [(String?, SlotKey)] {
      let error = thrown {
        try vault.keyring.changeKey(ofSlot: slot, to: key, unlockedBy: deputy)
      }
      #expect(error?.code == .wrongKey)
      #expect(error?.message.contains("older copy") == false)
    }
    #expect(try bytes(vault.path + ".keyring") == after)
    try putBack(before)
    #expect(vault.opening(.keyring(deputy)) == nil)
  }

  @Test("An older keyring does not show the sizes of a vault that rejects it")
  func sizes() throws {
    let before = try bytes(vault.path + ".keyring")
    try vault.keyring.removeSlot("deputy", unlockedBy: owner)
    #expect(try vault.file.sizeReport().bytes(ofClass: "Person") > 0)
    try putBack(before)
    let file = try DatabaseFile(at: vault.path, key: .keyring(deputy))
    #expect(thrown { _ = try file.sizeReport() }?.code == .keyringRolledBack)
  }
}
