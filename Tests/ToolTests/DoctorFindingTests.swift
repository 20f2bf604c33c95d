import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultPlatform

// Keyrings, unfinished work, and the form for programs.
extension DoctorTests {
  /// A keyring with one slot that is opened by a raw key, for the file of a vault or for another one.
  private func keyring(for tool: TestTool, isOther: Bool = false) throws -> OpenKeyring {
    var keyring = try OpenKeyring.make(
      for: Array(repeating: 1, count: 16),
      opening: .raw(Secret(copying: Array(repeating: 2, count: 32))), named: "machine")
    let start = try Data(contentsOf: URL(fileURLWithPath: tool.vault)).prefix(16)
    let salt = try isOther ? FileSalt.random() : #require(FileSalt(start))
    _ = try keyring.addEpoch(salt: salt, format: .format3, pageSize: 4096, state: .current)
    return keyring
  }

  @Test("a keyring that goes with its vault is told with its slots, and is no finding")
  func soundKeyring() throws {
    let tool = try TestTool.withVault()
    try KeyringFile(besideVault: tool.vault).store(keyring(for: tool).keyring, replacing: nil)
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(result.output.contains("  \(tool.vault).keyring: 1 slot: machine (raw key)\n"))
    #expect(result.output.contains("  keyring and vault: match"))
    #expect(!result.output.contains("! \(tool.folder.path)"), "\(result.output)")
  }

  @Test(
    "a keyring of another file, a spare copy that differs or is missing, and open rights are found")
  func keyringFindings() throws {
    let tool = try TestTool.withVault()
    let file = KeyringFile(besideVault: tool.vault)
    var other = try keyring(for: tool, isOther: true)
    try file.store(other.keyring, replacing: nil)
    let foreign = try TestTool.bare(["doctor", tool.vault])
    #expect(foreign.code == 1)
    #expect(foreign.output.contains("! keyring and vault: the keyring has no key for this file"))
    #expect(foreign.output.contains("--no-keyring"))

    // A change that ended after the spare copy was written.
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let generation = other.keyring.generation
    try other.addSlot("second", opening: .raw(Secret(copying: Array(repeating: 3, count: 32))))
    try file.store(other.keyring, replacing: generation)
    try before.write(to: URL(fileURLWithPath: file.path))
    let cutOff = try TestTool.bare(["doctor", tool.vault])
    #expect(
      cutOff.output.contains(
        "! \(file.sparePath): differs from the keyring: a change was interrupted"))
    #expect(cutOff.output.contains("cp -p '\(file.path)' '\(file.sparePath)'"))

    try FileManager.default.removeItem(atPath: file.sparePath)
    chmod(file.path, 0o640)
    let open = try TestTool.bare(["doctor", tool.vault])
    #expect(open.output.contains("! \(file.sparePath): missing"))
    #expect(open.output.contains("! \(file.path): rights 0640"))
    // A new passphrase alone does not lock out a person who has a copy of the keyring.
    #expect(open.output.contains("'keys rotate --revoke'"), "\(open.output)")

