import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The tool's keys") struct KeyTests {
  private let passphrase = TestTool.passphrase
  private let hex = String(repeating: "0a", count: 32)

  @Test("a key comes from a file, the environment or a descriptor, and all are the same key")
  func sources() throws {
    let tool = try TestTool.withVault(.passphrase)
    let file = try TestTool.bare(["classes", tool.vault, "--key-file", tool.keyFile])
    #expect(file.code == 0, "\(file.errors)")
    let environment = try TestTool.bare(
      ["classes", tool.vault, "--key-env", "VAULT_KEY"], environment: ["VAULT_KEY": passphrase])
    #expect(environment.code == 0, "\(environment.errors)")
    for number: Int32 in [0, 7] {
      let descriptor = try TestTool.bare(
        ["classes", tool.vault, "--key-fd", "\(number)"],
        descriptors: [number: Array((passphrase + "\n").utf8)])
      #expect(descriptor.code == 0, "\(descriptor.errors)")
    }
    let pipe = try TestTool.bare(
      ["classes", tool.vault, "--key-fd", "0"], input: .pipe(Array(passphrase.utf8)))
    #expect(pipe.code == 0, "\(pipe.errors)")
  }

  @Test("one newline at the end of a key file is not part of the key, a second one is")
  func newline() throws {
    let tool = try TestTool.withVault(.passphrase)
    let none = try tool.write(passphrase, to: "none", mode: 0o600)
    let two = try tool.write(passphrase + "\n\n", to: "two", mode: 0o600)
    #expect(try TestTool.bare(["classes", tool.vault, "--key-file", none]).code == 0)
    #expect(try TestTool.bare(["classes", tool.vault, "--key-file", two]).code == 77)
  }

  @Test("a raw key is read in hexadecimal from every source")
  func rawKey() throws {
    let tool = try TestTool(.passphrase)
    let key = try tool.write(hex + "\n", to: "raw", mode: 0o600)
    let made = try TestTool.bare(["create", tool.vault, "--raw-key", "--key-file", key])
    #expect(made.code == 0, "\(made.errors)")
    let opened = try TestTool.bare(
      ["classes", tool.vault, "--raw-key", "--key-env", "RAW"], environment: ["RAW": hex])
    #expect(opened.code == 0, "\(opened.errors)")
    let vault = try Vault(at: tool.vault, key: .raw([UInt8](repeating: 0x0A, count: 32)))
    try vault.open()
    vault.close()
    let asPassphrase = try TestTool.bare(["classes", tool.vault, "--key-file", key])
    #expect(asPassphrase.code == 77)
    let bad = try TestTool.bare(
      ["classes", tool.vault, "--raw-key", "--key-env", "RAW"], environment: ["RAW": "xyz"])
    #expect(bad.code == 77)
    #expect(bad.errors.contains("64 hexadecimal digits"), "\(bad.errors)")
    #expect(!bad.errors.contains("xyz"))
  }

  @Test("a wrong key is refused with 77, says so, and does not show it")
  func wrongKey() throws {
    let tool = try TestTool.withVault(.passphrase)
    let wrong = try TestTool.bare(
      ["query", tool.vault, "C", "--key-env", "K"], environment: ["K": "swordfish"])
    #expect(wrong.code == 77)
    #expect(wrong.output.isEmpty)
    #expect(wrong.errors.hasPrefix("objectvault: The passphrase does not open "))
    #expect(wrong.errors.contains("Check the key"))
    #expect(!wrong.errors.contains("swordfish"))
  }

  @Test("a key source that cannot be used is told apart from a wrong key")
  func unusableSources() throws {
    let tool = try TestTool.withVault(.passphrase)
    let missing = try TestTool.bare(["classes", tool.vault, "--key-file", tool.folder.file("no")])
    #expect(missing.code == 66)
    #expect(
      missing.errors.contains("cannot open the key file") || missing.errors.contains("Cannot"))
    let open = try tool.write(passphrase, to: "open", mode: 0o644)
    let readable = try TestTool.bare(["classes", tool.vault, "--key-file", open])
    #expect(readable.code == 77)
    #expect(readable.errors.contains("chmod 600"))
    let empty = try tool.write("\n", to: "empty", mode: 0o600)
    #expect(try TestTool.bare(["classes", tool.vault, "--key-file", empty]).code == 77)
    let unset = try TestTool.bare(["classes", tool.vault, "--key-env", "NOT_SET_ANYWHERE"])
    #expect(unset.code == 77)
    #expect(unset.errors.contains("NOT_SET_ANYWHERE"))
    #expect(try TestTool.bare(["classes", tool.vault, "--key-fd", "99"]).code == 77)
  }

  @Test("without a source and without a terminal the error names the options")
  func noTerminal() throws {
    let tool = try TestTool.withVault(.passphrase)
    let result = try TestTool.bare(["classes", tool.vault])
    #expect(result.code == 64)
    #expect(
      result.errors
        == "objectvault: No key was provided, and there is no terminal to ask on. Use --key-file "
        + "PATH, --key-env NAME or --key-fd NUMBER.\n")
  }

  @Test("two sources, a bad descriptor, and a key and a file on one input are refused")
  func contradictions() throws {
    let tool = try TestTool.withVault(.passphrase)
    let two = try TestTool.bare(
      ["classes", tool.vault, "--key-file", tool.keyFile, "--key-env", "K"])
    #expect(two.code == 64)
    #expect(two.errors.contains("not several"))
    #expect(try TestTool.bare(["classes", tool.vault, "--key-fd", "-1"]).code == 64)
    let both = try TestTool.bare(["import", tool.vault, "C", "-", "--key-fd", "0"])
    #expect(both.code == 64)
    #expect(both.errors.contains("both the key and the file"))
  }

  // MARK: The terminal

  @Test("on a terminal the key is asked for without echo")
  func prompt() throws {
    let tool = try TestTool.withVault(.passphrase)
    let terminal = try PseudoTerminal("objectvault", ["classes", tool.vault])
    #expect(terminal.expect("Passphrase for '\(tool.vault)': "))
    terminal.type(passphrase + "\r")
    #expect(terminal.wait() == 0)
    #expect(!terminal.transcript.contains(passphrase))
    #expect(terminal.transcript.contains("No classes yet."))
  }

  @Test("a new key is asked for twice, and two that differ make nothing")
  func promptTwice() throws {
    let tool = try TestTool(.passphrase)
    let slip = try PseudoTerminal("objectvault", ["create", tool.vault])
    #expect(slip.expect("Passphrase for"))
    slip.type("one\r")
    #expect(slip.expect("Type it again: "))
    slip.type("two\r")
    #expect(slip.wait() == 77)
    #expect(slip.transcript.contains("The two entries differ."))
    #expect(!FileManager.default.fileExists(atPath: tool.vault))

    let made = try PseudoTerminal("objectvault", ["create", tool.vault])
    #expect(made.expect("Passphrase for"))
    made.type(passphrase + "\r")
    #expect(made.expect("Type it again: "))
    made.type(passphrase + "\r")
    #expect(made.wait() == 0)
    #expect(!made.transcript.contains(passphrase))
    #expect(try tool.run("classes").code == 0)
  }

  @Test("typing errors can be taken back, also of characters of several bytes")
  func promptEditing() throws {
    let tool = try TestTool.withVault(.passphrase)
    let terminal = try PseudoTerminal("objectvault", ["classes", tool.vault])
    #expect(terminal.expect("Passphrase for"))
    terminal.type("rubbish\u{15}\(passphrase)€\u{7F}x\u{7F}\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
  }

  @Test("a raw key is asked for by that name")
  func promptRaw() throws {
    let tool = try TestTool(.passphrase)
    let vault = try Vault(at: tool.vault, key: .raw([UInt8](repeating: 0x0A, count: 32)))
    try vault.open()
    vault.close()
    let terminal = try PseudoTerminal("objectvault", ["classes", tool.vault, "--raw-key"])
    #expect(terminal.expect("Raw key (hexadecimal) for"))
    terminal.type(hex + "\r")
    #expect(terminal.wait() == 0)
    #expect(!terminal.transcript.contains(hex))
  }
}
