import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The tool and keyrings", .cheapSlots) struct KeyringOptionTests {
  @Test("create --keyring makes a vault with one slot, of the kind and name that were said")
  func create() throws {
    let tool = try TestTool()
    let made = try TestTool.bare(
      ["create", tool.vault, "--keyring"] + tool.keyOptions)
    #expect(made.code == 0, "\(made.errors)")
    #expect(
      made.output.contains(
        "Store its keyring, '\(tool.vault).keyring' (slot 'main'), with it: without the keyring no "
          + "one can open the vault."))
    #expect(try tool.run("classes").code == 0)
    let other = tool.folder.file("other.vault")
    let file = try tool.write((0..<32).map { $0 &* 3 }, to: "file.key", mode: 0o600)
    let named = try TestTool.bare([
      "create", other, "--keyring", "--slot", "desk", "--key-kind", "key-file", "--key-file", file,
    ])
    #expect(named.code == 0, "\(named.errors)")
    let slots = try VaultKeyring(ofVaultAt: other).slots()
    #expect(slots.map(\.name) == ["desk"])
    #expect(slots.map(\.kind) == [.keyFile])
    for arguments in [["--slot", "x"], ["--key-kind", "raw"]] {
      #expect(try tool.run("create", arguments[0], arguments[1]).code == 64)
    }
    let untyped = try TestTool.bare(["create", other, "--keyring", "--key-kind", "key-file"])
    #expect(untyped.code == 64)
    #expect(untyped.errors.contains("Use --key-file PATH"))
  }

  @Test("a passphrase for a keyring is asked for twice, and one for the vault opens it")
  func createAtTerminal() throws {
    let tool = try TestTool(.passphrase)
    let terminal = try PseudoTerminal(
      "objectvault", ["create", tool.vault, "--keyring"], columns: 300)
    #expect(terminal.expect("Passphrase for '\(tool.vault)': "))
    terminal.type(TestTool.passphrase + "\r")
    #expect(terminal.expect("Type it again: "))
    terminal.type(TestTool.passphrase + "\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    #expect(!terminal.transcript.contains(TestTool.passphrase))
    #expect(try VaultKeyring(ofVaultAt: tool.vault).slots().map(\.kind) == [.passphrase])
    #expect(try tool.run("classes").code == 0)
  }

  @Test("a keyring that an earlier vault left is not taken for that of a new one")
  func leftOver() throws {
    let tool = try KeyringTool()
    try FileManager.default.removeItem(atPath: tool.vault)
    let plain = try tool.run(["create", tool.vault, "--raw-key", "--key-env", "A"])
    #expect(plain.code == 73)
    #expect(plain.errors.contains("is left over from an earlier vault"))
    let keyring = try tool.run(["create", tool.vault, "--keyring", "--raw-key", "--key-env", "B"])
    #expect(keyring.code == 73, "\(keyring.errors)")
    #expect(keyring.errors.contains("is left over from an earlier vault"))
    #expect(!FileManager.default.fileExists(atPath: tool.vault))
  }

  @Test(
    "every subcommand uses the keyring beside a vault; --no-keyring and --keyring say otherwise")
  func opening() throws {
    let tool = try KeyringTool()
    let key = ["--raw-key", "--key-env", "A"]
    let file = try tool.write(Array(#"[{"name":"Li"}]"#.utf8), to: "people.json")
    for arguments in [
      ["import", tool.vault, "People", file], ["classes", tool.vault],
      ["query", tool.vault, "People"], ["export", tool.vault, "People"],
      ["remove", tool.vault, "People", "TRUEPREDICATE", "--yes"],
    ] {
      let result = try tool.run(arguments + key)
      #expect(result.code == 0, "\(arguments): \(result.errors)")
    }
    let without = try tool.run(["classes", tool.vault, "--no-keyring"] + key)
    #expect(without.code == 77, "\(without.errors)")

    let moved = tool.folder.file("elsewhere")
    for suffix in ["", "~"] {
      try FileManager.default.moveItem(
        atPath: tool.vault + ".keyring" + suffix, toPath: moved + suffix)
    }
    #expect(try tool.run(["classes", tool.vault, "--keyring", moved] + key).code == 0)
    #expect(try tool.run(["keys", "list", tool.vault, "--keyring", moved]).code == 0)
    let missing = try tool.run(["classes", tool.vault, "--slot", "main"] + key)
    #expect(missing.code == 66)
    #expect(missing.errors.contains("There is no keyring at '\(tool.vault).keyring'"))
    let nowhere = try tool.run(["classes", tool.vault, "--keyring", moved + "2"] + key)
    #expect(nowhere.code == 66, "\(nowhere.errors)")
    for wrong in [["--slot", "x"], ["--keyring", moved], ["--recovery-code"]] {
      #expect(
        try tool.run(["classes", tool.vault, "--no-keyring", "--key-env", "A"] + wrong).code == 64)
    }
  }

  @Test("a keyring of another vault is told, with what the command line can do about it")
  func foreignKeyring() throws {
    let (tool, other) = (try KeyringTool(), try KeyringTool())
    for suffix in ["", "~"] {
      try tool.write(
        Array(try tool.bytes(other.vault + ".keyring" + suffix)), to: "test.vault.keyring" + suffix)
    }
    let result = try tool.run(["classes", tool.vault, "--raw-key", "--key-env", "A"])
    #expect(result.code == 65)
    #expect(result.errors.contains("Use --no-keyring for a file that has its own key."))
    for suffix in ["", "~"] {
      try FileManager.default.removeItem(atPath: tool.vault + ".keyring" + suffix)
    }
    for arguments in [["classes"], ["rekey", "--new-key-env", "B"], ["upgrade"]] {
      let missing = try tool.run(
        [arguments[0], tool.vault, "--raw-key", "--key-env", "A", "--verbose"]
          + arguments.dropFirst())
      #expect(missing.code == 77)
      #expect(
        missing.errors.contains(
          "There is no keyring at '\(tool.vault).keyring'. If the key is in a keyring elsewhere, "
            + "use --keyring PATH."),
        "\(missing.errors)")
    }
  }

  // MARK: Rekeying

  @Test("rekey goes from passphrase to keyring to raw key and back; a keyring is given up if said")
  func rekey() throws {
    let folder = try TemporaryFolder()
    let file = ForeignFile(path: folder.file("notes.db"))
    try file.make("old words")
    let environment = KeyringTool.keys.merging(["OLD": "old words", "NEW": "new words"]) { $1 }
    func run(_ arguments: String...) throws -> ChildProcess {
      try TestTool.bare(["rekey", file.path] + arguments, environment: environment)
    }
    let there = try run(
      "--key-env", "OLD", "--to", "keyring", "--new-raw-key", "--new-key-env", "A", "--new-slot",
      "desk")
    #expect(there.code == 0, "\(there.errors)")
    let keyring = try VaultKeyring(ofVaultAt: file.path)
    #expect(try keyring.slots().map(\.name) == ["desk"])
    #expect(try !file.isOpened(by: "old words"))

    let unsaid = try run("--raw-key", "--key-env", "A", "--new-key-env", "NEW")
    #expect(unsaid.code == 64)
    for words in ["keys change", "keys rotate", "--to passphrase"] {
      #expect(unsaid.errors.contains(words), "\(unsaid.errors)")
    }
    let wrong = try run("--raw-key", "--key-env", "B", "--to", "passphrase", "--new-key-env", "NEW")
    #expect(wrong.code == 77)
    let back = try run("--raw-key", "--key-env", "A", "--to", "passphrase", "--new-key-env", "NEW")
    #expect(back.code == 0, "\(back.errors)")
    #expect(try file.isOpened(by: "new words"))
    #expect(!keyring.exists)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["notes.db", "notes.db.keyring.retired"])
    let raw = try run("--key-env", "NEW", "--to", "raw", "--new-key-env", "B")
    #expect(raw.code == 0, "\(raw.errors)")
    #expect(try file.isOpened(by: "x'\(KeyringTool.keys["B"] ?? "")'"))
    for options in [
      ["--new-slot", "x"], ["--new-kind", "raw"], ["--to", "passphrase", "--new-raw-key"],
      ["--to", "nowhere"],
    ] {
      #expect(
        try TestTool.bare(
          ["rekey", file.path, "--raw-key", "--key-env", "B", "--new-key-env", "A"] + options,
          environment: environment
        ).code == 64)
    }
  }

  @Test("of several files those with a keyring are opened by it, and --keyring goes with one file")
  func severalFiles() throws {
    let tool = try KeyringTool()
    let plain = tool.folder.file("plain.vault")
    #expect(try tool.run(["create", plain, "--raw-key", "--key-env", "A"]).code == 0)
    let files = ["rekey", tool.vault, plain, "--raw-key", "--key-env", "A", "--new-key-env", "B"]
    let one = try tool.run(files + ["--to", "raw", "--keyring", tool.vault + ".keyring"])
    #expect(one.code == 64)
    let both = try tool.run(files + ["--to", "raw", "--jobs", "2"])
    #expect(both.code == 0, "\(both.errors)")
    #expect(both.output.hasSuffix("Rekeyed 2 of 2 files.\n"))
    for file in [tool.vault, plain] { #expect(try tool.opens("B", file)) }
  }
}
