import Foundation
import Logging
import ObjectVaultCore
import ObjectVaultKeys
import Synchronization
import TestSupport
import Testing

/// What fails while keys are changed, and what is logged of it, shows no key.
@Suite("Of work with keys", .cheapSlots) struct KeyOperationSecrecyTests {
  private let folder: TemporaryFolder
  private let path: String
  private let secret = "Plugh-SECRET-0815"
  private var raw: [UInt8] { Array("Plugh-SECRET-0815-of-32-bytes-ok".utf8) }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("v")
  }

  /// How the secret could be written.
  private func holdsSecret(_ text: String) -> Bool {
    let digits = raw.prefix(5).map { String($0, radix: 16) }.joined()
    return ["Plugh", digits, digits.uppercased(), "80, 108, 117"].contains { text.contains($0) }
  }

  /// Fails where the body throws nothing, or an error that shows the secret in any way.
  private func expectSilent(
    _ sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    do {
      try body()
      Issue.record("no error was thrown", sourceLocation: sourceLocation)
    } catch {
      var text = "\(error) " + String(reflecting: error) + " " + error.localizedDescription
      dump(error, to: &text)
      #expect(!holdsSecret(text), "\(type(of: error))", sourceLocation: sourceLocation)
      #expect(error is VaultError, sourceLocation: sourceLocation)
    }
  }

  @Test("the control: the search finds the secret in every way of writing it")
  func control() {
    #expect(holdsSecret("a \(secret)"))
    #expect(holdsSecret(raw.map { String($0, radix: 16) }.joined()))
    #expect(holdsSecret("\(raw)"))
    #expect(!holdsSecret("<secret>"))
  }

  @Test("no error of a file shows a key, old or new, wrong or right")
  func files() throws {
    try makeVault(path, key: .ofTests)
    let wrong: [VaultKey] = [
      .passphrase(secret), .raw(raw), .raw(raw + Array(repeating: 1, count: 16)),
      .keyring(.passphrase(secret)), .keyring(.raw(raw), at: folder.file("none")),
    ]
    for key in wrong {
      let file = try DatabaseFile(at: path, key: key)
      expectSilent { try file.rekey(to: .raw(raw)) }
      expectSilent { try file.rotate() }
      expectSilent { try file.upgrade(pageSize: 8192) }
      expectSilent { try file.decrypt(to: folder.file("clear")) }
      expectSilent { try file.backup(to: folder.file("copy")) }
      expectSilent { try file.restore(to: folder.file("copy")) }
      var text = "\(file) " + String(reflecting: file)
      dump(file, to: &text)
      #expect(!holdsSecret(text))
    }
    let file = try DatabaseFile(at: path, key: .ofTests)
    // Nothing may be there.
    try write(Data("x".utf8), to: folder.file("taken"))
    for key in wrong.dropLast(2) {
      expectSilent { try file.backup(to: folder.file("taken"), key: key) }
      expectSilent { try file.restore(to: folder.file("taken"), key: key) }
    }
    expectSilent { try file.rekey(to: .raw(hex: secret)) }
    expectSilent { try DatabaseFile(at: path, key: nil).encrypt(with: .passphrase(secret)) }
    expectSilent { try DatabaseFile(at: path, key: .raw(hex: secret)).rotate() }
  }

  @Test("no error of a keyring shows a slot's key, a recovery code, or what somebody typed")
  func keyrings() throws {
    let owner = SlotKey.raw(1...32)
    try makeVault(path, key: .keyring(owner))
    let keyring = try VaultKeyring(ofVaultAt: path)
    let others: [SlotKey] = [
      .passphrase(secret), .raw(raw), .recoveryCode(secret), .raw(Array(secret.utf8)),
      .source(.closure { Secret(utf8: "Plugh-SECRET-0815") }, as: .recoveryCode),
    ]
    for key in others {
      expectSilent { try keyring.test(key) }
      expectSilent { try keyring.addSlot("other", owner, unlockedBy: key) }
      expectSilent { try keyring.addSlot("main", key, unlockedBy: owner) }
      expectSilent { try keyring.changeKey(ofSlot: "none", to: key, unlockedBy: owner) }
      expectSilent { try keyring.renameSlot("main", to: "other", key) }
      expectSilent { try keyring.removeSlot("main", unlockedBy: key) }
      expectSilent { try Vault(at: path, key: .keyring(key)).open() }
      var text = "\(key) " + String(reflecting: key)
      dump(key, to: &text)
      #expect(!holdsSecret(text))
    }
    let code = try keyring.addRecoveryCode(unlockedBy: owner)
    let typed = code.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    #expect("\(code.description)" == "<secret>")
    // One letter is another one.
    let other = typed.hasPrefix("A") ? "B" : "A"
    let misspelt = other + typed.dropFirst()
    do {
      try keyring.test(.recoveryCode(misspelt))
      Issue.record("a misspelt code opens")
    } catch {
      var text = "\(error) " + String(reflecting: error)
      dump(error, to: &text)
      for group in typed.split(separator: "-") { #expect(!text.contains(group)) }
    }
  }

  @Test("no log line holds a key")
  func logs() throws {
    let lines = LogLines()
    var configuration = VaultConfiguration()
    var logger = Logger(label: "secrecy") { _ in lines.handler }
    logger.logLevel = .trace
    configuration.logger = logger
    do {
      let vault = try Vault(at: path, key: .passphrase(secret), configuration: configuration)
      try vault.store(of: MarkedObject.self).insert(MarkedObject("x", number: 1))
      try vault.rekey(to: .raw(raw))
      try vault.backup(to: folder.file("copy"), key: .passphrase(secret))
      try vault.rekey(to: .keyring(.raw(raw)))
      try vault.rotate(unlockedBy: .raw(raw))
      #expect(throws: VaultError.self) { try vault.rotate(unlockedBy: .passphrase(secret)) }
      vault.close()
      // The spare copy is used, and that is logged.
      try write(Data("damaged".utf8), to: path + ".keyring")
      let again = try Vault(at: path, key: .keyring(.raw(raw)), configuration: configuration)
      try again.open()
      again.close()
    }
    #expect(lines.all.contains { $0.contains("spare") }, "\(lines.all)")
    #expect(lines.all.count > 3)
    for line in lines.all { #expect(!holdsSecret(line)) }
  }
}

/// Keeps every line that is logged.
private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  var handler: any LogHandler { Handler(lines: self) }

  private struct Handler: LogHandler {
    let lines: LogLines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.lines.withLock {
        $0.append("\(event.level) \(event.message) \(event.metadata.map { "\($0)" } ?? "")")
      }
    }
  }
}
