import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("A keyring whose file was never finished")
struct UnfinishedKeyringTests {
  private func kill(_ operation: String, _ path: String, _ other: String = "") throws {
    let child = try ChildProcess.run("killed-copying", operation, path, other)
    #expect(!child.exited && child.status == SIGKILL, "\(child.output)")
  }

  private let environment = KeyringTool.keys

  @Test("is ignored with a warning, found by verify and doctor, and replaced by the next run")
  func rekey() throws {
    let tool = try TestTool.withVault()
    try kill("to-keyring", tool.vault)
    #expect(VaultKeyringFile.exists(tool.vault))
    let classes = try tool.run("classes")
    #expect(classes.code == 0, "\(classes.errors)")
    #expect(classes.errors.contains("never completed and is ignored"), "\(classes.errors)")
    let listed = try TestTool.bare(["keys", "list", tool.vault])
    #expect(listed.code == 1)
    #expect(listed.errors.contains("has no key for this file"))
    let verified = try tool.run("verify")
    #expect(verified.code == 1)
    #expect(verified.output.contains("never completed"), "\(verified.output)")
    let doctor = try TestTool.bare(["doctor", tool.vault])
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("! keyring and vault: the keyring is that of a file"))

    let again = try TestTool.bare(
      ["rekey", tool.vault, "--to", "keyring", "--new-raw-key", "--new-key-env", "A"]
        + tool.keyOptions, environment: environment)
    #expect(again.code == 0, "\(again.errors)")
    let opened = try TestTool.bare(
      ["classes", tool.vault, "--raw-key", "--key-env", "A"], environment: environment)
    #expect(opened.code == 0, "\(opened.errors)")
    #expect(!opened.errors.contains("Warning"))
    #expect(try TestTool.bare(["keys", "list", tool.vault]).code == 0)
  }

  @Test("is retired by doctor --clean, after which nothing else is left of the interrupted work")
  func clean() throws {
    let tool = try TestTool.withVault()
    try kill("to-keyring", tool.vault)
    let cleaned = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(cleaned.output.contains(".retired': its file was never completed"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
        == ["key", "test.vault", "test.vault.keyring.retired"])
    let classes = try tool.run("classes")
    #expect(classes.code == 0 && classes.errors.isEmpty, "\(classes.errors)")
  }

  @Test("with the key of a damaged file recovers the file after doctor --clean")
  func damagedStart() throws {
    let tool = try KeyringTool()
    let file = KeyringFile(besideVault: tool.vault)
    let unlocked = try UnlockedKeyring(file, key: KeyringTool.slotKey("A"))
    // The process was killed before it recorded that its file was in place.
    _ = try unlocked.storing { keyring throws(KeyError) in
      let epoch = unlocked.keyring.keyring.epochs[0]
      keyring = try keyring.forCopy()
      try keyring.addEpoch(
        wrapping: unlocked.dataKey(of: epoch.salt), salt: epoch.salt, format: epoch.format,
        pageSize: epoch.pageSize, header: epoch.header, state: .pending)
    }
    let pages = Array(try tool.bytes().dropFirst(16))
    try tool.write([UInt8](repeating: 7, count: 16) + pages, to: "test.vault")
    let cleaned = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(cleaned.output.contains(".retired': its file was never completed"))
    #expect(!file.exists)
    let copy = tool.folder.file("copy.vault")
    let salvaged = try tool.run([
      "salvage", tool.vault, "--to", copy, "--raw-key", "--key-env", "A", "--keyring",
      file.retiredPath,
    ])
    #expect(try tool.opens("A", copy), "\(salvaged.errors)")
  }

  @Test("its empty log is not removed by doctor --clean while the vault is open")
  func logInUse() throws {
    let tool = try TestTool.withVault()
    let vault = try tool.opened()
    try vault.open()
    let log = tool.vault + "-wal"
    #expect(FileManager.default.fileExists(atPath: log))
    _ = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(FileManager.default.fileExists(atPath: log))
    vault.close()
  }

  @Test("is not removed by doctor --clean while a process is at work on the copy")
  func inWork() throws {
    let tool = try TestTool.withVault()
    try kill("to-keyring", tool.vault)
    let lock = try #require(HeldLock(of: tool.folder.file(".test.vault.copying")))
    _ = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(VaultKeyringFile.exists(tool.vault))
    lock.release()
  }

  @Test("after an interrupted restore the old vault opens, and the next run restores all slots")
  func restore() throws {
    let tool = try TestTool.withVault()
    let other = try KeyringTool()
    #expect(try other.keys("add", "bob", "--new-key-env", "B", "--new-raw-key").code == 0)
    try kill("restore", other.vault, tool.vault)
    let classes = try tool.run("classes")
    #expect(classes.code == 0, "\(classes.errors)")
    #expect(classes.errors.contains("Warning: the keyring"))
    let again = try other.run([
      "restore", other.vault, "--to", tool.vault, "--replace", "--yes", "--raw-key", "--key-env",
      "A",
    ])
    #expect(again.code == 0, "\(again.errors)")
    for name in ["A", "B"] { #expect(try other.opens(name, tool.vault)) }
  }

  @Test("after an interrupted salvage is found without a vault, and replaced by the next run")
  func salvage() throws {
    let tool = try KeyringTool()
    let copy = tool.folder.file("copy.vault")
    try kill("salvage", tool.vault, copy)
    let doctor = try TestTool.bare(["doctor", copy])
    #expect(doctor.code == 1)
    #expect(
      doctor.output.contains("! \(copy).keyring: the keyring of a file that was never completed"),
      "\(doctor.output)")
    let again = try tool.run(["salvage", tool.vault, "--to", copy, "--raw-key", "--key-env", "A"])
    #expect(again.code == 0, "\(again.errors)")
    #expect(try tool.opens("A", copy))
  }

  @Test("a keyring of a file that has its own key since is ignored with a warning")
  func ownKeySince() throws {
    let keyrings = try KeyringTool()
    let saved = try keyrings.bytes(keyrings.vault + ".keyring")
    let rekeyed = try keyrings.run([
      "rekey", keyrings.vault, "--to", "raw", "--raw-key", "--key-env", "A", "--new-key-env", "B",
    ])
    #expect(rekeyed.code == 0, "\(rekeyed.errors)")
    // The process ended before the keyring was put aside.
    try keyrings.write(Array(saved), to: "test.vault.keyring")
    let opened = try keyrings.run(["classes", keyrings.vault, "--raw-key", "--key-env", "B"])
    #expect(opened.code == 0, "\(opened.errors)")
    #expect(opened.errors.contains("has no key for the file and is ignored"))
    let wrong = try keyrings.run(["classes", keyrings.vault, "--raw-key", "--key-env", "A"])
    #expect(wrong.code != 0)
  }

  @Test("a decryption that was killed leaves a copy in plaintext that doctor finds and removes")
  func decrypt() throws {
    let tool = try TestTool.withVault()
    let target = try TemporaryFolder()
    try kill("decrypt", tool.vault, target.file("out.db"))
    let left = target.file(".out.db.copying")
    #expect(FileManager.default.fileExists(atPath: left))
    // A path in the folder is enough, also of a file that is not there.
    let found = try TestTool.bare(["doctor", target.file("out.db")])
    #expect(found.code == 1)
    #expect(found.output.contains("! \(left): "), "\(found.output)")
    _ = try TestTool.bare(["doctor", target.file("out.db"), "--clean"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
  }
}

private enum VaultKeyringFile {
  static func exists(_ vault: String) -> Bool {
    FileManager.default.fileExists(atPath: vault + ".keyring")
  }
}
