import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("objectvault doctor") struct DoctorTests {
  @Test("names the engine, its formats, the libraries and what the process may do")
  func facts() throws {
    let result = try TestTool.bare(["doctor"])
    let engine = try Engine.prove()
    #expect(result.code == 0 || result.code == 1)
    #expect(result.code == (result.output.contains("\n! ") ? 1 : 0))
    let output = result.output
    #expect(output.contains("SQLCipher: \(engine.cipherVersion) at \(engine.imagePath)\n"))
    #expect(
      output.contains(
        engine.newestCipherFormat == 4
          ? "cipher formats read: 1, 2, 3, 4\n" : "cipher formats read: 1, 2, 3\n"))
    #expect(output.contains("SQLite inside: \(engine.sqliteVersion)\n"))
    #expect(output.contains("cryptography: "))
    for subject in [
      "key derivation, format 3: ", "key derivation, format 4: ", "memory locking: ",
      "core dumps: ", "umask: ", "temporary tables: in memory",
    ] { #expect(output.contains(subject)) }
    #expect(output.contains(/format 4: \d+ ms/))
  }

  @Test("a sound vault that nobody uses gives no finding of its own")
  func soundVault() throws {
    let tool = try TestTool.withVault()
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(!result.output.contains("! \(tool.folder.path)"))
    #expect(result.output.contains("rights: 0600\n"))
    #expect(result.output.contains("bytes, not in plaintext\n"))
  }

  @Test("Names in errors and in the report of a check cannot control the terminal")
  func escapes() throws {
    let tool = try TestTool.withVault()
    let unknown = try tool.run("query", "No\u{1B}[2J")
    #expect(unknown.code == 66)
    #expect(unknown.errors.contains(#"'No\u{1B}[2J'"#), "\(unknown.errors)")
    let path = try tool.write("not a vault", to: "a\u{1B}[2J.vault")
    let result = try TestTool.bare(["doctor", path] + tool.keyOptions)
    #expect(result.code == 1)
    #expect(result.output.contains("! cipher: not recognised"), "\(result.output)")
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test("A key that cannot be used is a finding with the message of its error")
  func unusableKey() throws {
    let tool = try TestTool.withVault()
    let result = try TestTool.bare(["doctor", tool.vault, "--slot", "x"] + tool.keyOptions)
    #expect(result.code == 1)
    #expect(
      result.output.contains("! cipher: not recognised\n    There is no keyring at '"),
      "\(result.output)")
  }

  @Test("what a killed program left, copies, rights and clear text are found, with a remedy")
  func findings() throws {
    let tool = try TestTool.withVault()
    try tool.write([UInt8](repeating: 1, count: 100), to: "test.vault-wal")
    try tool.write([UInt8](repeating: 1, count: 100), to: "test.vault-journal")
    try tool.write("copy", to: "test.vault.bak")
    try tool.write("other", to: "test.vaults")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tool.vault)
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(result.code == 1)
    #expect(result.output.contains("! \(tool.vault)-wal: 100 bytes, left by a program"))
    #expect(result.output.contains("! \(tool.vault)-journal: 100 bytes, left by a program"))
    #expect(result.output.contains("never remove it alone"))
    #expect(result.output.contains("! test.vault.bak: 4 bytes, looks like a copy"))
    #expect(!result.output.contains("test.vaults"))
    #expect(result.output.contains("! rights: 0644"))
    #expect(result.output.contains("chmod 600"))

    let plain = try tool.write(
      Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 100), to: "plain.db")
    let clear = try TestTool.bare(["doctor", plain])
    #expect(clear.code == 1)
    #expect(clear.output.contains("nothing in it is encrypted"))
  }

  @Test("--clean removes the copy of a rehearsal that was killed")
  func rehearsal() throws {
    let tool = try TestTool.withVault()
    let copies = RehearsalCopies(ofVaultAt: tool.vault)
    let copy = try copies.reserve()
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: copy.path))
    let held = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(
      held.output.contains(
        "  \(copy.path): 3 bytes, a copy of the vault that a process is writing\n"),
      "\(held.output)")
    #expect(FileManager.default.fileExists(atPath: copy.path))
    copies.abandon(copy)
    let found = try TestTool.bare(["doctor", tool.vault])
    #expect(found.code == 1 && !found.output.contains("looks like"), "\(found.output)")
    #expect(
      found.output.contains(
        "! \(copy.path): 3 bytes, a copy of the vault that was never completed\n"))
    let clean = try TestTool.bare(["doctor", tool.vault, "--clean"])
    #expect(clean.output.contains("  \(copy.path): removed (3 bytes)\n"))
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(!FileManager.default.fileExists(atPath: copy.path + ".lock"))
  }

  @Test("the log of a vault that is open elsewhere is no finding")
  func inUse() throws {
    let tool = try TestTool.withVault()
    let vault = try tool.opened()
    _ = try vault.store(
      of: ClassDescription("T", properties: [PropertyDescription("a", type: .int)]))
    let result = try TestTool.bare(["doctor", tool.vault])
    #expect(!result.output.contains("! \(tool.vault)"), "\(result.output)")
    #expect(result.output.contains("in use by process \(getpid())"), "\(result.output)")
    vault.close()
  }

  @Test("a vault that is not there is 66")
  func missing() throws {
    let tool = try TestTool()
    #expect(try TestTool.bare(["doctor", tool.vault]).code == 66)
  }
}
