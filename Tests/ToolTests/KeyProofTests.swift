import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// What happens to a key that is not the right one.
@Suite("Keys that are rejected", .cheapSlots) struct KeyProofTests {
  private let passphrase = TestTool.passphrase

  @Test("a wrong passphrase takes one line, and --verbose explains it")
  func oneLine() throws {
    let tool = try TestTool.withVault(.passphrase)
    func run(_ arguments: String...) throws -> ChildProcess {
      try TestTool.bare(
        arguments + ["--key-env", "K"], environment: ["K": "Swordfish lane 1942"])
    }
    for command in [["classes", tool.vault], ["rekey", tool.vault, "--new-key-env", "K"]] {
      let short = try TestTool.bare(
        command + ["--key-env", "K"], environment: ["K": "Swordfish lane 1942"])
      #expect(short.code == 77)
      #expect(short.errors.hasPrefix("objectvault: The passphrase does not open '\(tool.vault)'"))
      #expect(short.errors.hasSuffix("Use --verbose to see other causes.\n"))
      let length = short.errors.count - tool.vault.count
      #expect(length < 140, "\(short.errors)")
      let long = try TestTool.bare(
        command + ["--key-env", "K", "--verbose"], environment: ["K": "Swordfish lane 1942"])
      #expect(long.code == 77)
      #expect(long.errors.contains("damaged salt"), "\(long.errors)")
      #expect(long.errors.contains("--keyring PATH"), "\(long.errors)")
    }
    let long = try run("rekey", tool.vault, "--new-key-env", "K", "--verbose")
    #expect(long.errors.contains("--from-kdf-iter"), "\(long.errors)")
  }

  @Test("a typed passphrase has three tries")
  func threeTries() throws {
    let tool = try TestTool.withVault(.passphrase)
    for subcommand in ["classes", "verify"] {
      let terminal = try PseudoTerminal("objectvault", [subcommand, tool.vault])
      #expect(terminal.expect("Passphrase for"))
      for _ in 1...2 {
        terminal.type("wrong\r")
        #expect(terminal.expect("Try again.\r\nPassphrase for"))
      }
      terminal.type(passphrase + "\r")
      #expect(terminal.wait() == 0, "\(terminal.transcript)")
    }
    let terminal = try PseudoTerminal("objectvault", ["classes", tool.vault])
    for _ in 1...3 {
      #expect(terminal.expect("Passphrase for"))
      terminal.type("wrong\r")
    }
    #expect(terminal.wait() == 77)
    #expect(terminal.transcript.components(separatedBy: "does not open").count == 4)
  }

  @Test("a key that is not typed has one try")
  func oneTry() throws {
    let tool = try TestTool.withVault(.passphrase)
    let terminal = try PseudoTerminal(
      "objectvault", ["classes", tool.vault, "--key-env", "K"], environment: ["K": "wrong"])
    #expect(terminal.wait() == 77)
    #expect(!terminal.transcript.contains("Try again."))
  }

  @Test("the present key is proved before a new one is asked for")
  func provedFirst() throws {
    let tool = try TestTool.withVault(.passphrase)
    let copy = tool.folder.file("copy")
    for arguments in [
      ["rekey", tool.vault], ["backup", tool.vault, "--to", copy, "--new-raw-key"],
    ] {
      // A key that is not typed is proved as well.
      let given = try PseudoTerminal(
        "objectvault", arguments + ["--key-env", "K"], environment: ["K": "wrong"])
      #expect(given.wait() == 77)
      #expect(!given.transcript.contains("New"), "\(given.transcript)")
    }
    let terminal = try PseudoTerminal("objectvault", ["rekey", tool.vault])
    #expect(terminal.expect("Passphrase for"))
    terminal.type("wrong\r")
    #expect(terminal.expect("Try again.\r\nPassphrase for"))
    terminal.type(passphrase + "\r")
    #expect(terminal.expect("New passphrase for"))
    terminal.type("next words\r")
    #expect(terminal.expect("Type it again: "))
    terminal.type("next words\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
  }

  @Test("several files are refused before a new key is asked for only if the key opens none")
  func severalFiles() throws {
    let tool = try TestTool.withVault(.passphrase)
    let missing = tool.folder.file("missing")
    let terminal = try PseudoTerminal("objectvault", ["rekey", missing, tool.vault])
    #expect(terminal.expect("Passphrase for the 2 files: "))
    terminal.type(passphrase + "\r")
    #expect(terminal.expect("New passphrase for the 2 files: "))
    terminal.type("\u{03}")
    #expect(!terminal.waitForEnd().exited)
  }

  @Test("a key of the form of a raw one gets a hint when it does not open as a passphrase")
  func rawHint() throws {
    let tool = try TestTool.withVault()
    let hex = String(repeating: "0b", count: 32)
    for source in [["--key-file", tool.keyFile], ["--key-env", "K"]] {
      let result = try TestTool.bare(["classes", tool.vault] + source, environment: ["K": hex])
      #expect(result.code == 77)
      #expect(result.errors.contains("use --raw-key"), "\(result.errors)")
      #expect(!result.errors.contains(hex))
    }
    let other = try TestTool.bare(
      ["classes", tool.vault, "--key-env", "K"], environment: ["K": hex + "z"])
    #expect(!other.errors.contains("--raw-key"))
  }

  @Test("--key-file - is standard input, and a shell's <(...) is a key file")
  func pipes() throws {
    let tool = try TestTool.withVault(.passphrase)
    let input = try TestTool.bare(
      ["classes", tool.vault, "--key-file", "-"], input: .pipe(Array((passphrase + "\n").utf8)))
    #expect(input.code == 0, "\(input.errors)")
    let both = try TestTool.bare(["import", tool.vault, "C", "-", "--key-file", "-"])
    #expect(both.code == 64)
    let twice = try TestTool.bare(["rekey", tool.vault, "--key-file", "-", "--new-key-file", "-"])
    #expect(twice.code == 64)
    let program = ChildProcess.path(of: "objectvault")
    let substituted = try SpawnedProgram.run(
      "/bin/sh",
      [
        "-c",
        "printf '%s' \"$K\" | { exec 7<&0; '\(program)' verify \"$V\" --key-file /dev/fd/7; }",
      ], environment: ["K": passphrase, "V": tool.vault])
    #expect(substituted.code == 0, "\(substituted.errors)")
  }

  @Test("keys of a keyring are proved before a new one is asked for, with three tries")
  func keyring() throws {
    let tool = try TestTool(.passphrase)
    let vault = try Vault(at: tool.vault, key: .keyring(.passphrase(passphrase)))
    try vault.open()
    vault.close()
    for arguments in [["add", tool.vault, "next"], ["change", tool.vault]] {
      let terminal = try PseudoTerminal("objectvault", ["keys"] + arguments)
      #expect(terminal.expect("Passphrase for"))
      terminal.type("wrong\r")
      #expect(terminal.expect("Try again.\r\nPassphrase for"))
      terminal.type(passphrase + "\r")
      #expect(terminal.expect("New passphrase for"))
      terminal.type("\u{03}")
      #expect(!terminal.waitForEnd().exited)
    }
  }
}
