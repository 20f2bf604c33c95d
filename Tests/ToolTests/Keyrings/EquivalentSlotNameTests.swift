import ObjectVaultCore
import TestSupport
import Testing

@testable import ObjectVaultKeys

@Suite("Slots with names that differ only in their Unicode form", .cheapSlots)
struct EquivalentSlotNameTests {
  private let tool: KeyringTool
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  /// Creates a vault that the key `B` opens by one of the names and `C` by the other.
  ///
  /// Earlier versions accepted both names in a keyring.
  init() throws {
    tool = try KeyringTool()
    let file = KeyringFile(besideVault: tool.vault)
    let opened = try UnlockedKeyring(file, key: KeyringTool.slotKey("A")).keyring
    var keyring = opened.keyring
    for (name, key) in [(composed, "B"), (decomposed, "C")] {
      let secret = try KeyringTool.slotKey(key).resolve()
      let vaultID = keyring.vaultID
      keyring.slots.append(
        try opened.withMaster { master throws(KeyError) in
          try KeyringSlot(
            wrapping: master, under: secret, name: name, vaultID: vaultID, cost: .minimum)
        })
    }
    keyring.generation += 1
    var changed = keyring
    keyring.code = try opened.withMaster { master throws(KeyError) in
      try changed.code(under: master)
    }
    // The code of the dates covers the other one.
    changed = keyring
    keyring.datesCode = try opened.withMaster { master throws(KeyError) in
      try changed.datesCode(under: master)
    }
    try file.store(keyring, replacing: opened.keyring.generation)
  }

  /// The bytes of the names of the slots.
  private var names: [[UInt8]] {
    get throws { try VaultKeyring(ofVaultAt: tool.vault).slots().map { Array($0.name.utf8) } }
  }

  @Test("remove --revoke removes only the slot with the bytes of the name")
  func removal() throws {
    let unnamed = try tool.keys("remove", composed, "--revoke", "--yes")
    #expect(unnamed.code == 64)
    #expect(unnamed.errors.contains("Slots that would be removed too: "), "\(unnamed.errors)")
    #expect(try names.count == 3)
    let kept = try tool.keys(
      "remove", composed, "--revoke", "--yes", "--keep-key-env", "\(decomposed)=C")
    #expect(kept.code == 0, "\(kept.errors)")
    #expect(try names == [Array("main".utf8), Array(decomposed.utf8)])
    #expect(try tool.opens("A") && tool.opens("C") && !tool.opens("B"))
  }

  @Test("rotate --revoke removes the dropped one, and keeps both if both keys are given")
  func rotation() throws {
    let kept = try tool.keys(
      "rotate", "--revoke", "--yes", "--keep-key-env", "\(composed)=B", "--keep-key-env",
      "\(decomposed)=C")
    #expect(kept.code == 0, "\(kept.errors)")
    #expect(try names.count == 3)
    let dropped = try tool.keys(
      "rotate", "--revoke", "--yes", "--keep-key-env", "\(composed)=B", "--drop", decomposed)
    #expect(dropped.code == 0, "\(dropped.errors)")
    #expect(try names == [Array("main".utf8), Array(composed.utf8)])
    #expect(try tool.opens("A") && tool.opens("B") && !tool.opens("C"))
  }

  @Test("A name selects the slot with its bytes")
  func selection() throws {
    for (name, key) in [(composed, "B"), (decomposed, "C")] {
      #expect(try tool.keys("test", by: key, "--slot", name).code == 0)
      #expect(try tool.keys("remove", by: key, "--slot", name, name, "--yes").code == 0)
    }
    #expect(try names == [Array("main".utf8)])
  }
}
