import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("The keyring of an open vault", .cheapSlots)
struct OpenVaultKeyringTests {
  private let vault: SlottedVault
  private let owner = SlottedVault.owner
  private let deputy = SlottedVault.deputy

  init() throws { vault = try SlottedVault() }

  private func open(_ key: SlotKey) throws -> Vault {
    let open = try Vault(at: vault.path, key: .keyring(key))
    try open.open()
    return open
  }

  // MARK: Rotation

  @Test("A vault that was rotated with a removed key is backed up and compacted by all handles")
  func rotationByRemovedKey() throws {
    let handles = [try open(owner), try open(deputy)]
    try handles[1].rotate(unlockedBy: deputy, keeping: [owner.named("main")])
    for (number, handle) in handles.enumerated() {
      let copy = vault.folder.file("copy-\(number).vault")
      try handle.backup(to: copy)
      #expect(vault.opening(.keyring(owner), copy) == nil)
      #expect(vault.opening(.keyring(deputy), copy) == .wrongKey)
      try handle.compact()
      #expect(try handle.store(of: Person.self).count() == 200)
    }
    for handle in handles { handle.close() }
    #expect(vault.opening(.keyring(owner)) == nil)
    #expect(vault.opening(.keyring(deputy)) == .wrongKey)
  }

  @Test("The public key of a recipient does not become the key of an open vault")
  func rotationForRecipient() throws {
    let identity = try KeyringIdentity.generate()
    let recipient = SlotKey.recipient(identity.recipient, slot: "reader")
    try vault.keyring.addSlot("reader", recipient, unlockedBy: owner)
    let handle = try open(deputy)
    try handle.rotate(unlockedBy: deputy, keeping: [recipient, owner.named("main")])
    let copy = vault.folder.file("copy.vault")
    try handle.backup(to: copy)
    handle.close()
    #expect(vault.opening(.keyring(.identity(identity)), copy) == nil)
  }

  @Test("A key whose slot remains stays the key of an open vault")
  func rotationByRemainingKey() throws {
    let handle = try open(owner)
    try handle.rotate(
      unlockedBy: deputy, keeping: [owner.named("main"), deputy.named("deputy")])
    try vault.keyring.removeSlot("main", unlockedBy: deputy)
    let copy = vault.folder.file("copy.vault")
    try handle.backup(to: copy)
    handle.close()
    #expect(vault.opening(.keyring(deputy), copy) == nil)
  }
}
