import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault keys", .cheapSlots) struct KeysCommandTests {
  let tool: KeyringTool

  init() throws { tool = try KeyringTool() }

  // MARK: Looking

  @Test("list shows names and kinds without a key, as a table and as JSON")
  func list() throws {
    let table = try tool.keys("list", by: nil)
    #expect(table.code == 0, "\(table.errors)")
    let lines = table.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("slot  opened by"))
    #expect(lines[2].wholeMatch(of: /main +raw key +\d{4}-\d\d-\d\d */) != nil, "\(lines[2])")
    let json = try tool.keys("list", by: nil, "--format", "json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["vault"] as? String == tool.vault)
    #expect(object["keyring"] as? String == tool.vault + ".keyring")
    let slots = try #require(object["slots"] as? [[String: Any]])
    #expect(slots.map { $0["name"] as? String } == ["main"])
    #expect(slots.map { $0["kind"] as? String } == ["raw"])
  }

  @Test("test names the slot that a key opens, and is 77 where it opens none")
  func test() throws {
    let right = try tool.keys("test")
    #expect(right.code == 0, "\(right.errors)")
    #expect(right.output == "The slot 'main' (raw key) opens.\n")
    let wrong = try tool.keys("test", by: "B")
    #expect(wrong.code == 77)
    #expect(
      wrong.errors.contains("The raw key does not open any slot of the keyring"),
      "\(wrong.errors)")
    #expect(try tool.keys("test", "--slot", "nobody").code == 66)
  }

  @Test(
    "a vault without a keyring, no vault at all, and a keyring that cannot be read are told apart")
  func missing() throws {
    let plain = try TestTool.withVault()
    let none = try TestTool.bare(["keys", "list", plain.vault])
    #expect(none.code == 66)
    #expect(none.errors.contains("has no keyring at '\(plain.vault).keyring'"))
    #expect(none.errors.contains("rekey --to keyring"))
    let nothing = try TestTool.bare(["keys", "list", plain.folder.file("none")])
    #expect(nothing.code == 66)
    #expect(nothing.errors.contains("There is no vault at"))
    for suffix in ["", "~"] { try tool.write(Array("{}".utf8), to: "test.vault.keyring" + suffix) }
    let broken = try tool.keys("list", by: nil)
    #expect(broken.code == 65, "\(broken.errors)")
    #expect(broken.errors.contains("Restore it from a backup"))
  }

  // MARK: Changing

  @Test("add lets a further key open the vault, of each kind, and touches no page")
  func add() throws {
    let before = try tool.bytes()
    let added = try tool.keys("add", "bob", "--new-key-env", "B", "--new-raw-key")
    #expect(added.code == 0, "\(added.errors)")
    #expect(added.output == "Added the slot 'bob' (raw key).\n")
    #expect(try tool.opens("B"))
    let words = try tool.keys("add", by: "B", "carol", "--new-key-env", "WORDS")
    #expect(words.output == "Added the slot 'carol' (passphrase).\n", "\(words.errors)")
    let file = try tool.write((0..<32).map { $0 &* 7 }, to: "file.key")
    let keyFile = try tool.keys(
      "add", "machine", "--new-key-file", file, "--new-kind", "key-file")
    #expect(keyFile.output == "Added the slot 'machine' (key file).\n", "\(keyFile.errors)")
    #expect(
      try tool.slots == ["main: raw", "bob: raw", "carol: passphrase", "machine: keyFile"])
    #expect(try tool.bytes() == before)

    // A file may be a key file or hold a passphrase.
    #expect(
      try tool.run(["keys", "test", tool.vault, "--key-file", file]).output.contains("machine"))
    let text = try tool.write(Array((KeyringTool.passphrase + "\n").utf8), to: "words.key")
    let byText = try tool.run(["keys", "test", tool.vault, "--key-file", text])
    #expect(byText.output.contains("'carol'"), "\(byText.errors)")
    let named = try tool.run(["keys", "test", tool.vault, "--key-env", "WORDS", "--slot", "carol"])
    #expect(named.code == 0, "\(named.errors)")
    let descriptor = try tool.run(
      ["classes", tool.vault, "--key-fd", "9"], descriptors: [9: Array(try tool.bytes(text))])
    #expect(descriptor.code == 0, "\(descriptor.errors)")
  }

  @Test("a name that is taken or cannot be one, and a key that cannot be one, change nothing")
  func addRefused() throws {
    let before = try tool.bytes(tool.vault + ".keyring")
    let taken = try tool.keys("add", "main", "--new-key-env", "B", "--new-raw-key")
    #expect(taken.code == 64)
    #expect(taken.errors.contains("already has a slot 'main'"))
    #expect(try tool.keys("add", "", "--new-key-env", "B", "--new-raw-key").code == 64)
    let short = try tool.write([1, 2, 3], to: "short")
    let refused = try tool.keys("add", "bob", "--new-key-file", short, "--new-kind", "key-file")
    #expect(refused.code == 77)
    #expect(refused.errors.contains("at least 32 random bytes"), "\(refused.errors)")
    #expect(try tool.keys("add", by: "B", "bob", "--new-key-env", "C", "--new-raw-key").code == 77)
    #expect(try tool.bytes(tool.vault + ".keyring") == before)
  }

  @Test("rename needs the slot's own key")
  func rename() throws {
    _ = try tool.keys("add", "bob", "--new-key-env", "B", "--new-raw-key")
    let wrong = try tool.keys("rename", "bob", "robert")
    #expect(wrong.code == 77)
    let right = try tool.keys("rename", by: "B", "bob", "robert")
    #expect(right.code == 0, "\(right.errors)")
    #expect(right.output == "Renamed the slot 'bob' to 'robert'.\n")
    #expect(try tool.slots == ["main: raw", "robert: raw"])
    #expect(try tool.keys("rename", "--slot", "robert", "main", "x").code == 64)
    #expect(try tool.keys("rename", "nobody", "x").code == 66)
  }

  @Test("change gives the slot of the present key another one, or any slot that is named")
  func change() throws {
    let before = try tool.bytes()
    let own = try tool.keys("change", "--new-key-env", "B", "--new-raw-key")
    #expect(own.code == 0, "\(own.errors)")
    #expect(try !tool.opens("A"))
    #expect(try tool.opens("B"))
    _ = try tool.keys("add", by: "B", "carol", "--new-key-env", "C", "--new-raw-key")
    let other = try tool.keys(
      "change", by: "B", "carol", "--slot", "main", "--new-key-env", "A", "--new-raw-key")
    #expect(other.output == "Changed the key of the slot 'carol'.\n", "\(other.errors)")
    #expect(try !tool.opens("C"))
    #expect(try tool.opens("A"))
    #expect(try tool.opens("B"))
    // The data key stays; the vault records that no older keyring opens it.
    #expect(try tool.bytes().prefix(16) == before.prefix(16))
    let toWords = try tool.keys("change", by: "B", "carol", "--new-key-env", "WORDS")
    #expect(toWords.code == 0)
    #expect(try tool.slots == ["main: raw", "carol: passphrase"])
  }

  @Test("recovery prints a code once, on standard output alone, and it opens the vault")
  func recovery() throws {
    let made = try tool.keys("recovery")
    #expect(made.code == 0, "\(made.errors)")
    let code = made.output.trimmingCharacters(in: .newlines)
    #expect(made.output == code + "\n")
    #expect(code.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{6}-){7}[0-9A-HJKMNP-TV-Z]{6}/) != nil)
    #expect(!made.errors.contains(code))
    #expect(made.errors.contains("not shown again"))
    #expect(made.errors.contains("away from the vault and its backups"))
    #expect(try tool.slots == ["main: raw", "recovery: recoveryCode"])

    // As a person types it.
    let typed = code.lowercased().replacingOccurrences(of: "-", with: " ")
    let file = try tool.write(Array((typed + "\n").utf8), to: "paper")
    let opened = try tool.run(["classes", tool.vault, "--recovery-code", "--key-file", file])
    #expect(opened.code == 0, "\(opened.errors)")
    // The first character of the seventh group.
    var bytes = Array(code.utf8)
    bytes[42] = bytes[42] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    let wrong = try tool.write(bytes, to: "slip")
    let slip = try tool.run(["classes", tool.vault, "--recovery-code", "--key-file", wrong])
    #expect(slip.code == 77)
    #expect(slip.errors.contains("Group 7 of 8"), "\(slip.errors)")

    // What it is for: the key of another slot is lost.
    let changed = try tool.run([
      "keys", "change", tool.vault, "main", "--recovery-code", "--key-file", file,
      "--new-raw-key", "--new-key-env", "B",
    ])
    #expect(changed.code == 0, "\(changed.errors)")
    #expect(try tool.opens("B"))
    #expect(try !tool.opens("A"))

    let again = try tool.keys("recovery", by: "B")
    #expect(again.code == 64)
    #expect(again.output.isEmpty)
    #expect(again.errors.contains("keys remove"))
    #expect(try tool.keys("recovery", by: "B", "second").code == 0)
  }

  @Test("a recovery code that nobody could read makes no slot")
  func recoveryUnread() throws {
    let key = try tool.write(Array((KeyringTool.keys["A"] ?? "").utf8), to: "a.key")
    let result = try SpawnedProgram.runWithClosedOutput(
      "objectvault", ["keys", "recovery", tool.vault, "--raw-key", "--key-file", key])
    #expect(result.code == 74)
    #expect(result.errors.contains("No slot was added."), "\(result.errors)")
    #expect(try tool.slots == ["main: raw"])
  }

  @Test("a command line that cannot be meant is 64, and no option takes a key itself")
  func usage() throws {
    let wrong: [[String]] = [
      ["keys"], ["keys", "list"], ["keys", "add", tool.vault], ["keys", "remove", tool.vault],
      ["keys", "test", tool.vault, "--key", "x"],
      ["keys", "test", tool.vault, "--raw-key", "--recovery-code", "--key-env", "A"],
      ["keys", "test", tool.vault, "--no-keyring"],
      ["keys", "add", tool.vault, "x", "--key-fd", "3", "--new-key-fd", "3"],
      ["keys", "add", tool.vault, "x", "--new-kind", "recovery-code"],
      ["keys", "add", tool.vault, "x", "--new-raw-key", "--new-kind", "passphrase"],
      ["keys", "remove", tool.vault, "x", "--keep-key-env", "main=A"],
      ["keys", "remove", tool.vault, "x", "--revoke", "--keep-key-env", "main"],
      ["keys", "remove", tool.vault, "x", "--revoke", "--keep-key-env", "x=A"],
      ["keys", "remove", tool.vault, "x", "--revoke", "--keep-key-fd", "main=one"],
      [
        "keys", "rotate", tool.vault, "--revoke", "--keep-key-env", "main=A", "--keep-key-fd",
        "main=4",
      ],
      ["keys", "rotate", tool.vault, "--keep-key-env", "main=A"],
      ["keys", "rotate", tool.vault, "--yes"],
    ]
    let before = try tool.bytes(tool.vault + ".keyring")
    for arguments in wrong {
      let result = try tool.run(arguments)
      // The group alone shows what there is.
      #expect(result.code == (arguments == ["keys"] ? 0 : 64), "\(arguments): \(result.errors)")
    }
    let noKey = try tool.keys("add", "x")
    #expect(noKey.code == 64)
    #expect(noKey.errors.contains("--new-key-file PATH"))
    #expect(try tool.keys("add", "x", "--new-kind", "key-file").code == 64)
    #expect(try tool.bytes(tool.vault + ".keyring") == before)
  }
}
