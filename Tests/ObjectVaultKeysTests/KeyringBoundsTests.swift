import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("Numbers in a keyring's file")
struct KeyringBoundsTests {
  /// The JSON of a keyring with a passphrase slot, changed.
  private func json(_ change: (inout [String: Any]) throws -> Void) throws -> [UInt8] {
    var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    try keyring.addSlot(
      "words", opening: .passphrase(Secret(utf8: "words")),
      cost: ScryptCost(n: 1 << 16, r: 8, p: 1))
    let data = Data(try keyring.keyring.json())
    var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    try change(&object)
    return [UInt8](try JSONSerialization.data(withJSONObject: object))
  }

  private func slots(_ count: Int, n: Int, r: Int = 8, p: Int = 1) throws -> [UInt8] {
    try json { object in
      let slots = try #require(object["slots"] as? [[String: Any]])
      let words = try #require(slots.last)
      object["slots"] = (0..<count).map { number in
        words.merging([
          "name": "slot \(number)", "id": UUID().uuidString, "n": n, "r": r, "p": p,
        ]) { $1 }
      }
    }
  }

  @Test("ask for no more work, all slots together, than 64 of the standard cost")
  func work() throws {
    #expect(try Keyring(json: slots(64, n: 1 << 17)).slots.count == 64)
    #expect(try Keyring(json: slots(8, n: 1 << 20)).slots.count == 8)
    for (count, n, p) in [(9, 1 << 20, 1), (64, 1 << 20, 1), (3, 1 << 20, 4)] {
      #expect(keyCode { _ = try Keyring(json: slots(count, n: n, p: p)) } == .keyringMalformed)
    }
  }

  @Test("count no more changes than can be counted on, and a change of the last one throws")
  func generation() throws {
    for generation in [UInt64.max, UInt64.max - 1, 1 << 63] {
      let json = try json { $0["generation"] = generation }
      #expect(keyCode { _ = try Keyring(json: json) } == .keyringMalformed, "\(generation)")
    }
    let keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    for generation in [UInt64.max, 1 << 62] {
      #expect(keyCode { _ = try keyring.following(generation) } == .keyringMalformed)
    }
    #expect(try keyring.following((1 << 62) - 1).keyring.generation == 1 << 62)
  }

  @Test("a slot whose cost would be too much with the others is not added")
  func tooMuch() throws {
    var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    let cost = ScryptCost(n: 1 << 16, r: 8, p: 4)
    try keyring.addSlot("words", opening: .passphrase(Secret(utf8: "words")), cost: cost)
    #expect(keyring.keyring.slots.count == 2)
    #expect(try ScryptCost(exponent: 20).work * 8 == Keyring.maximumWork)
    #expect(keyCode { _ = try ScryptCost(exponent: 15) } == .invalidSetting)
    #expect(keyCode { _ = try ScryptCost(exponent: 21) } == .invalidSetting)
  }

  @Test("a cost is raised to another one, and never lowered", .covers("K10"))
  func raisedCost() throws {
    let words = try SlotSecret.passphrase(Secret(utf8: "words"))
    var keyring = try OpenKeyring.make(
      for: Array(1...16), opening: words, named: "words", cost: .minimum)
    try keyring.addSlot("raw", opening: raw(1))
    let before = keyring.keyring
    #expect(try !keyring.raiseCost(opening: words, to: .minimum))
    let other = try SlotSecret.passphrase(Secret(utf8: "others"))
    for secret in [other, try raw(1)] {
      #expect(keyCode { _ = try keyring.raiseCost(opening: secret, to: .standard) } == .wrongKey)
    }
    #expect(keyring.keyring == before)
    #expect(try keyring.raiseCost(opening: words, to: .standard))
    let raised = keyring.keyring
    #expect(raised.slots[0].cost == .standard && raised.slots[1] == before.slots[1])
    #expect(raised.slots[0].id == before.slots[0].id)
    #expect(raised.slots[0].created == before.slots[0].created)
    #expect(try raised.opened(with: words).slotID == before.slots[0].id)
    // More memory for less work, and less memory for more work, would lower the other.
    for cost in [ScryptCost.minimum, ScryptCost(n: 1 << 16, r: 8, p: 4)] {
      #expect(try !keyring.raiseCost(opening: words, to: cost))
    }
    var opened = try raised.opened(with: raw(1))
    #expect(try !opened.raiseCost(opening: raw(1), to: .standard))
    #expect(opened.keyring == raised)
  }

