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

  private func state() throws -> Data { try bytes(vault.path + ".keyring") }

  /// Stores a state of the keyring, as a person who can write the files can.
  private func put(_ state: Data) throws {
    for suffix in [".keyring", ".keyring~"] { try write(state, to: vault.path + suffix) }
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

  // MARK: Verification

  @Test("The verification of an open vault checks the keyring that is next to it now")
  func verification() throws {
    let older = try state()
    try vault.keyring.removeSlot("deputy", unlockedBy: owner)
    let latest = try state()
    let other = vault.folder.file("other.vault")
    let made = try Vault(at: other, key: .keyring(owner))
    try made.open()
    made.close()
    let handle = try open(owner)
    let states: [(Data, VerificationReport.Keyring)] = [
      (older, .rolledBack), (try bytes(other + ".keyring"), .ofAnotherVault),
      (Data("{".utf8), .damaged),
    ]
    for (state, expected) in states {
      try put(state)
      let report = try handle.verify()
      #expect(report.keyring == expected && !report.isSound)
      try put(latest)
      #expect(try handle.verify().isSound)
    }
    vault.keyringFile.remove()
    #expect(try handle.verify().keyring == .damaged)
    // A change of a slot in the meantime is no finding.
    try put(latest)
    try vault.keyring.addSlot("third", .raw(201...232), unlockedBy: owner)
    #expect(try handle.verify().isSound)
    handle.close()
  }

  @Test(
    "A keyring without the present data key does not match an open vault", arguments: [true, false])
  func formerDataKey(isCompacted: Bool) throws {
    let former = try state()
    let handle = try open(owner)
    if isCompacted { try handle.compact() } else { try handle.rotate(unlockedBy: owner) }
    let latest = try state()
    #expect(try handle.verify().isSound)
    try put(former)
    let report = try handle.verify()
    // The vault records the generation of a keyring after a rotation.
    #expect(report.keyring == (isCompacted ? .ofAnotherVault : .rolledBack))
    #expect(!report.isSound)
    handle.close()
    #expect(vault.opening(.keyring(owner)) == .keyringMismatch)
    try put(latest)
    #expect(vault.opening(.keyring(owner)) == nil)
  }

  @Test(
    "A keyring that fails authentication is damaged, whatever generation it names",
    arguments: [-1, 1])
  func notAuthentic(difference: Int) throws {
    try vault.keyring.removeSlot("deputy", unlockedBy: owner)
    try vault.tamperGeneration(by: difference)
    let handle = try open(owner)
    #expect(try handle.verify().keyring == .damaged)
    handle.close()
    #expect(try vault.file.verify().keyring == .damaged)
  }
}
