import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@testable import ObjectVaultFile
@testable import ObjectVaultMaintenance

@Suite("The keyring of a copy", .cheapSlots)
struct CopiedKeyringTests {
  private let vault: SlottedVault
  private let copy: String
  private let owner = SlottedVault.owner

  init() throws {
    vault = try SlottedVault()
    copy = vault.folder.file("copy.vault")
  }

  @Test("A keyring that is left next to the path of a backup is not used and not changed")
  func leftKeyring() throws {
    try vault.file.backup(to: copy)
    #expect(unlink(copy) == 0)
    try vault.keyring.removeSlot("deputy", unlockedBy: owner)
    let left = try bytes(copy + ".keyring")
    let backups: [() throws -> Void] = [
      { try vault.file.backup(to: copy) },
      { try vault.file.backup(to: copy, key: .keyring(owner)) },
      { try backUpOpenVault() },
      { try backUpOpenVault(.keyring(owner)) },
    ]
    for backup in backups {
      let error = thrown { try backup() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("copy.vault.keyring' already exists") == true)
      #expect(try bytes(copy + ".keyring") == left && bytes(copy + ".keyring~") == left)
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
  }

  @Test("A backup replaces the keyring that an interrupted backup left")
  func interruptedBackup() throws {
    for key in [nil, VaultKey.keyring(owner)] {
      let path = vault.folder.file(key == nil ? "first.vault" : "second.vault")
      try note(path).announce()
      try vault.file.backup(to: path, key: key)
      #expect(vault.opening(.keyring(owner), path) == nil)
    }
  }

  private func backUpOpenVault(_ key: VaultKey? = nil) throws {
    let open = try Vault(at: vault.path, key: .keyring(owner))
    defer { open.close() }
    try open.open()
    try open.backup(to: copy, key: key)
  }

  private func note(_ path: String) throws -> KeyringNote {
    try KeyringNote(
      copying: UnlockedKeyring(vault.keyringFile, key: owner),
      to: KeyringFile(besideVault: path), inPlaceOf: nil, scheme: CipherScheme(.format3),
      pageSize: 4096)
  }

  private func rewriting(_ opened: OpenedFile) throws -> FileRewriting {
    FileRewriting(
      source: opened.source(vault.path, isWritable: false),
      newKey: NewFileKey(try note(copy)), place: .free(copy), settings: VaultConfiguration(),
      progress: { _ in })
  }
}