  @Test("a new master key lowers the cost of no slot, and raises lower ones", .covers("K10"))
  func costsUnderNewMaster() throws {
    let high = try SlotSecret.passphrase(Secret(utf8: "high"))
    let low = try SlotSecret.passphrase(Secret(utf8: "low"))
    let highCost = try ScryptCost(exponent: 18)
    var keyring = try OpenKeyring.make(
      for: Array(1...16), opening: high, named: "high", cost: highCost)
    try keyring.addSlot("low", opening: low, cost: .minimum)
    try keyring.addSlot("raw", opening: raw(1))
    let kept = [
      (name: "high", secret: high), (name: "low", secret: low), (name: "raw", secret: try raw(1)),
    ]
    let renewed = try keyring.withNewMaster(keeping: kept, cost: .standard).keyring
    #expect(renewed.slots.map(\.cost) == [highCost, .standard, nil])
    #expect(try renewed.opened(with: high, slot: "high").slotID == keyring.keyring.slots[0].id)
  }

  @Test("under a new master key, slots retain their costs if the raised ones are too much together")
  func costsBelowMaximum() throws {
    let words = try SlotSecret.passphrase(Secret(utf8: "words"))
    let names = ["1", "2", "3"]
    var keyring = try OpenKeyring.make(
      for: Array(1...16), opening: words, named: names[0], cost: .minimum)
    for name in names.dropFirst() { try keyring.addSlot(name, opening: words, cost: .minimum) }
    let cost = ScryptCost(n: 1 << 18, r: 32, p: 4)
    #expect(2 * cost.work <= Keyring.maximumWork && 3 * cost.work > Keyring.maximumWork)
    let kept = names.map { (name: $0, secret: words) }
    let renewed = try keyring.withNewMaster(keeping: kept, cost: cost).keyring
    #expect(renewed.slots.map(\.cost) == [.minimum, .minimum, .minimum])
  }

  @Test("the cost that is chosen for a machine is at least the standard one, and bounded")
  func calibrated() {
    #expect([1 << 17, 1 << 18].contains(ScryptCost.calibrated.n))
    #expect(ScryptCost.calibrated.r == 8)
    #expect(ScryptCost.calibrated.p == 1)
  }

  @Test("the cost is measured only for secrets that are stretched, and always checked")
  func chosen() throws {
    let (words, key) = (try SlotSecret.passphrase(Secret(utf8: "words")), try raw(1))
    try ScryptCost.$replacement.withValue(.minimum) { () throws in
      #expect(try ScryptCost.chosen(for: [key]) == .standard)
      #expect(try ScryptCost.chosen(for: [key, words]) == .minimum)
      #expect(try ScryptCost.chosen(18, for: [words]).exponent == 18)
      #expect(throws: KeyError.self) { try ScryptCost.chosen(15, for: [key]) }
    }
  }
}

@Suite("The strength of a key")
struct SecretStrengthTests {
  @Test(
    "is told of a passphrase by its length and its repetitions alone",
    arguments: [
      ("a", true), ("short", true), ("123456789", true), ("aaaaaaaaaaaaaaaaaaaa", true),
      ("abababababababababab", true), ("abcdeabcdeabcdeabcde", true), ("äöüßéñçøå", true),
      ("correct horse", false), ("0123456789", false), ("of Ben, later", false),
      ("aabbccddee", false), ("aabbccdddd", true),
    ])
  func passphrase(text: String, isWeak: Bool) {
    #expect((SecretStrength.weakness(ofPassphrase: Secret(utf8: text)) != nil) == isWeak)
  }

  @Test("is told of a key of bytes by their repetition")
  func key() throws {
    #expect(
      SecretStrength.weakness(ofKey: Secret(copying: [UInt8](repeating: 0, count: 32))) != nil)
    let pattern = (0..<32).map { UInt8($0 % 4) }
    #expect(SecretStrength.weakness(ofKey: Secret(copying: pattern)) != nil)
    for _ in 0..<100 {
      #expect(SecretStrength.weakness(ofKey: try Secret.random(count: 32)) == nil)
    }
  }
}
