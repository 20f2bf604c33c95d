import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("A slot for a recipient")
struct RecipientSlotTests {
  private let identity: KeyringIdentity
  private var keyring: OpenKeyring

  init() throws {
    identity = try KeyringIdentity.generate()
    keyring = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    _ = try keyring.addEpoch(salt: .random(), format: .format4, pageSize: 4096, state: .current)
    try keyring.addSlot("server", opening: .recipient(identity.recipient))
  }

  private func text(_ identity: KeyringIdentity) -> String {
    identity.text().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test("opens with its identity alone, to the same data key", .covers("K1"))
  func opens() throws {
    let stored = try Keyring(json: keyring.keyring.json())
    #expect(stored == keyring.keyring)
    for name in [nil, "server"] {
      let opened = try stored.opened(with: .identity(identity), slot: name)
      #expect(opened.slotID == stored.slot(named: "server")?.id)
      #expect(
        try opened.dataKey(of: stored.epochs[0]).isEqual(to: keyring.dataKey(of: stored.epochs[0])))
    }
    let other = try KeyringIdentity.generate()
    #expect(keyCode { _ = try stored.opened(with: .identity(other)) } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: .identity(other), slot: "server") } == .wrongKey)
    #expect(
      keyCode { _ = try stored.opened(with: .identity(identity), slot: "first") } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: raw(1), slot: "server") } == .wrongKey)
    #expect(
      keyCode { _ = try stored.opened(with: .recipient(identity.recipient)) } == .invalidKey)
  }

  @Test("is written with version 2, and the document has version 1 without it", .covers("K4"))
  func version() throws {
    #expect(keyring.keyring.version == 2)
    var without = keyring
    try without.removeSlot("server")
    #expect(without.keyring.version == 1)
    #expect(try Keyring(json: without.keyring.json()).opened(with: raw(1)).slotID.count == 16)
    let json = String(decoding: try keyring.keyring.json(), as: UTF8.self)
    for (old, new, expected) in [
      ("\"version\" : 2", "\"version\" : 1", KeyError.Code.keyringMalformed),
      ("\"version\" : 2", "\"version\" : 0", .keyringMalformed),
      ("\"version\" : 2", "\"version\" : 4", .keyringNewer),
    ] {
      let changed = json.replacingOccurrences(of: old, with: new)
      #expect(keyCode { _ = try Keyring(json: Array(changed.utf8)) } == expected, "\(new)")
    }
    let plain = String(decoding: try without.keyring.json(), as: UTF8.self)
      .replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 2")
    #expect(keyCode { _ = try Keyring(json: Array(plain.utf8)) } == .keyringMalformed)
  }

  @Test("is renamed and changed, and kept under a new master key by its public key", .covers("K3"))
  func rewritten() throws {
    var keyring = keyring
    let before = keyring.keyring.slots[1]
    try keyring.renameSlot("server", to: "host", opening: .identity(identity))
    #expect(try keyring.keyring.opened(with: .identity(identity), slot: "host").slotID == before.id)
    let renewed = try keyring.withNewMaster(keeping: [("host", .recipient(identity.recipient))])
    let opened = try renewed.keyring.opened(with: .identity(identity))
    #expect(renewed.keyring.slots.map(\.id) == [before.id])
    #expect(
      try opened.dataKey(of: renewed.keyring.epochs[0])
        .isEqual(to: keyring.dataKey(of: keyring.keyring.epochs[0])))
    let other = try KeyringIdentity.generate()
    #expect(
      keyCode { try keyring.keyring.check(.recipient(other.recipient), ofSlot: "host") }
        == .wrongKey)
    #expect(
      keyCode { try keyring.keyring.check(.recipient(identity.recipient), ofSlot: "first") }
        == .wrongKey)
    try keyring.keyring.check(.recipient(identity.recipient), ofSlot: "host")
    try keyring.changeSecret(ofSlot: "host", to: .identity(other))
    #expect(keyCode { _ = try keyring.keyring.opened(with: .identity(identity)) } == .wrongKey)
    #expect(try keyring.keyring.opened(with: .identity(other)).slotID == before.id)
  }

  @Test("does not open in another keyring, and none of its fields can be changed", .covers("K5"))
  func moved() throws {
    var other = try OpenKeyring.make(for: Array(2...17), opening: raw(1), named: "first")
    try other.addSlot("server", opening: .recipient(identity.recipient))
    var mixed = other.keyring
    mixed.slots = keyring.keyring.slots
    #expect(keyCode { _ = try mixed.opened(with: .identity(identity)) } == .wrongKey)
    // The same vault and another master key.
    let again = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    mixed = again.keyring
    mixed.slots.append(keyring.keyring.slots[1])
    #expect(keyCode { _ = try mixed.opened(with: .identity(identity)) } == .keyringTampered)

    var twice = keyring
    try twice.addSlot("second", opening: .recipient(identity.recipient))
    let json = try twice.keyring.json()
    for field in ["id", "name", "encapsulated", "key"] {
      // Either slot opens alone, but not with a field of the other.
      let swapped = try Self.swapping(field, of: 1, and: 2, in: json)
      for name in ["server", "second"] {
        #expect(
          keyCode { _ = try Keyring(json: swapped).opened(with: .identity(identity), slot: name) }
            == .wrongKey, "\(field) of \(name)")
      }
    }
  }

  private static func swapping(
    _ field: String, of first: Int, and second: Int, in json: [UInt8]
  ) throws -> [UInt8] {
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    var slots = try #require(object["slots"] as? [[String: Any]])
    (slots[first][field], slots[second][field]) = (slots[second][field], slots[first][field])
    object["slots"] = slots
    return [UInt8](try JSONSerialization.data(withJSONObject: object))
  }

  @Test("of a public key of low order is not added")
  func lowOrder() throws {
    let zeros = Bech32Text.recipient(of: [UInt8](repeating: 0, count: 32))
    let recipient = try KeyringRecipient(zeros)
    var keyring = keyring
    #expect(keyCode { try keyring.addSlot("zero", opening: .recipient(recipient)) } == .invalidKey)
    #expect(keyring.keyring.slots.count == 2)
  }

  @Test("is for the text of a recipient, and a typing error is noticed", .covers("K6"))
  func texts() throws {
    let recipient = identity.recipient
    let text = recipient.description
    #expect(text.count == 70 && text.hasPrefix("ovrecipient1"))
    #expect(try KeyringRecipient(" \(text)\n") == recipient)
    #expect(try KeyringRecipient(text.uppercased()) == recipient)
    #expect(Bech32Text.recipient(of: recipient.publicKey) == text)
    let characters = Array(text)
    for index in characters.indices {
      var wrong = characters
      wrong[index] = wrong[index] == "q" ? "p" : "q"
      #expect(keyCode { _ = try KeyringRecipient(String(wrong)) } == .invalidKey, "\(index)")
      if index > 0, characters[index] != characters[index - 1] {
        wrong = characters
        wrong.swapAt(index, index - 1)
        #expect(keyCode { _ = try KeyringRecipient(String(wrong)) } == .invalidKey, "\(index)")
      }
    }
    for wrong in [
      "", "ovrecipient1", String(text.dropLast()), text + "q", self.text(identity),
      "O" + text.dropFirst(), text.replacingOccurrences(of: "1", with: "0"),
    ] {
      #expect(keyCode { _ = try KeyringRecipient(wrong) } == .invalidKey, "\(wrong)")
    }
  }

  @Test("opens with the text of its identity, which has one line and no typing error")
  func identityTexts() throws {
    let text = text(identity)
    #expect(text.count == 69 && text.hasPrefix("OVIDENTITY1") && text == text.uppercased())
    for right in [text, text.lowercased(), "# comment\n\n  \(text)\r\n#end\n"] {
      #expect(try KeyringIdentity(text: Secret(utf8: right)).recipient == identity.recipient)
    }
    for (wrong, expected) in [
      ("", KeyError.Code.noKey), ("# \(text)\n", .noKey), ("\(text)\n\(text)\n", .invalidKey),
      (String(text.dropLast()), .invalidKey), (identity.recipient.description, .invalidKey),
      (text.replacingOccurrences(of: "OVI", with: "ovI"), .invalidKey),
    ] {
      #expect(keyCode { _ = try KeyringIdentity(text: Secret(utf8: wrong)) } == expected)
    }
    #expect("\(identity)" == "<secret>" && String(reflecting: identity) == "<secret>")
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("# mine\n\(text)\n".utf8), to: "identity")
    chmod(path, 0o600)
    #expect(try SlotKey.identity(path).resolve().kind == .recipient)
    let opened = try keyring.keyring.opened(with: try SlotKey.identity(path).resolve())
    #expect(opened.slotID == keyring.keyring.slots[1].id)
    chmod(path, 0o644)
    #expect(keyCode { _ = try SlotKey.identity(path).resolve() } == .keySourceUnreadable)
  }
}
