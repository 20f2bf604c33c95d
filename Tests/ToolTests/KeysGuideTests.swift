import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

/// Every command of the guides "Keys" and "Threat model", as it stands there.
@Suite("The guides to keys and threats", .cheapSlots) struct KeysGuideTests {
  /// What both guides take for granted: the tool, and the keys of their people in files.
  private func prepared() throws -> GuideShell {
    let shell = try GuideShell()
    for (name, words) in [
      ("words.key", "correct horse"), ("words-new.key", "battery staple"), ("ben.key", "of Ben"),
      ("ben-new.key", "of Ben, later"), ("raw.key", String(repeating: "0b", count: 32)),
    ] {
      try shell.write("\(words)\n", to: name)
    }
    return shell
  }

  private func open(_ shell: GuideShell, _ name: String, _ key: VaultKey) throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    let vault = try Vault(at: shell.folder.file(name), key: key, configuration: configuration)
    try vault.open()
    return vault
  }

  /// The key that the vault's pages are encrypted with at last.
  private func digitsOfDataKey(_ shell: GuideShell) throws -> String {
    let path = shell.folder.file("school.vault")
    let words = try shell.read("words-new.key")
    let unlocked = try UnlockedKeyring(
      KeyringFile(besideVault: path), key: .passphrase(words, slot: "words"))
    let start = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(FileSalt.count)
    let key = try unlocked.dataKey(of: try #require(FileSalt(start)))
    return key.withUnsafeBytes { bytes in
      bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
  }

  /// Creates the two vaults whose passphrase leaks, and a copy of the keyring from before.
  private func prepareLeak(_ shell: GuideShell) throws {
    try shell.makeFolder("copies")
    let path = shell.folder.file("payroll.vault")
    let words = SlotKey.passphrase("correct horse", slot: "words")
    for (name, key) in [
      ("payroll.vault", VaultKey.keyring(words)), ("diary.vault", .passphrase("correct horse")),
    ] {
      let vault = try Vault(at: shell.folder.file(name), key: key)
      try vault.open()
      vault.close()
    }
    try VaultKeyring(ofVaultAt: path).addSlot("ben", .passphrase("of Ben"), unlockedBy: words)
    try FileManager.default.copyItem(
      atPath: path + ".keyring", toPath: shell.folder.file("old.keyring"))
  }

  /// Expects that the leaked passphrase opens neither vault, and that the kept keys do.
  private func expectLeakEnded(_ shell: GuideShell) throws {
    let leaked = SlotKey.passphrase("correct horse", slot: "words")
    let path = shell.folder.file("payroll.vault")
    #expect(code { _ = try open(shell, "payroll.vault", .keyring(leaked)) } == .wrongKey)
    let old = VaultKey.keyring(leaked, at: shell.folder.file("old.keyring"))
    #expect(code { _ = try open(shell, "payroll.vault", old) } == .keyringMismatch)
    #expect(
      code { _ = try open(shell, "diary.vault", .passphrase("correct horse")) } == .wrongKey)
    #expect(try VaultKeyring(ofVaultAt: path).slots().map(\.name).sorted() == ["ben", "words"])
    let fresh = VaultKey.keyring(.passphrase("battery staple", slot: "words"))
    for (name, key) in [
      ("payroll.vault", fresh), ("copies/payroll.vault", fresh),
      ("payroll.vault", .keyring(.passphrase("of Ben", slot: "ben"))),
      ("diary.vault", .passphrase("battery staple")),
    ] {
      try open(shell, name, key).close()
    }
  }

  @Test("hold no command about keys that does not work as it stands there")
  func keys() throws {
    let shell = try prepared()
    let notes = try Vault(at: shell.folder.file("notes.vault"), key: .passphrase("correct horse"))
    try notes.open()
    notes.close()
    try prepareLeak(shell)
    let commands = try GuideShell.commands(of: "Keys")
    #expect(commands.count == 26)
    for command in commands {
      let (output, code) = try shell.run(command)
      #expect(code == 0, "\(command): \(output)")
      if command.contains("keys generate") {
        #expect(try shell.read("server.recipient").hasPrefix("ovrecipient1"))
      }
      if command.contains("--identity") { #expect(!output.contains("OVIDENTITY")) }
      if command.contains("keys recovery") {
        let printed = try #require(output.firstMatch(of: #/([0-9A-Z]{6}-){7}[0-9A-Z]{6}/#))
        try shell.write("\(printed.output.0)\n", to: "code.txt")
      }
      if command.contains("keys list") { #expect(output.contains("words")) }
      if command.contains("keys test") {
        #expect(output.contains(command.contains("--identity") ? "'server'" : "'ben'"))
      }
    }
    try expectLeakEnded(shell)
    let secrets = try [
      "words.key", "words-new.key", "ben.key", "ben-new.key", "raw.key", "code.txt",
    ].map(shell.read)
    try shell.expectNothingTold(
      of: secrets + [digitsOfDataKey(shell)], in: commands.filter { $0.contains("keys") }.count)
    // The state that the guide leads to.
    let path = shell.folder.file("school.vault")
    let slots = try VaultKeyring(ofVaultAt: path).slots()
    #expect(slots.map(\.name).sorted() == ["recovery", "server", "words"])
    let identity = shell.folder.file("server.identity")
    try open(shell, "school.vault", .keyring(.identity(identity))).close()
    let vault = try open(
      shell, "school.vault", .keyring(.passphrase("battery staple", slot: "words")))
    vault.close()
    for words in ["correct horse", "of Ben", "of Ben, later"] {
      let refusal = code {
        _ = try open(shell, "school.vault", .keyring(.passphrase(words, slot: "words")))
      }
      #expect(refusal == .wrongKey)
    }
    let recovered = try open(
      shell, "school.vault", .keyring(.recoveryCode(shell.read("code.txt"))))
    recovered.close()
    let raw = try open(shell, "notes.vault", .raw([UInt8](repeating: 0x0B, count: 32)))
    raw.close()
    #expect(
      FileManager.default.fileExists(atPath: shell.folder.file("notes.vault.keyring.retired")))
  }

  @Test("hold no command about threats that does not work as it stands there")
  func threats() throws {
    let shell = try prepared()
    try shell.makeFolder("copies")
    let vault = try Vault(
      at: shell.folder.file("school.vault"), key: .keyring(.passphrase("correct horse")))
    #expect(try vault.commitCount() == 1)
    _ = try vault.store(of: MarkedObject.self).insert(MarkedObject("kept", number: 1))
    let count = try vault.commitCount()
    vault.close()
    let commands = try GuideShell.commands(of: "ThreatModel")
    #expect(commands.count == 4)
    for command in commands {
      let (output, code) = try shell.run(command)
      // The doctor may find something to do on this machine.
      let isFine = code == 0 || command.contains("doctor") && code == 1
      #expect(isFine, "\(command): \(output)")
    }
    let expecting = try #require(commands.first { $0.contains("--expect-counter") })
    let later = expecting.replacingOccurrences(
      of: "--expect-counter 1", with: "--expect-counter \(count + 1)")
    #expect(try shell.run(later).code == 1)
    for name in ["copies/school.vault", "copies/school.vault.keyring"] {
      #expect(FileManager.default.fileExists(atPath: shell.folder.file(name)))
    }
  }

  @Test("say in Swift what compiles and does what they say")
  func swift() throws {
    let shell = try prepared()
    let path = shell.folder.file("school.vault")
    let stick = shell.folder.file("ben.stick")
    try shell.write(String(repeating: "k", count: 40), to: "ben.stick")
    let words = SlotKey.passphrase("correct horse", slot: "words")
    let vault = try Vault(at: path, key: .keyring(words))
    try vault.open()
    defer { vault.close() }
    let keyring = try VaultKeyring(ofVaultAt: path)
    let identity = try KeyringIdentity.generate()
    let file = shell.folder.file("backup.identity")
    try identity.write(to: file)
    try keyring.addSlot("backup", .recipient(identity.recipient), unlockedBy: words)
    let opened = try Vault(at: path, key: .keyring(.identity(file)))
    #expect(try opened.commitCount() == 1)
    opened.close()
    let token = Token()
    try keyring.addSlot("token", .provider(token), unlockedBy: words)
    let unlocked = try Vault(at: path, key: .keyring(.provider(token)))
    #expect(try unlocked.commitCount() == 1)
    unlocked.close()
    try keyring.addSlot("ben", .passphrase("of Ben"), unlockedBy: words)
    let code = try keyring.addRecoveryCode(unlockedBy: words)
    #expect(code.withUnsafeBytes { $0.count } == 55)
    try keyring.changeKey(ofSlot: "ben", to: .keyFile(stick), unlockedBy: words)
    #expect(try keyring.test(.keyFile(stick)).name == "ben")
    try vault.rotate(unlockedBy: words, keeping: [words])
    #expect(try keyring.slots().map(\.name) == ["words"])
  }

  /// A provider that reverses the bytes of the secret.
  private struct Token: KeyProvider {
    let name = "token"

    func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
      secret.withUnsafeBytes { $0.reversed() }
    }

    func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
      Secret(copying: wrapped.reversed())
    }

    func describe(_ wrapped: [UInt8]) throws(KeyError) -> String { "a test" }
  }

  @Test("say in Swift how a leaked passphrase is replaced")
  func leak() throws {
    let shell = try GuideShell()
    let path = shell.folder.file("payroll.vault")
    let leaked = SlotKey.passphrase("correct horse", slot: "words")
    let fresh = SlotKey.passphrase("battery staple", slot: "words")
    let vault = try Vault(at: path, key: .keyring(leaked))
    try vault.open()
    let keyring = try VaultKeyring(ofVaultAt: path)
    try keyring.addSlot("ben", .passphrase("of Ben"), unlockedBy: leaked)
    _ = try keyring.addRecoveryCode(unlockedBy: leaked)
    try keyring.changeKey(ofSlot: "words", to: fresh, unlockedBy: leaked)
    try vault.rotate(unlockedBy: fresh, keeping: [fresh, .passphrase("of Ben", slot: "ben")])
    // The handle that was opened with the leaked passphrase still works.
    #expect(try vault.commitCount() == 1)
    vault.close()
    #expect(try keyring.slots().map(\.name) == ["words", "ben"])
    #expect(code { _ = try open(shell, "payroll.vault", .keyring(leaked)) } == .wrongKey)
    try open(shell, "payroll.vault", .keyring(fresh)).close()
    let diary = try Vault(at: shell.folder.file("diary.vault"), key: .passphrase("correct horse"))
    try diary.open()
    try diary.rekey(to: .passphrase("battery staple"))
    diary.close()
    #expect(
      code { _ = try open(shell, "diary.vault", .passphrase("correct horse")) } == .wrongKey)
    try open(shell, "diary.vault", .passphrase("battery staple")).close()
  }
}
