import ObjectVaultKeys
import Testing

@Suite("A keyring")
struct KeyringTests {
  private let vaultID: [UInt8] = Array(1...16)

  private func passphrase(_ text: String) throws -> SlotSecret {
    try .passphrase(Secret(utf8: text))
  }

  /// A keyring with one raw slot, whose opening costs next to nothing.
  private func keyring() throws -> OpenKeyring {
    try OpenKeyring.make(for: vaultID, opening: raw(1), named: "first")
  }

  private func salt(_ byte: UInt8) throws -> FileSalt {
    try #require(FileSalt([UInt8](repeating: byte, count: 16)))
  }

  @Test("opens with the secret of each of its slots, whatever its kind, and with no other")
  func kinds() throws {
    var keyring = try keyring()
    let recovery = try RecoveryCode.random()
    try keyring.addSlot("words", opening: passphrase("correct horse"), cost: .minimum)
    try keyring.addSlot("paper", opening: .recoveryCode(recovery), cost: .minimum)
    try keyring.addSlot("file", opening: .keyFile(Secret(copying: 0..<64)))
    let stored = try Keyring(json: keyring.keyring.json())
    #expect(stored == keyring.keyring)
    for (secret, name) in [
      (try passphrase("correct horse"), "words"), (try .recoveryCode(recovery), "paper"),
      (try .keyFile(Secret(copying: 0..<64)), "file"), (try raw(1), "first"),
    ] {
      #expect(try stored.opened(with: secret).slotID == stored.slot(named: name)?.id)
    }
    #expect(keyCode { _ = try stored.opened(with: passphrase("correct horsf")) } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: raw(2)) } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: .keyFile(Secret(copying: 0..<65))) } == .wrongKey)
    // The right bytes as another kind of secret are not right.
    #expect(keyCode { _ = try stored.opened(with: .raw(Secret(copying: 0..<64))) } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: raw(1), slot: "words") } == .wrongKey)
    #expect(keyCode { _ = try stored.opened(with: raw(1), slot: "none") } == .noSuchSlot)
  }

  @Test("gives the same data key to every slot, and keeps it when a secret changes")
  func changeOfSecret() throws {
    var keyring = try keyring()
    let dataKey = try keyring.addEpoch(
      salt: salt(7), format: .format4, pageSize: 4096, state: .current)
    let before = keyring.keyring
    try keyring.changeSecret(ofSlot: "first", to: raw(9))
    let stored = try Keyring(json: keyring.keyring.json())
    #expect(keyCode { _ = try stored.opened(with: raw(1)) } == .wrongKey)
    let opened = try stored.opened(with: raw(9))
    let epoch = try #require(stored.epoch(of: salt(7)))
    #expect(try opened.dataKey(of: epoch).isEqual(to: dataKey))
    #expect(stored.generation == before.generation + 1)
    #expect(stored.epochs == before.epochs)
    #expect(stored.slots[0].id == before.slots[0].id)
    #expect(stored.slots[0].salt != before.slots[0].salt)
    #expect(stored.slots[0].wrapped?.nonce != before.slots[0].wrapped?.nonce)
  }

