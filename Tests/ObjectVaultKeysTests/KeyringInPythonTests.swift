import Foundation
import ObjectVaultKeys
import TestSupport
import Testing

/// The keyring as another implementation reads it, which was made from `Fixtures/KEYRING.md` alone.
@Suite("A keyring and an implementation in Python")
struct KeyringInPythonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A secret as the script takes it.
  private struct GivenSecret: Codable {
    var slot: String
    var passphrase: String?
    var recoveryCode: String?
    var keyFile: Data?
    var raw: Data?
    var identity: String?
    /// The secret of a provider's slot, as the provider decrypts it.
    var provided: Data?

    func secret() throws -> SlotSecret {
      if let identity { return .identity(try KeyringIdentity(text: Secret(utf8: identity))) }
      if let provided { return try .provider(FrozenProvider(secret: provided)) }
      if let passphrase { return try .passphrase(Secret(utf8: passphrase)) }
      if let recoveryCode { return try .recoveryCode(Secret(utf8: recoveryCode)) }
      if let keyFile { return try .keyFile(Secret(copying: keyFile)) }
      return try .raw(Secret(copying: try #require(raw)))
    }
  }

  /// A provider that decrypts the bytes of one slot.
  private struct FrozenProvider: KeyProvider {
    let name = "frozen"
    let secret: Data

    func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
      throw KeyError(.providerFailed, "The provider encrypts nothing.")
    }

    func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
      Secret(copying: secret)
    }

    func describe(_ wrapped: [UInt8]) throws(KeyError) -> String { "frozen" }
  }

  private func frozen(_ name: String) -> String {
    PythonProgram.root.appendingPathComponent("Fixtures/keyring/\(name)").path
  }

  private func write(_ secrets: [GivenSecret]) throws -> String {
    let path = folder.path("\(UUID().uuidString).json")
    try JSONEncoder().encode(secrets).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func digest(_ key: SharedSecret) throws -> String {
    var digest = try ContentDigest()
    key.withUnsafeBytes { digest.update($0) }
    return try digest.finish().map { String(format: "%02x", $0) }.joined()
  }

  /// The digests of the data keys that the library finds.
  private func dataKeys(_ opened: OpenKeyring) throws -> [String] {
    try opened.keyring.epochs.map { try digest(opened.dataKey(of: $0)) }
  }

  @Test("that is frozen opens with every kind of secret, here and there, to the same keys")
  func frozenKeyring() throws {
    let path = frozen("frozen.keyring")
    let expected = try OpenedByPython(file: frozen("frozen.opened.json"))
    #expect(
      try OpenedByPython(keyring: path, secrets: frozen("frozen.secrets.json")) == expected)
    #expect(expected.epochs.map(\.state) == ["retired", "current"])

    let keyring = try Keyring(json: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    let secrets = try JSONDecoder().decode(
      [GivenSecret].self,
      from: Data(contentsOf: URL(fileURLWithPath: frozen("frozen.secrets.json"))))
    #expect(keyring.slots.map(\.kind) == [.passphrase, .recoveryCode, .keyFile, .raw])
    #expect(secrets.map(\.slot) == keyring.slots.map(\.name))
    for secret in secrets {
      let opened = try keyring.opened(with: secret.secret(), slot: secret.slot)
      #expect(try dataKeys(opened) == expected.epochs.map(\.dataKey))
    }
    #expect(try Keyring(json: keyring.json()) == keyring)
  }

  @Test(
    "that is frozen with the kinds of version 2 opens, here and there, to the same keys",
    .covers("K1", "K4", "K7", "K9"))
  func frozenKeyringOfVersion2() throws {
    let path = frozen("frozen2.keyring")
    let expected = try OpenedByPython(file: frozen("frozen2.opened.json"))
    #expect(
      try OpenedByPython(keyring: path, secrets: frozen("frozen2.secrets.json")) == expected)
    let keyring = try Keyring(json: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    let secrets = try JSONDecoder().decode(
      [GivenSecret].self,
      from: Data(contentsOf: URL(fileURLWithPath: frozen("frozen2.secrets.json"))))
    #expect(keyring.slots.map(\.kind) == [.provider, .raw, .recipient])
    #expect(keyring.slots.map(\.created) == expected.slots.map(\.created))
    #expect(keyring.slots.map { $0.created == nil } == [true, false, false])
    for secret in secrets {
      let opened = try keyring.opened(with: secret.secret(), slot: secret.slot)
      #expect(try dataKeys(opened) == expected.epochs.map(\.dataKey))
    }
    #expect(try Keyring(json: keyring.json()) == keyring)
  }

  @Test("that was just made opens there to the same keys")
  func newKeyring() throws {
    let code = try RecoveryCode.random().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    var secrets = [
      GivenSecret(slot: "wörds \"and\" signs/\\", passphrase: "a\u{301} b\u{1F511}"),
      GivenSecret(slot: "paper", recoveryCode: " " + code.lowercased() + "\n"),
      GivenSecret(slot: "file", keyFile: Data((0..<100).map { _ in .random(in: 0...255) })),
      GivenSecret(slot: "program", raw: Data((0..<32).map { _ in .random(in: 0...255) })),
    ]
    var made = try OpenKeyring.make(
      for: (1...16).map { _ in .random(in: 0...255) }, opening: secrets[0].secret(),
      named: secrets[0].slot, cost: .minimum)
    for secret in secrets.dropFirst() {
      try made.addSlot(secret.slot, opening: secret.secret(), cost: .minimum)
    }
    let identity = try KeyringIdentity.generate()
    try made.addSlot("server", opening: .recipient(identity.recipient))
    let provider = FakeProvider()
    try made.addSlot("token", opening: .provider(provider))
    for (format, header, state) in [
      (CipherFormat.format4, FileHeader.plaintext, KeyringEpoch.State.current),
      (.format3, .encrypted, .pending), (.format4, .plaintext, .retired),
    ] {
      _ = try made.addEpoch(
        salt: .random(), format: format, pageSize: 4096, header: header, state: state)
    }
    let file = KeyringFile(besideVault: folder.path("new.vault"))
    try file.store(made.keyring, replacing: nil)

    secrets += [
      GivenSecret(
        slot: "server",
        identity: identity.text().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }),
      GivenSecret(
        slot: "token",
        provided: try provider.unwrap(Array("fake 0".utf8), label: "")
          .withUnsafeBytes { Data($0) }),
    ]
    let opened = try OpenedByPython(keyring: file.path, secrets: write(secrets))
    #expect(opened.slots.map(\.created) == made.keyring.slots.map(\.created))
    #expect(opened.generation == made.keyring.generation)
    #expect(opened.slots.map(\.slot) == secrets.map(\.slot))
    #expect(
      opened.slots.map(\.kind)
        == ["passphrase", "recoveryCode", "keyFile", "raw", "identity", "provided"])
    #expect(Set(opened.slots.map(\.master)).count == 1)
    #expect(try opened.epochs.map(\.dataKey) == dataKeys(made))
    #expect(opened.epochs.map(\.state) == ["current", "pending", "retired"])
    #expect(opened.epochs.map(\.plaintextHeader) == [32, nil, 32])
  }

  @Test("with the sealing keys of earlier master keys opens there to the same keys", .covers("E10"))
  func sealingKeys() throws {
    let secrets = [GivenSecret(slot: "program", raw: Data(repeating: 7, count: 32))]
    let first = try OpenKeyring.make(
      for: Array(1...16), opening: secrets[0].secret(), named: "program", cost: .minimum)
    #expect(first.keyring.version == 1)
    let kept = [(name: "program", secret: try secrets[0].secret())]
    let made = try first.withNewMaster(keeping: kept).withNewMaster(keeping: kept)
    #expect(made.keyring.version == 3)
    #expect(try Keyring(json: made.keyring.json()) == made.keyring)
    let file = KeyringFile(besideVault: folder.path("new.vault"))
    try file.store(made.keyring, replacing: nil)
    let opened = try OpenedByPython(keyring: file.path, secrets: write(secrets))
    let keys = try made.sealingKeys().keys
    #expect(keys.map(\.number) == [1, 2, 3])
    #expect(try opened.sealingKeys == keys.map { try digest($0.secret) })
    #expect(try digest(first.sealingKeys().keys[0].secret) == opened.sealingKeys?[0])
    let another = try OpenKeyring.make(
      for: Array(1...16), opening: secrets[0].secret(), named: "program", cost: .minimum)
    let retaining = try another.retaining(made.sealingKeys())
    #expect(try Keyring(json: retaining.keyring.json()) == retaining.keyring)
    let retained = try retaining.sealingKeys().keys.map { try digest($0.secret) }
    #expect(try Array(retained.dropLast()) == keys.map { try digest($0.secret) })
    #expect(try retained.last == another.sealingKeys().keys.map { try digest($0.secret) }.last)
    let json = String(decoding: try made.keyring.json(), as: UTF8.self)
    let changed = json.replacing("\"sealing\"", with: "\"sealed\"")
    #expect(keyCode { _ = try Keyring(json: Array(changed.utf8)) } == .keyringMalformed)
  }

  @Test("that was changed, or is out of bounds, is refused there as it is here")
  func refused() throws {
    let given = GivenSecret(slot: "words", passphrase: "x")
    var made = try OpenKeyring.make(
      for: Array(1...16), opening: given.secret(), named: given.slot, cost: .minimum)
    try made.addSlot("program", opening: raw(7))
    _ = try made.addEpoch(salt: .random(), format: .format4, pageSize: 4096, state: .current)
    let json = String(decoding: try made.keyring.json(), as: UTF8.self)
    let program = GivenSecret(slot: "program", raw: Data(repeating: 7, count: 32))
    let changes = [
      ("\"generation\" : 3", "\"generation\" : 2", "keyringTampered"),
      ("\"current\"", "\"retired\"", "keyringTampered"),
      ("\"current\"", "\"older\"", "keyringMalformed"),
      ("\"version\" : 1", "\"version\" : 4", "newerFormat"),
      ("\"version\" : 1", "\"version\" : 2", "keyringMalformed"),
      ("\"state\"", "\"plaintextHeader\" : 32, \"state\"", "keyringMalformed"),
      ("\"state\"", "\"plaintextHeader\" : 16, \"state\"", "keyringMalformed"),
      ("\"version\" : 1", "\"version\" : 0", "keyringMalformed"),
      ("\"n\" : 65536", "\"n\" : 2097152", "keyringMalformed"),
      ("\"n\" : 65536", "\"n\" : 32768", "keyringMalformed"),
      ("\"p\" : 1", "\"p\" : 5", "keyringMalformed"),
      ("\"words\"", "\"program\"", "keyringMalformed"),
      ("\"words\"", "\"other\"", "keyringTampered"),
      ("\"program\"", "\"programme\"", "noSuchSlot"),
      ("\"pageSize\" : 4096", "\"pageSize\" : 4000", "keyringMalformed"),
      ("\"pageSize\" : 4096", "\"pageSize\" : 8192", "keyringTampered"),
    ]
    let secrets = try write([program])
    let files = try changes.enumerated().map { index, change in
      let changed = json.replacingOccurrences(of: change.0, with: change.1)
      #expect(changed != json, "\(change.0)")
      let path = try folder.write(Array(changed.utf8), to: "\(index).keyring")
      return (keyring: path, secrets: secrets)
    }
    for ((old, new, expected), there) in zip(changes, try OpenedByPython.refusals(files)) {
      let changed = json.replacingOccurrences(of: old, with: new)
      #expect(there.map(String.init) == expected, "\(new) there")
      let here = keyCode {
        _ = try Keyring(json: Array(changed.utf8)).opened(with: program.secret(), slot: "program")
      }
      #expect(here.map(Self.word) == expected, "\(new) here")
    }
    let path = try folder.write(Array(json.utf8), to: "right.keyring")
    let wrong = [
      (GivenSecret(slot: "words", passphrase: "y"), "wrongKey"),
      (GivenSecret(slot: "program", raw: Data(repeating: 8, count: 32)), "wrongKey"),
      (GivenSecret(slot: "program", keyFile: Data(repeating: 7, count: 32)), "wrongKey"),
      (GivenSecret(slot: "program", raw: Data(repeating: 7, count: 31)), "invalidKey"),
      (GivenSecret(slot: "words", recoveryCode: "O"), "invalidKey"),
    ]
    let others = try wrong.map { (keyring: path, secrets: try write([$0.0])) }
    for ((secret, expected), there) in zip(wrong, try OpenedByPython.refusals(others)) {
      #expect(there.map(String.init) == expected, "\(expected) there")
      let here = keyCode { _ = try made.keyring.opened(with: secret.secret(), slot: secret.slot) }
      #expect(here.map(Self.word) == expected, "\(expected) here")
    }
  }

  /// The code that fixtures have for it.
  private static func word(_ code: KeyError.Code) -> String {
    switch code {
    case .keyringNewer: "newerFormat"
    case .recoveryCodeMistyped: "invalidKey"
    default: "\(code)"
    }
  }
}
