import ObjectVaultKeys
import TestSupport
import Testing

@Suite("A slot of a key provider")
struct ProviderSlotTests {
  private let provider = FakeProvider()

  private func keyring(_ provider: FakeProvider) throws -> OpenKeyring {
    var keyring = try OpenKeyring.make(
      for: Array(0..<16), opening: .provider(provider), named: "token")
    _ = try keyring.addEpoch(salt: .random(), format: .format4, pageSize: 4096, state: .current)
    return keyring
  }

  @Test("opens with its provider alone, to the same data key", .covers("K7"))
  func opens() throws {
    let keyring = try keyring(provider)
    let stored = try Keyring(json: keyring.keyring.json())
    #expect(stored == keyring.keyring && stored.version == 2)
    let opened = try stored.opened(with: .provider(provider))
    #expect(
      try opened.dataKey(of: stored.epochs[0]).isEqual(to: keyring.dataKey(of: stored.epochs[0])))
    // The provider encrypts the secret and decrypts it once for the new slot.
    #expect(
      provider.labels
        == Array(repeating: "00010203-0405-0607-0809-0A0B0C0D0E0F token", count: 3))
    #expect(keyCode { _ = try stored.opened(with: .provider(FakeProvider())) } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: .provider(FakeProvider("other"))) } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: raw(1)) } == .wrongKey)
    #expect(
      keyCode { _ = try stored.opened(with: .provider(FakeProvider("other")), slot: "token") }
        == .wrongKey)
  }

  @Test(
    "has an error of its own if its provider is missing, locked or fails", .covers("K8"),
    arguments: [KeyError.Code.providerMissing, .providerLocked, .providerFailed])
  func failure(failure: KeyError.Code) throws {
    let stored = try keyring(provider).keyring
    provider.fail(failure)
    #expect(keyCode { _ = try stored.opened(with: .provider(provider)) } == failure)
    #expect(keyCode { _ = try stored.opened(with: .provider(provider), slot: "token") } == failure)
    #expect(keyCode { _ = try keyring(provider) } == failure)
    provider.fail(nil)
    #expect(try stored.opened(with: .provider(provider)).slotID == stored.slots[0].id)
  }

  @Test("reports every other error of its provider as a failure of the provider", .covers("K8"))
  func otherErrors() throws {
    let stored = try keyring(provider).keyring
    for other in [KeyError.Code.keyringMissing, .keyringNewer, .noKey, .empty, .keyringTampered] {
      provider.fail(other)
      #expect(keyCode { _ = try stored.opened(with: .provider(provider)) } == .providerFailed)
      #expect(keyCode { _ = try keyring(provider) } == .providerFailed)
    }
    provider.fail(nil)
    provider.shorten(to: 31)
    #expect(keyCode { _ = try stored.opened(with: .provider(provider)) } == .providerFailed)
  }

  @Test(
    "is not written unless its provider decrypts what it encrypted", .covers("K8"),
    arguments: [
      (.otherBytes, .providerFailed), (.failure(.wrongKey), .providerFailed),
      (.failure(.keyringMissing), .providerFailed), (.failure(.providerLocked), .providerLocked),
      (.failure(.providerMissing), .providerMissing),
    ] as [(FakeProvider.Unwrapping, KeyError.Code)])
  func unproved(result: FakeProvider.Unwrapping, expected: KeyError.Code) throws {
    var changed = try OpenKeyring.make(for: Array(0..<16), opening: raw(1), named: "only")
    let before = changed.keyring
    provider.unwrap(as: result)
    let attempts: [() throws -> Void] = [
      { try changed.addSlot("token", opening: .provider(provider)) },
      { try changed.changeSecret(ofSlot: "only", to: .provider(provider)) },
      { _ = try keyring(provider) },
    ]
    for attempt in attempts {
      let error = #expect(throws: KeyError.self) { try attempt() }
      #expect(error?.code == expected)
      #expect(error?.message.lowercased().contains("nothing was written.") == true)
      #expect(changed.keyring == before)
    }
    provider.unwrap(as: .right)
    try changed.changeSecret(ofSlot: "only", to: .provider(provider))
    #expect(try changed.keyring.opened(with: .provider(provider)).slotID == before.slots[0].id)
  }

  @Test("opens although the provider has no key of an earlier slot")
  func severalSlots() throws {
    let elsewhere = FakeProvider()
    var keyring = try keyring(elsewhere)
    provider.answer([1, 2, 3])
    try keyring.addSlot("here", opening: .provider(provider))
    let opened = try keyring.keyring.opened(with: .provider(provider))
    #expect(opened.slotID == keyring.keyring.slot(named: "here")?.id)
  }

  @Test("keeps its secret if it is renamed or gets a new master key")
  func rewritten() throws {
    var keyring = try keyring(provider)
    let before = keyring.keyring.slots[0]
    try keyring.renameSlot("token", to: "key", opening: .provider(provider))
    let renewed = try keyring.withNewMaster(keeping: [("key", .provider(provider))])
    for (slot, name) in [(keyring.keyring.slots[0], "key"), (renewed.keyring.slots[0], "key")] {
      #expect(slot.name == name && slot.id == before.id && slot.provided == before.provided)
      #expect(slot.salt != before.salt && slot.wrapped != before.wrapped)
    }
    #expect(try renewed.keyring.opened(with: .provider(provider)).slotID == before.id)
    try keyring.changeSecret(ofSlot: "key", to: .provider(provider))
    #expect(keyring.keyring.slots[0].provided != before.provided)
    // Another provider of the same name must not replace the secret by its own.
    #expect(
      keyCode { try keyring.renameSlot("key", to: "x", opening: .provider(FakeProvider())) }
        == .wrongKey)
  }

  @Test("stores 1 byte to 16 KiB, and a valid name of the provider", .covers("K12"))
  func bounds() throws {
    for (count, expected) in [
      (0, KeyError.Code.providerFailed), (1, nil), (16 << 10, nil),
      (16 << 10 + 1, .providerFailed),
    ] {
      let provider = FakeProvider()
      provider.answer([UInt8](repeating: 7, count: count))
      #expect(keyCode { _ = try keyring(provider) } == expected, "\(count)")
    }
    for name in ["", "Fake", "a b", "a/b", "ä", "..", String(repeating: "a", count: 33)] {
      #expect(keyCode { _ = try SlotSecret.provider(FakeProvider(name)) } == .invalidKey, "\(name)")
    }
    for name in ["a", "tpm2", "a-1", String(repeating: "a", count: 32)] {
      #expect(try SlotSecret.provider(FakeProvider(name)).kind == .provider)
    }
  }

  @Test("is not added if the file would be larger than 1 MiB")
  func largeFile() throws {
    var keyring = try keyring(provider)
    provider.answer([UInt8](repeating: 7, count: 16 << 10))
    for number in 1...60 { try keyring.addSlot("slot \(number)", opening: .provider(provider)) }
    #expect(keyCode { _ = try keyring.keyring.json() } == .slotRefused)
  }
}
