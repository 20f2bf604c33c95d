import ObjectVaultCore
import ObjectVaultKeys
import Synchronization
import TestSupport
import Testing

@Suite("A source of a slot's key", .cheapSlots)
struct OnceReadKeyTests {
  /// A source whose first answer is the key, and whose later answers have a typing error.
  private final class Answers: Sendable {
    private let count = Mutex(0)

    func next() -> Secret {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return Secret(utf8: number == 1 ? "right" : "wrong")
    }

    var key: SlotKey { .source(.closure { self.next() }, slot: "words") }
  }

  @Test("is read once when the cost of the slot is raised or the slot is renamed", .covers("K10"))
  func once() throws {
    let vault = try SlottedVault()
    try vault.keyring.addSlot(
      "words", .passphrase("right"), unlockedBy: SlottedVault.owner, cost: 16)
    let (before, after) = try vault.keyring.raiseCost(ofSlotOpenedBy: Answers().key, to: 17)
    #expect(before.cost == 16 && after.cost == 17)
    try vault.keyring.renameSlot("words", to: "text", Answers().key)
    #expect(try vault.keyring.test(.passphrase("right")).name == "text")
    #expect(code { try vault.keyring.test(.passphrase("wrong")) } == .wrongKey)
  }

  @Test("is not read if the keyring is missing")
  func missingKeyring() throws {
    let vault = try SlottedVault()
    vault.keyringFile.remove()
    let key = SlotKey.source(
      .closure {
        Issue.record("the source was read")
        return Secret(utf8: "right")
      })
    #expect(code { try vault.keyring.raiseCost(ofSlotOpenedBy: key) } == .keyringMissing)
    #expect(code { try vault.keyring.renameSlot("main", to: "x", key) } == .keyringMissing)
  }
}