    try Data("{}".utf8).write(to: URL(fileURLWithPath: file.path))
    let unreadable = try TestTool.bare(["doctor", tool.vault])
    #expect(unreadable.output.contains("! \(file.path): The keyring cannot be read"))
    try before.write(to: URL(fileURLWithPath: file.sparePath))
    let fromSpare = try TestTool.bare(["doctor", tool.vault])
    #expect(
      fromSpare.output.contains(
        "! \(file.path): not usable; its spare copy is used (1 slot: machine (raw key)). The keyring "
          + "cannot be read"), "\(fromSpare.output)")
    try FileManager.default.removeItem(atPath: file.path)
    let missing = try TestTool.bare(["doctor", tool.vault])
    #expect(
      missing.output.contains(
        "! \(file.path): missing; its spare copy is used (1 slot: machine (raw key))\n"),
      "\(missing.output)")
    #expect(missing.output.contains("Run: cp -p '\(file.sparePath)' '\(file.path)'"))
  }

  @Test("a keyring without its vault is a finding; no vault and no keyring is 66")
  func keyringAlone() throws {
    let tool = try TestTool.withVault()
    try KeyringFile(besideVault: tool.vault).store(keyring(for: tool).keyring, replacing: nil)
    try FileManager.default.removeItem(atPath: tool.vault)
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(result.code == 1)
    #expect(result.output.contains("! \(tool.vault).keyring: a keyring without its vault"))
  }

  @Test("unfinished copies and keyrings are found, and removed by --clean unless somebody has them")
  func unfinishedWork() throws {
    let tool = try TestTool.withVault()
    let copy = try tool.write("half", to: ".test.vault.copying")
    for suffix in ["-journal", "-wal", "-shm"] {
      try tool.write("", to: ".test.vault.copying\(suffix)")
    }
    let keyring = try tool.write("{", to: "test.vault.keyring.new")
    try tool.write("keep", to: "test.vault.bak")
    let found = try TestTool.bare(["doctor", tool.vault])
    #expect(found.code == 1)
    #expect(
      found.output.contains("! \(copy): 4 bytes, a copy of the vault that was never completed"))
    #expect(found.output.contains("! \(keyring): 1 bytes, a keyring that was never completed"))
    #expect(found.output.contains("doctor --clean"))
    #expect(!found.output.contains(".copying-"), "\(found.output)")

    let lock = try #require(HeldLock(of: copy))
    let held = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(
      held.output.contains("  \(copy): 4 bytes, a copy of the vault that a process is writing"))
    #expect(FileManager.default.fileExists(atPath: copy))
    #expect(held.output.contains("  \(keyring): removed (1 bytes)"))
    lock.release()
    _ = try TestTool.bare(["doctor", tool.vault, "--clean"])
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    #expect(names == ["key", "test.vault", "test.vault.bak"])
    #expect(try tool.run("classes").code == 0)
    #expect(try TestTool.bare(["doctor", "--clean"]).code == 64)
  }

  @Test("a copy in plaintext is overwritten before --clean removes it")
  func plaintextCopy() throws {
    let tool = try TestTool.withVault()
    let text = "SQLite format 3\0" + String(repeating: "\0", count: 100) + "secret"
    let copy = try tool.write(text, to: ".other.db.copying")
    let file = try #require(FileHandle(forReadingAtPath: copy))
    defer { try? file.close() }
    let found = try TestTool.bare(["doctor", tool.vault])
    #expect(found.output.contains("! \(copy): 122 bytes, a copy in plaintext"), "\(found.output)")
    _ = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try file.readToEnd() == Data(count: 122))
  }

  @Test("a copy in plaintext with another name is removed and not overwritten")
  func linkedCopy() throws {
    let tool = try TestTool.withVault()
    let text = "SQLite format 3\0" + String(repeating: "\0", count: 100) + "secret"
    let other = try tool.write(text, to: "other.db")
    let copy = tool.folder.file(".other.db.copying")
    try FileManager.default.linkItem(atPath: other, toPath: copy)
    _ = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data(text.utf8))
  }

  @Test("a log that an interrupted restore moved away is never to be removed while it is needed")
  func logAside() throws {
    let tool = try TestTool.withVault()
    try tool.write("log", to: "test.vault-wal")
    try LogsAside(of: tool.vault).moveAway()
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(result.code == 1)
    #expect(
      result.output.contains("-wal: 3 bytes, the log of the vault, moved away by an interrupted"),
      "\(result.output)")
    #expect(result.output.contains("never remove it"))
    #expect(!result.output.contains("looks like a copy"), "\(result.output)")
    let warned = try tool.run("query", "Missing")
    #expect(warned.errors.contains("interrupted restore moved its log away"), "\(warned.errors)")
    let report = try tool.run("verify")
    #expect(report.code == 0)
    #expect(report.output.contains("-wal: the log of the file, moved away"), "\(report.output)")
    // The file was changed since.
    let other = timeval(tv_sec: 1, tv_usec: 0)
    try #require(utimes(tool.vault, [other, other]) == 0)
    let changed = try TestTool.bare(["doctor", tool.vault])
    #expect(changed.output.contains("-wal: 3 bytes, the log of an earlier state of the vault"))
    #expect(try !tool.run("verify").output.contains("moved away"))
  }

  @Test("a file with several names is a finding, and reading it is warned of")
  func severalNames() throws {
    let tool = try TestTool.withVault()
    try FileManager.default.linkItem(atPath: tool.vault, toPath: tool.folder.file("second"))
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(result.code == 1)
    #expect(result.output.contains("! names: 2 hard links"), "\(result.output)")
    #expect(try tool.run("verify").errors.contains("has 2 names (hard links)"))
    #expect(try tool.run("query", "Missing").errors.contains("has 2 names (hard links)"))
  }

  @Test("every keyring that the vault no longer uses is named as such")
  func retiredKeyrings() throws {
    let tool = try TestTool.withVault()
    for end in ["", "-2", "-3"] { try tool.write("{}", to: "test.vault.keyring.retired\(end)") }
    let result = try TestTool.bare(["doctor", tool.vault])
    for end in ["", "-2", "-3"] {
      #expect(
        result.output.contains("\(tool.vault).keyring.retired\(end): a keyring that the vault no "),
        "\(result.output)")
    }
    #expect(!result.output.contains("looks like a copy"), "\(result.output)")
  }

  @Test("the copy for an upgrade that was not committed is told from one that was")
  func copyForUpgrade() throws {
    let tool = try TestTool.withVault()
    try tool.write("first", to: "test.vault.before-upgrade")
    try tool.write("second", to: "test.vault.before-upgrade-2")
    try tool.write("", to: ".test.vault.upgrading-2")
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(
      result.output.contains("test.vault.before-upgrade: 5 bytes, looks like a copy of the vault"))
    #expect(
      result.output.contains(
        "test.vault.before-upgrade-2: 6 bytes, a copy for an upgrade that has not been committed"),
      "\(result.output)")
    #expect(!result.output.contains(".upgrading"), "\(result.output)")
  }

  @Test("what lies beside the file that a link leads to is found too")
  func link() throws {
    let tool = try TestTool.withVault()
    let other = try TemporaryFolder()
    let link = other.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool.vault)
    try tool.write("half", to: ".test.vault.copying")
    let result = try TestTool.bare(["doctor", link])
    #expect(result.output.contains(".test.vault.copying: 4 bytes"), "\(result.output)")
  }

  @Test("--format json has subject, result and remedy of each check, null where nothing is wrong")
  func json() throws {
    let tool = try TestTool.withVault()
    try tool.write("half", to: ".test.vault.copying")
    let result = try TestTool.bare(["doctor", tool.vault, "--format", "json"])
    #expect(result.code == 1)
    let checks = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(checks.allSatisfy { Set($0.keys) == ["subject", "result", "remedy"] })
    #expect(checks.contains { $0["subject"] as? String == "SQLCipher" && $0["remedy"] is NSNull })
    #expect(
      checks.contains { check in
        (check["subject"] as? String)?.hasSuffix(".copying") == true && check["remedy"] is String
      })
    #expect(checks.contains { $0["subject"] as? String == "key derivation, keyring" })
  }
}
