import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

/// The fields of slots for recipients and providers, changed by someone without a key.
@Suite("A field of a slot")
struct NewSlotFieldTests {
  private let identity: KeyringIdentity
  private let provider = FakeProvider()
  private let keyring: Keyring

  init() throws {
    identity = try KeyringIdentity.generate()
    var made = try OpenKeyring.make(for: Array(1...16), opening: raw(1), named: "first")
    try made.addSlot("server", opening: .recipient(identity.recipient))
    try made.addSlot("token", opening: .provider(provider))
    _ = try made.addEpoch(salt: .random(), format: .format4, pageSize: 4096, state: .current)
    keyring = made.keyring
  }

  private func changed(
    _ slot: Int, _ change: (inout [String: Any]) -> Void
  ) throws -> [UInt8] {
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(keyring.json())) as? [String: Any])
    var slots = try #require(object["slots"] as? [[String: Any]])
    change(&slots[slot])
    object["slots"] = slots
    return [UInt8](try JSONSerialization.data(withJSONObject: object))
  }

  private func base64(_ count: Int) -> String {
    Data(repeating: 7, count: count).base64EncodedString()
  }

  /// The code with which every slot is rejected: both codes if they differ.
  private func refusal(_ json: [UInt8]) -> Set<KeyError.Code?> {
    [
      keyCode { _ = try Keyring(json: json).opened(with: .identity(identity)) },
      keyCode { _ = try Keyring(json: json).opened(with: .provider(provider)) },
      keyCode { _ = try Keyring(json: json).opened(with: raw(1)) },
    ]
  }

  @Test("is rejected beyond its limits before a secret is used, here and in Python", .covers("K12"))
  func limits() throws {
    let folder = try TemporaryFolder()
    let secrets = try folder.write(
      Array(
        #"[{"slot": "first", "raw": "\#(Data(repeating: 1, count: 32).base64EncodedString())"}]"#
          .utf8), to: "secrets.json")
    let before = provider.labels.count
    let long = String(repeating: "x", count: 101)
    var files: [(keyring: String, secrets: String)] = []
    var names: [String] = []
    for (slot, field, value) in [
      (1, "recipient", base64(31)), (1, "recipient", base64(33)), (1, "recipient", nil),
      (1, "encapsulated", base64(31)), (1, "encapsulated", nil), (1, "key", base64(47)),
      (1, "n", 65536), (1, "kind", 7), (1, "kind", 0), (1, "kind", 6), (1, "name", "a\nb"),
      (1, "name", ""), (1, "name", long),
      (2, "provider", ""), (2, "provider", "UPPER"), (2, "provider", "../x"), (2, "provider", nil),
      (2, "provider", String(repeating: "a", count: 33)), (2, "provided", ""),
      (2, "provided", base64(16 << 10 + 1)), (2, "provided", nil), (2, "salt", base64(31)),
      (2, "salt", nil), (2, "nonce", base64(11)), (2, "nonce", nil), (2, "key", base64(49)),
      (2, "p", 1), (2, "kind", 5), (2, "name", "a\u{7F}"), (0, "salt", nil), (0, "nonce", nil),
    ] as [(Int, String, Any?)] {
      let json = try changed(slot) { $0[field] = value }
      #expect(refusal(json) == [.keyringMalformed], "\(field) of \(slot)")
      names.append("\(field) of \(slot)")
      files.append((try folder.write(json, to: "\(files.count).keyring"), secrets))
    }
    for (name, there) in zip(names, try OpenedByPython.refusals(files)) {
      #expect(there == "keyringMalformed", "\(name) in Python")
    }
    #expect(provider.labels.count == before)
  }

  @Test("within its limits that was changed opens nothing", .covers("K5"))
  func changes() throws {
    for (slot, field) in [
      (1, "recipient"), (1, "encapsulated"), (1, "key"), (2, "provided"), (2, "salt"),
      (2, "nonce"), (2, "key"),
    ] {
      let json = try changed(slot) { slot in
        let data = (slot[field] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
        slot[field] = Data(data.dropLast() + [data.last.map { $0 ^ 1 } ?? 0]).base64EncodedString()
      }
      let refusals = refusal(json)
      #expect(!refusals.contains(nil) && refusals.contains(.wrongKey), "\(field)")
      #expect(refusals.isSubset(of: [.wrongKey, .keyringTampered]), "\(field)")
    }
    for (field, value) in [("provider", "other"), ("name", "other"), ("kind", "4")] {
      let json = try changed(2) { $0[field] = field == "kind" ? 4 : value }
      #expect(!refusal(json).contains(nil), "\(field)")
    }
  }

  @Test("a file with random changes opens only if it means the same", .covers("K5", "K12"))
  func randomChanges() throws {
    let json = try keyring.json()
    var generator = SeededGenerator(seed: 20_261_126)
    let signs = Array("0123456789aAzZ+/=\"{}[],: \n-".utf8)
    for _ in 0..<3_000 {
      var changed = json
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: changed.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: changed[index] = signs.randomElement(using: &generator) ?? 0
        case 1: changed.remove(at: index)
        default: changed.insert(signs.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      guard let read = try? Keyring(json: changed) else { continue }
      for secret in [SlotSecret.identity(identity), try .provider(provider), try raw(1)] {
        guard let opened = try? read.opened(with: secret) else { continue }
        var found = opened.keyring
        found.restoreDates(of: keyring)
        #expect(found == keyring)
      }
    }
  }
}
