import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import Synchronization
import TestSupport
import Testing

@Suite("A vault with a key provider")
struct ProviderVaultTests {
  private let folder: TemporaryFolder
  private let path: String
  private let provider = LockableProvider()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  /// A provider that can be locked.
  private final class LockableProvider: KeyProvider {
    let name = "lockable"
    private let failure = Mutex<KeyError.Code?>(nil)
    private let mask: UInt8

    /// Creates a provider; `isBroken` lets it decrypt other bytes than it encrypted.
    init(isBroken: Bool = false) { mask = isBroken ? 0xA4 : 0xA5 }

    func fail(_ code: KeyError.Code?) { failure.withLock { $0 = code } }

    private func check() throws(KeyError) {
      if let code = failure.withLock({ $0 }) { throw KeyError(code, "The provider is locked.") }
    }

    func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
      try check()
      return secret.withUnsafeBytes { $0.map { $0 ^ 0xA5 } }
    }

    func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
      try check()
      return Secret(copying: wrapped.map { $0 ^ mask })
    }

    func describe(_ wrapped: [UInt8]) throws(KeyError) -> String {
      try check()
      return "\(wrapped.count) bytes"
    }
  }

  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }
    return contents
  }

  private func open() throws {
    let vault = try Vault(at: path, key: .keyring(.provider(provider)))
    try vault.open()
    vault.close()
  }

  private static let failures: [(KeyError.Code, VaultError.Code)] = [
    (.providerMissing, .providerMissing), (.providerLocked, .providerLocked),
    (.providerFailed, .providerFailed), (.keyringMissing, .providerFailed),
    (.empty, .providerFailed), (.noKey, .providerFailed),
  ]

  @Test(
    "is not changed or created again if the provider fails", .covers("K8"), arguments: failures)
  func failure(failure: KeyError.Code, expected: VaultError.Code) throws {
    try open()
    let before = try contents()
    provider.fail(failure)
    #expect(code { try open() } == expected)
    #expect(
      code { _ = try VaultKeyring(ofVaultAt: path).test(.provider(provider)) } == expected)
    #expect(
      code {
        try VaultKeyring(ofVaultAt: path)
          .addSlot("second", .raw(1...32), unlockedBy: .provider(provider))
      } == expected)
    #expect(try contents() == before)
    provider.fail(nil)
    try open()
  }

  @Test(
    "does not come into being if the provider fails", .covers("K8"), arguments: failures)
  func creation(failure: KeyError.Code, expected: VaultError.Code) throws {
    provider.fail(failure)
    #expect(code { try open() } == expected)
    #expect(try contents().isEmpty)
  }

  @Test("keeps its only key if a provider does not decrypt what it encrypted", .covers("K8"))
  func brokenProvider() throws {
    let broken = SlotKey.provider(LockableProvider(isBroken: true))
    #expect(code { try Vault(at: path, key: .keyring(broken)).open() } == .providerFailed)
    #expect(try contents().isEmpty)
    try open()
    let before = try contents()
    let present = SlotKey.provider(provider)
    let keyring = try VaultKeyring(ofVaultAt: path)
    #expect(code { try keyring.changeKey(to: broken, unlockedBy: present) } == .providerFailed)
    #expect(code { try keyring.addSlot("new", broken, unlockedBy: present) } == .providerFailed)
    #expect(try contents() == before)
    let raw = folder.file("raw.vault")
    let made = try Vault(at: raw, key: .raw(1...32))
    try made.open()
    made.close()
    let stored = try contents()
    #expect(
      code { try DatabaseFile(at: raw, key: .raw(1...32)).rekey(to: .keyring(broken)) }
        == .providerFailed)
    #expect(try contents() == stored)
    try open()
  }

  @Test("keeps its slot when the vault is encrypted again, and describes it", .covers("K7"))
  func rotation() throws {
    let vault = try Vault(at: path, key: .keyring(.provider(provider, slot: "token")))
    try vault.open()
    let keyring = try VaultKeyring(ofVaultAt: path)
    try keyring.addSlot("program", .raw(1...32), unlockedBy: .provider(provider))
    try vault.rotate(
      unlockedBy: .raw(1...32), keeping: [.provider(provider, slot: "token")])
    vault.close()
    #expect(try keyring.slots().map(\.name) == ["token"])
    #expect(try keyring.slots()[0].provider == "lockable")
    #expect(try keyring.describeSlot("token", by: provider) == "32 bytes")
    #expect(code { _ = try keyring.describeSlot("none", by: provider) } == .noSuchSlot)
    try open()
  }

  @Test("gives way to a recipient, whose public key alone creates no keyring")
  func recipients() throws {
    let identity = try KeyringIdentity.generate()
    #expect(
      code {
        try Vault(at: path, key: .keyring(.recipient(identity.recipient))).open()
      } == .invalidKey)
    #expect(try contents().isEmpty)
    try open()
    let keyring = try VaultKeyring(ofVaultAt: path)
    let slot = try #require(try keyring.slots().first)
    try keyring.changeKey(
      ofSlot: slot.name, to: .recipient(identity.recipient), unlockedBy: .provider(provider))
    #expect(try keyring.slots()[0].recipient == identity.recipient)
    #expect(code { try open() } == .wrongKey)
    let vault = try Vault(at: path, key: .keyring(.identity(identity)))
    try vault.open()
    try vault.rotate(
      unlockedBy: .identity(identity),
      keeping: [.recipient(identity.recipient, slot: slot.name)])
    vault.close()
    #expect(try keyring.test(.identity(identity)).kind == .recipient)
  }
  /// A provider that runs a closure before it unwraps or wraps a secret.
  private final class InterruptedProvider: KeyProvider {
    let name = "lockable"
    private let provider = LockableProvider()
    private let interruptions = Mutex<[@Sendable () throws -> Void]>([])

    /// Adds a closure that one of the next uses runs.
    func interrupt(_ body: @escaping @Sendable () throws -> Void) {
      interruptions.withLock { $0.append(body) }
    }

    private func run() throws(KeyError) {
      let next = interruptions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      do { try next?() } catch { throw KeyError(.providerFailed, "\(error)") }
    }

    func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
      try run()
      return try provider.wrap(secret, label: label)
    }

    func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
      try run()
      return try provider.unwrap(wrapped, label: label)
    }

    func describe(_ wrapped: [UInt8]) throws(KeyError) -> String {
      try provider.describe(wrapped)
    }
  }

  @Test("opens while another program changes a slot of the keyring")
  func changeWhileOpening() throws {
    try open()
    let keyring = try VaultKeyring(ofVaultAt: path)
    try keyring.addSlot("program", .raw(1...32), unlockedBy: .provider(provider))
    let places = [path + ".keyring", path + ".keyring~"].map { URL(fileURLWithPath: $0) }
    func put(_ contents: [Data]) throws {
      for (place, content) in zip(places, contents) { try content.write(to: place) }
    }
    let former = try places.map { try Data(contentsOf: $0) }
    try keyring.changeKey(ofSlot: "program", to: .raw(2...33), unlockedBy: .raw(1...32))
    let changed = try places.map { try Data(contentsOf: $0) }
    let interrupted = InterruptedProvider()
    func opening() -> VaultError.Code? {
      code {
        let vault = try Vault(at: path, key: .keyring(.provider(interrupted)))
        defer { vault.close() }
        try vault.open()
      }
    }
    try put(former)
    interrupted.interrupt { [places] in
      for (place, content) in zip(places, changed) { try content.write(to: place) }
    }
    #expect(opening() == nil)
    // A keyring that stays the former one is rejected as before.
    try put(former)
    #expect(opening() == .keyringRolledBack)
    let file = try DatabaseFile(at: path, key: .keyring(.provider(interrupted)))
    interrupted.interrupt { [places] in
      for (place, content) in zip(places, changed) { try content.write(to: place) }
    }
    #expect(code { try file.prove() } == nil)
    try put(former)
    #expect(code { try file.prove() } == .keyringRolledBack)
  }

  @Test("gets another slot while another program rotates its data key")
  func rotationWhileChanging() throws {
    try open()
    let keyring = try VaultKeyring(ofVaultAt: path)
    try keyring.addSlot("program", .raw(1...32), unlockedBy: .provider(provider))
    let interrupted = InterruptedProvider()
    interrupted.interrupt { [path] in
      try DatabaseFile(at: path, key: .keyring(.raw(1...32))).rotate()
    }
    try keyring.addSlot("new", .raw(2...33), unlockedBy: .provider(interrupted))
    #expect(try keyring.slots().map(\.name) == ["main", "program", "new"])
    try open()
  }

  @Test("names its keyring to a program that passes the key without it")
  func keyWithoutKeyring() throws {
    let key = SlotKey.raw(1...32)
    try Vault(at: path, key: .keyring(key)).open()
    let error = #expect(throws: VaultError.self) { try Vault(at: path, key: .raw(1...32)).open() }
    #expect(error?.code == .wrongKey)
    #expect(error?.detail?.contains("'\(path).keyring' is next to the file") == true)
    let other = #expect(throws: VaultError.self) {
      try Vault(at: path, key: .keyring(.raw(2...33))).open()
    }
    #expect(other?.code == .wrongKey && other?.detail?.contains("next to the file") != true)
  }

  @Test("has the settings of the program if its keyring changes while it is opened")
  func settingsWhileChanging() throws {
    try open()
    let interrupted = InterruptedProvider()
    let (inside, leave) = (Meeting(), Meeting())
    interrupted.interrupt {}
    interrupted.interrupt {
      inside.reach()
      try leave.wait()
    }
    let change = OnThread { [path] in
      try VaultKeyring(ofVaultAt: path).changeKey(
        to: .provider(interrupted), unlockedBy: .provider(interrupted))
    }
    try inside.wait()
    let opened = Mutex(0)
    var configuration = VaultConfiguration()
    configuration.hooks.didOpen = { _ in opened.withLock { $0 += 1 } }
    let opening = OnThread { [path, configuration, provider] in
      let vault = try Vault(
        at: path, key: .keyring(.provider(provider)), configuration: configuration)
      try vault.open()
      return vault
    }
    // Time for the opening to find the file of the change.
    Thread.sleep(forTimeInterval: 0.1)
    leave.reach()
    try change.result()
    let vault = try opening.result()
    #expect(opened.withLock { $0 } > 0)
    #expect(try vault.file().settings.isOfKeyring == false)
    vault.close()
  }
}
