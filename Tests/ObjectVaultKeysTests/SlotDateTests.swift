import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("The date of a slot")
struct SlotDateTests {
  private func keyring() throws -> OpenKeyring {
    var keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    try keyring.addSlot("second", opening: raw(2))
    return keyring
  }

  private func changed(
    _ keyring: OpenKeyring, _ change: (inout [String: Any]) throws -> Void
  ) throws -> [UInt8] {
    let data = Data(try keyring.keyring.json())
    var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    try change(&object)
    return [UInt8](try JSONSerialization.data(withJSONObject: object))
  }

  private func changingSlot(
    _ keyring: OpenKeyring, to created: Any?
  ) throws -> [UInt8] {
    try changed(keyring) { object in
      var slots = try #require(object["slots"] as? [[String: Any]])
      slots[1]["created"] = created
      object["slots"] = slots
    }
  }

  @Test("is the time when the slot got its key", .covers("K9"))
  func created() throws {
    let before = UInt64(Date().timeIntervalSince1970)
    var keyring = try keyring()
    let after = UInt64(Date().timeIntervalSince1970)
    let stored = try Keyring(json: keyring.keyring.json())
    #expect(stored == keyring.keyring)
    #expect(stored.slots.allSatisfy { (before...after).contains($0.created ?? 0) })
    keyring = try stored.opened(with: raw(1))
    try keyring.renameSlot("second", to: "2", opening: raw(2))
    let renewed = try keyring.withNewMaster(keeping: [("2", raw(2))])
    #expect(keyring.keyring.slots.map(\.created) == stored.slots.map(\.created))
    #expect(renewed.keyring.slots[0].created == stored.slots[1].created)
    #expect(try renewed.keyring.opened(with: raw(2)).slotID == stored.slots[1].id)
  }

  @Test("is of a second that has begun, also in its first millisecond", .covers("K9"))
  func secondBegins() throws {
    let next = Date().timeIntervalSince1970.rounded(.up)
    Thread.sleep(until: Date(timeIntervalSince1970: next - 0.002))
    while Date().timeIntervalSince1970 < next {}
    #expect(try keyring().keyring.slots.allSatisfy { ($0.created ?? 0) >= UInt64(next) })
  }

  @Test("is authenticated", .covers("K9"))
  func tampered() throws {
    let keyring = try keyring()
    for created in [nil, 1, 1_700_000_000, 0, 1 << 53] as [Int?] {
      let json = try changingSlot(keyring, to: created)
      #expect(
        keyCode { _ = try Keyring(json: json).opened(with: raw(1)) } == .keyringTampered,
        "\(created ?? -1)")
    }
    let other = try self.keyring()
    let json = try changed(keyring) { object in
      object["datesCode"] = Data(try #require(other.keyring.datesCode)).base64EncodedString()
    }
    #expect(keyCode { _ = try Keyring(json: json).opened(with: raw(1)) } == .keyringTampered)
    for created in [-1, "yesterday", 1.5] as [Any] {
      let json = try changingSlot(keyring, to: created)
      #expect(keyCode { _ = try Keyring(json: json) } == .keyringMalformed, "\(created)")
    }
    let short = try changed(keyring) { $0["datesCode"] = "AAAA" }
    #expect(keyCode { _ = try Keyring(json: short) } == .keyringMalformed)
  }

  @Test("is unknown without its code, and a later change records new dates alone", .covers("K9"))
  func unknown() throws {
    // A program that knows no dates drops them when it writes the keyring.
    let json = try changed(keyring()) { $0["datesCode"] = nil }
    var keyring = try Keyring(json: json).opened(with: raw(1))
    #expect(keyring.keyring.slots.map(\.created) == [nil, nil])
    try keyring.addSlot("third", opening: raw(3))
    let stored = try Keyring(json: keyring.keyring.json())
    #expect(stored.slots.map { $0.created == nil } == [true, true, false])
    #expect(try stored.opened(with: raw(2)).slotID == stored.slots[1].id)
  }

  @Test("leaves the code of the keyring as programs without dates compute it")
  func codeOfVersion1() throws {
    var without = try keyring().keyring
    let code = without.code
    for index in without.slots.indices { without.slots[index].created = nil }
    without.datesCode = nil
    #expect(try Keyring(json: without.json()).opened(with: raw(1)).keyring.code == code)
    #expect(!String(decoding: try without.json(), as: UTF8.self).contains("created"))
  }
}
