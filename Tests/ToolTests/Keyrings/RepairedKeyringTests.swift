import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A keyring that another command or a fault changed", .cheapSlots)
struct RepairedKeyringTests {
  private let tool: KeyringTool
  private let place: String

  init() throws {
    tool = try KeyringTool()
    place = tool.vault + ".keyring"
  }

  private func add(_ slot: String, _ key: String) throws {
    try VaultKeyring(ofVaultAt: tool.vault).addSlot(
      slot, KeyringTool.slotKey(key), unlockedBy: KeyringTool.slotKey("A"))
  }

  @Test("A backup does not use a keyring that is left next to its path")
  func leftKeyring() throws {
    let copy = tool.folder.file("copy.vault")
    let backup = ["backup", tool.vault, "--to", copy, "--raw-key", "--key-env", "A"]
    #expect(try tool.run(backup).code == 0)
    #expect(unlink(copy) == 0)
    let left = try tool.bytes(copy + ".keyring")
    let again = try tool.run(backup)
    #expect(again.code == 73, "\(again.errors)")
    #expect(again.errors.contains("copy.vault.keyring' already exists"), "\(again.errors)")
    #expect(try tool.bytes(copy + ".keyring") == left)
    #expect(try !tool.files().contains("copy.vault"))
  }
}