  @Test("keeps its last slot, and no two slots have one name")
  func slots() throws {
    var keyring = try keyring()
    #expect(keyCode { try keyring.removeSlot("first") } == .slotRefused)
    #expect(keyCode { try keyring.addSlot("first", opening: raw(2)) } == .slotRefused)
    for name in ["", "a\nb", String(repeating: "x", count: 101)] {
      #expect(keyCode { try keyring.addSlot(name, opening: raw(2)) } == .slotRefused)
    }
    try keyring.addSlot("second", opening: raw(2))
    #expect(
      keyCode { try keyring.renameSlot("second", to: "first", opening: raw(2)) } == .slotRefused)
    #expect(keyCode { try keyring.renameSlot("second", to: "third", opening: raw(1)) } == .wrongKey)
    try keyring.renameSlot("second", to: "third", opening: raw(2))
    #expect(keyring.keyring.slots.map(\.name) == ["first", "third"])
    #expect(try keyring.keyring.opened(with: raw(2), slot: "third").slotID.count == 16)
    try keyring.removeSlot("first")
    #expect(keyCode { _ = try keyring.keyring.opened(with: raw(1)) } == .wrongKey)
    #expect(keyCode { try keyring.removeSlot("nobody") } == .noSuchSlot)
  }

  @Test("has no two names that differ only in their Unicode form")
  func equivalentNames() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    var keyring = try keyring()
    try keyring.addSlot(composed, opening: raw(2))
    try keyring.addSlot("third", opening: raw(3))
    let before = keyring.keyring
    #expect(keyCode { try keyring.addSlot(decomposed, opening: raw(4)) } == .slotRefused)
    #expect(
      keyCode { try keyring.renameSlot("third", to: decomposed, opening: raw(3)) } == .slotRefused)
    #expect(keyCode { try keyring.removeSlot(decomposed) } == .noSuchSlot)
    #expect(keyring.keyring == before)
    // A slot can change the form of its own name.
    try keyring.renameSlot(composed, to: decomposed, opening: raw(2))
    #expect(try keyring.keyring.opened(with: raw(2), slot: decomposed).slotID == before.slots[1].id)
    #expect(keyCode { _ = try keyring.keyring.opened(with: raw(2), slot: composed) } == .noSuchSlot)
  }

  @Test("has at most 64 slots")
  func manySlots() throws {
    var keyring = try keyring()
    for number in 2...64 { try keyring.addSlot("slot \(number)", opening: raw(UInt8(number))) }
    #expect(keyCode { try keyring.addSlot("one more", opening: raw(99)) } == .slotRefused)
  }

  @Test("shows every change that is made without its key")
  func tampering() throws {
    var keyring = try keyring()
    try keyring.addSlot("second", opening: raw(2))
    _ = try keyring.addEpoch(salt: salt(7), format: .format4, pageSize: 4096, state: .current)
    _ = try keyring.addEpoch(salt: salt(8), format: .format3, pageSize: 4096, state: .pending)
    let right = keyring.keyring
    let changes: [(String, (inout Keyring) throws -> Void)] = [
      ("a slot removed", { $0.slots.removeLast() }),
      ("slots in another order", { $0.slots.reverse() }),
      ("an older generation", { $0.generation -= 1 }),
      ("an epoch removed", { $0.epochs.removeLast() }),
      ("another state", { $0.epochs[1].state = .current }),
      ("epochs in another order", { $0.epochs.reverse() }),
      ("another code", { $0.code[31] ^= 1 }),
    ]
    #expect(try right.opened(with: raw(1)).slotID == right.slots[0].id)
    for (name, change) in changes {
      var wrong = right
      try change(&wrong)
      #expect(keyCode { _ = try wrong.opened(with: raw(1)) } == .keyringTampered, "\(name)")
    }
  }

  @Test("of another vault does not open, nor does a slot of another keyring")
  func foreignSlots() throws {
    let mine = try keyring().keyring
    let other = try OpenKeyring.make(for: Array(2...17), opening: raw(1), named: "first").keyring
    var mixed = mine
    mixed.slots = other.slots
    #expect(keyCode { _ = try mixed.opened(with: raw(1)) } == .wrongKey)
  }

  @Test("is not tried on further slots once the operation is cancelled")
  func cancelledTrial() throws {
    var keyring = try keyring()
    for name in ["words", "paper"] {
      try keyring.addSlot(name, opening: passphrase(name), cost: .minimum)
    }
    let stored = keyring.keyring
    let wrong = try passphrase("wrong")
    let derivations = DerivationCount()
    let failure = DerivationCount.$current.withValue(derivations) {
      KeyCancellation.$isCancelled.withValue({ derivations.value > 0 }) {
        keyCode { _ = try stored.opened(with: wrong) }
      }
    }
    #expect(failure == .cancelled)
    #expect(derivations.value == 1)
  }

  @Test("under a new master key opens with the slots kept, and gives the same data keys")
  func newMaster() throws {
    var keyring = try keyring()
    try keyring.addSlot("second", opening: raw(2))
    let dataKey = try keyring.addEpoch(
      salt: salt(7), format: .format4, pageSize: 4096, state: .current)
    let renewed = try keyring.withNewMaster(keeping: [("second", raw(2))])
    let stored = try Keyring(json: renewed.keyring.json())
    #expect(stored.generation > keyring.keyring.generation)
    #expect(keyCode { _ = try stored.opened(with: raw(1)) } == .wrongKey)
    let opened = try stored.opened(with: raw(2))
    #expect(try opened.dataKey(of: #require(stored.epoch(of: salt(7)))).isEqual(to: dataKey))
    // Who kept the old master key cannot open what is wrapped under the new one.
    #expect(keyCode { _ = try keyring.dataKey(of: stored.epochs[0]) } == .keyringTampered)
    #expect(keyCode { _ = try keyring.withNewMaster(keeping: []) } == .slotRefused)
  }

  @Test("drops the epochs of unfinished files, and is not written with more than 64 epochs")
  func unfinishedEpochs() throws {
    var keyring = try keyring()
    // The present file, whose replacement was not recorded.
    let present = try salt(1)
    _ = try keyring.addEpoch(salt: present, format: .format4, pageSize: 4096, state: .pending)
    for byte in 2...UInt8(Keyring.maximumEpochs + 2) {
      _ = try keyring.addEpoch(
        salt: salt(byte), format: .format4, pageSize: 4096, state: .pending,
        dropping: { $0.salt != present })
    }
    let last = try salt(UInt8(Keyring.maximumEpochs + 2))
    #expect(keyring.keyring.epochs.map(\.salt) == [present, last])
    #expect(try Keyring(json: keyring.keyring.json()) == keyring.keyring)
    for byte in 100..<UInt8(98 + Keyring.maximumEpochs) {
      _ = try keyring.addEpoch(
        salt: salt(byte), format: .format4, pageSize: 4096, state: .pending)
    }
    #expect(keyring.keyring.epochs.count == Keyring.maximumEpochs)
    #expect(try Keyring(json: keyring.keyring.json()) == keyring.keyring)
    _ = try keyring.addEpoch(salt: salt(200), format: .format4, pageSize: 4096, state: .pending)
    #expect(keyCode { _ = try keyring.keyring.json() } == .keyringMalformed)
  }

  @Test("has one current epoch after a rotation, and no pending one")
  func rotation() throws {
    var keyring = try keyring()
    _ = try keyring.addEpoch(salt: salt(1), format: .format4, pageSize: 4096, state: .current)
    _ = try keyring.addEpoch(salt: salt(2), format: .format4, pageSize: 4096, state: .pending)
    _ = try keyring.addEpoch(salt: salt(3), format: .format4, pageSize: 4096, state: .pending)
    try keyring.makeCurrent(salt(3))
    #expect(keyring.keyring.epochs.map(\.state) == [.retired, .current])
    #expect(keyring.keyring.epoch(of: try salt(2)) == nil)
    for byte in 10...120 {
      _ = try keyring.addEpoch(
        salt: salt(UInt8(byte)), format: .format4, pageSize: 4096, state: .pending)
      try keyring.makeCurrent(salt(UInt8(byte)))
    }
    #expect(keyring.keyring.epochs.count == Keyring.maximumEpochs)
    #expect(keyring.keyring.epochs.filter { $0.state == .current }.count == 1)
  }
}
