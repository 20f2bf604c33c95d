import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The tool and key providers", .cheapSlots) struct ProviderCommandTests {
  private let tool: KeyringTool
  private var locked: String { tool.folder.file("locked") }
  private var waiting: String { tool.folder.file("waiting") }
  private var broken: String { tool.folder.file("broken") }

  init() throws {
    tool = try KeyringTool()
    try writeProgram()
  }

  /// Writes a provider program that returns what it gets, unless the file `locked` exists.
  ///
  /// If the file `waiting` exists, the program writes the number of its process to it and waits. If
  /// the file `broken` exists, it decrypts other bytes than it encrypted.
  private func writeProgram() throws {
    let script = """
      #!/bin/sh
      echo "objectvault-key 1"
      while read -r keyword value; do
        case "$keyword" in
        objectvault-key) command="${value#* }" ;;
        secret | wrapped) content="$value" ;;
        end) break ;;
        esac
      done
      [ ! -e '\(waiting)' ] || { echo $$ > '\(waiting)'; exec sleep 3600; }
      [ ! -e '\(locked)' ] || { echo "error locked TG9ja2VkLg=="; exit; }
      case "$command" in
      wrap) echo "wrapped $content" ;;
      unwrap)
        [ ! -e '\(broken)' ] || content=\(Data(count: 32).base64EncodedString())
        echo "secret $content"
        ;;
      describe) echo "text ZmFrZSB0b2tlbg==" ;;
      esac

      """
    try ProgramFile.write(script, to: tool.folder.file("objectvault-key-fake"))
  }

  /// The environment in which the tool finds the program.
  private var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return tool.environment.merging(["PATH": tool.folder.path + ":" + path]) { $1 }
  }

  private func run(_ arguments: [String]) throws -> ChildProcess {
    try TestTool.bare(arguments, environment: environment)
  }

  /// Adds the slot "token", unlocked by the key "A".
  private func add(_ provider: String = "fake") throws -> ChildProcess {
    try run([
      "keys", "add", tool.vault, "token", "--raw-key", "--key-env", "A", "--new-provider", provider,
    ])
  }

  private func keyring() throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: tool.vault + ".keyring"))
  }

  @Test("open the vault with the provider of a slot", .covers("K7"))
  func opening() throws {
    let added = try add()
    #expect(added.status == 0 && added.output == "Added the slot 'token' (key provider).\n")
    for arguments in [
      ["classes", tool.vault], ["keys", "test", tool.vault], ["keys", "rotate", tool.vault],
      ["keys", "rename", tool.vault, "token", "stick"],
      ["keys", "rotate", tool.vault, "--revoke", "--drop", "main", "--yes"],
    ] {
      let result = try run(arguments + ["--provider", "fake"])
      #expect(result.status == 0, "\(arguments): \(result.errors)")
    }
    #expect(try VaultKeyring(ofVaultAt: tool.vault).slots().map(\.name) == ["stick"])
    let plain = try run(["keys", "list", tool.vault])
    #expect(plain.output.contains("fake") && !plain.output.contains("fake token"))
    let described = try run(["keys", "list", tool.vault, "--describe"])
    #expect(described.output.contains("fake: fake token"))
  }

  @Test("keep the slot of a provider when others are revoked")
  func revocation() throws {
    #expect(try add().status == 0)
    let refused = try run([
      "keys", "rotate", tool.vault, "--revoke", "--yes", "--raw-key", "--key-env", "A",
    ])
    #expect(refused.status == 64 && refused.errors.contains("'token'"))
    let kept = try run([
      "keys", "rotate", tool.vault, "--revoke", "--yes", "--raw-key", "--key-env", "A",
      "--keep-provider", "token=fake",
    ])
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try run(["classes", tool.vault, "--provider", "fake"]).status == 0)
  }

  @Test("report a provider that is missing or locked, and change nothing", .covers("K8"))
  func failures() throws {
    #expect(try add("missing").status == 69)
    #expect(try add("Not/valid").status == 77)
    #expect(try add().status == 0)
    let before = try keyring()
    try Data().write(to: URL(fileURLWithPath: locked))
    let refused = try run(["classes", tool.vault, "--provider", "fake"])
    #expect(refused.status == 77 && refused.errors.contains("Locked."))
    let key = ["--raw-key", "--key-env", "A"]
    #expect(
      try run(["keys", "add", tool.vault, "more", "--new-provider", "fake"] + key).status == 77)
    let new = tool.folder.file("new.vault")
    #expect(try run(["create", new, "--keyring", "--provider", "fake"]).status == 77)
    try FileManager.default.removeItem(atPath: tool.folder.file("objectvault-key-fake"))
    #expect(try run(["classes", tool.vault, "--provider", "fake"]).status == 69)
    #expect(try run(["create", new, "--keyring", "--provider", "fake"]).status == 69)
    #expect(try keyring() == before)
    #expect(!FileManager.default.fileExists(atPath: new))
    #expect(!FileManager.default.fileExists(atPath: new + ".keyring"))
    // The other slots open as before.
    #expect(try run(["classes", tool.vault] + key).status == 0)
  }

  @Test("reject a provider that does not decrypt what it encrypted", .covers("K8"))
  func brokenProvider() throws {
    try Data().write(to: URL(fileURLWithPath: broken))
    let before = try keyring()
    let new = tool.folder.file("new.vault")
    let key = ["--raw-key", "--key-env", "A"]
    for arguments in [
      ["keys", "add", tool.vault, "token", "--new-provider", "fake"] + key,
      ["keys", "change", tool.vault, "--new-provider", "fake"] + key,
      ["create", new, "--keyring", "--provider", "fake"],
    ] {
      let result = try run(arguments)
      #expect(result.status == 77, "\(arguments): \(result.errors)")
      #expect(result.errors.contains("does not decrypt what it encrypted, so nothing was written."))
    }
    #expect(try keyring() == before)
    #expect(!FileManager.default.fileExists(atPath: new + ".keyring"))
    #expect(try run(["classes", tool.vault] + key).status == 0)
  }

  @Test(
    "end the program of a provider at a signal, and the command with the signal",
    arguments: [
      ("verify", SIGTERM, true), ("verify", SIGINT, true), ("classes", SIGTERM, false),
    ] as [(String, Int32, Bool)])
  func stopped(command: String, signal: Int32, isWatching: Bool) throws {
    #expect(try add().status == 0)
    try Data().write(to: URL(fileURLWithPath: waiting))
    let terminal = try PseudoTerminal(
      "objectvault", [command, tool.vault, "--provider", "fake"], columns: 300,
      environment: environment)
    var process: Int32?
    for _ in 0..<3_000 where process == nil {
      usleep(10_000)
      let text = try String(contentsOfFile: waiting, encoding: .utf8)
      process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    let provider = try #require(process)
    terminal.signal(signal)
    let end = terminal.waitForEnd()
    #expect(end.exited == isWatching, "\(terminal.transcript)")
    #expect(end.status == (isWatching ? 128 + signal : signal))
    #expect(terminal.transcript.contains("Stopped. Nothing was changed.") == isWatching)
    #expect(kill(provider, 0) != 0)
  }

  @Test("reject a provider next to another key")
  func contradictions() throws {
    for options in [
      ["--new-provider", "fake", "--new-key-env", "B"],
      ["--new-provider", "fake", "--new-kind", "raw"],
      ["--new-provider", "fake", "--recipient", "x"], ["--new-provider-settings", "x"],
    ] {
      let result = try run(
        ["keys", "add", tool.vault, "x", "--raw-key", "--key-env", "A"] + options)
      #expect(result.status == 64, "\(options)")
    }
    #expect(
      try run(["rekey", tool.vault, "--raw-key", "--key-env", "A", "--new-provider", "fake"]).status
        == 64)
  }
}
