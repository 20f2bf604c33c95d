import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault backup and restore") struct BackupRestoreTests {
  let tool: TestTool
  let copy: String

  init() throws {
    tool = try TestTool.withVault()
    copy = tool.folder.file("copy.vault")
    try tool.fill("People", #"[{"a":1},{"a":2}]"#, "p.json")
  }

  private func restore(_ arguments: String...) throws -> ChildProcess {
    try TestTool.bare(["restore", copy, "--to", tool.vault] + tool.keyOptions + arguments)
  }

  @Test("a backup has the objects and the key, is 0600, and can be made while the vault is open")
  func backup() throws {
    let content = try tool.content()
    let vault = try tool.opened()
    try vault.open()
    let made = try tool.run("backup", "--to", copy)
    vault.close()
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.output.hasPrefix("Backed up '\(tool.vault)' to '\(copy)' (cipher format "))
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let again = try tool.run("backup", "--to", copy)
    #expect(again.code == 73)
    #expect(try tool.run("backup").code == 64)

    let unsaid = try restore()
    #expect(unsaid.code == 73)
    #expect(unsaid.errors.contains("--replace"))
    _ = try tool.run("remove", "People", "TRUEPREDICATE", "--yes")
    let unasked = try restore("--replace")
    #expect(unasked.code == 64)
    #expect(unasked.errors.contains("would be lost"))
    #expect(try tool.content() != content)
    let done = try restore("--replace", "--yes")
    #expect(done.code == 0, "\(done.errors)")
    #expect(done.output.hasPrefix("Restored '\(copy)' to '\(tool.vault)' (cipher format "))
    #expect(try tool.content() == content)
    #expect(FileManager.default.fileExists(atPath: copy))
  }

  @Test("a backup may have another key, and is restored where nothing was, under a further one")
  func otherKeys() throws {
    let content = try tool.content()
    let environment = ["NEW": "words of the copy"]
    let made = try TestTool.bare(
      ["backup", tool.vault, "--to", copy, "--new-key-env", "NEW"] + tool.keyOptions,
      environment: environment)
    #expect(made.code == 0, "\(made.errors)")
    #expect(try TestTool.bare(["classes", copy] + tool.keyOptions).code == 77)
    try FileManager.default.removeItem(atPath: tool.vault)
    let restored = try TestTool.bare(
      [
        "restore", copy, "--to", tool.vault, "--key-env", "NEW", "--new-key-file", tool.keyFile,
        "--new-raw-key",
      ], environment: environment)
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try tool.content() == content)
  }

  @Test("at the terminal replacing is asked for, and an answer of no keeps the vault")
  func confirmation() throws {
    _ = try tool.run("backup", "--to", copy)
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    let terminal = try PseudoTerminal(
      "objectvault", ["restore", copy, "--to", tool.vault, "--replace"] + tool.keyOptions,
      columns: 400)
    #expect(terminal.expect("All that is now in '\(tool.vault)' is lost. [y/N]"))
    terminal.type("n\r")
    #expect(terminal.wait() == 64)
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
  }

  @Test("the copy of a vault with a keyring gets one of its own, and both are opened by the slots")
  func keyring() throws {
    let tool = try KeyringTool()
    let copy = tool.folder.file("copy.vault")
    let key = ["--raw-key", "--key-env", "A"]
    let made = try tool.run(["backup", tool.vault, "--to", copy] + key)
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.output.contains("Store its keyring, '\(copy).keyring', with it."))
    #expect(try tool.opens("A", copy))
    _ = try tool.keys("change", "--new-raw-key", "--new-key-env", "B")
    #expect(try tool.opens("A", copy))
    #expect(try tool.opens("B"))
    let back = tool.folder.file("back.vault")
    let restored = try tool.run(["restore", copy, "--to", back] + key)
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try tool.opens("A", back))
  }

  @Test("A restore names the slots of a new keyring, and none of a keyring that stays in use")
  func keyringElsewhere() throws {
    let tool = try KeyringTool()
    let (copy, place) = (tool.folder.file("copy.vault"), tool.folder.file("elsewhere"))
    let key = ["--raw-key", "--key-env", "A"]
    #expect(try tool.keys("add", "ben", "--new-raw-key", "--new-key-env", "B").code == 0)
    #expect(try tool.run(["backup", tool.vault, "--to", copy] + key).code == 0)
    #expect(try tool.keys("remove", "ben", "--yes").code == 0)
    let restore = ["restore", copy, "--to", tool.vault, "--replace", "--yes"] + key
    let near = try tool.run(restore)
    #expect(near.code == 0, "\(near.errors)")
    #expect(!near.output.contains("slots"), "\(near.output)")
    #expect(try tool.opens("A") && !tool.opens("B"))
    for end in ["", "~"] {
      try FileManager.default.moveItem(
        atPath: "\(tool.vault).keyring\(end)", toPath: place + end)
    }
    let far = try tool.run(restore)
    #expect(far.code == 0, "\(far.errors)")
    #expect(far.output.contains("The slots are those of the backup: 'main', 'ben'."))
    #expect(try tool.opens("B"))
  }

  @Test("A restore explains a keyring whose slots were changed, and names one that it retires")
  func changedSlot() throws {
    let tool = try KeyringTool()
    let copy = tool.folder.file("copy.vault")
    func key(_ name: String) -> [String] { ["--raw-key", "--key-env", name] }
    #expect(try tool.run(["backup", tool.vault, "--to", copy] + key("A")).code == 0)
    let change = ["--new-raw-key", "--new-key-env", "B"]
    #expect(try tool.run(["keys", "change", tool.vault] + key("A") + change).code == 0)
    let keyring = tool.vault + ".keyring"
    let before = (try tool.bytes(), try tool.bytes(keyring))
    let restore = ["restore", copy, "--to", tool.vault, "--replace", "--yes"]
    let refused = try tool.run(restore + key("A"))
    #expect(refused.code == 77)
    #expect(
      refused.errors.contains(
        "The key opens the backup '\(copy)', but no slot of '\(keyring)', which stays in use"),
      "\(refused.errors)")
    #expect(try tool.bytes() == before.0 && tool.bytes(keyring) == before.1)

    // The way that the error names.
    let other = tool.folder.file("other.vault")
    let restored = try tool.run(["restore", copy, "--to", other] + key("A"))
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(!restored.output.contains("retired"))
    #expect(
      restored.output.contains(
        "Store its keyring, '\(other).keyring', with it. The slots are those of the backup: 'main'."
      ), "\(restored.output)")
    #expect(try tool.opens("A", other))

    let alone = try tool.run(restore + key("A") + ["--new-raw-key", "--new-key-env", "C"])
    #expect(alone.code == 0, "\(alone.errors)")
    #expect(
      alone.output.contains(
        "The keyring of the replaced vault is now '\(keyring).retired': its slots do not open"),
      "\(alone.output)")
    #expect(try tool.opens("C") && !tool.opens("B"))

    // A backup from before the keyring.
    let early = tool.folder.file("early.vault")
    #expect(try tool.run(["backup", tool.vault, "--to", early] + key("C")).code == 0)
    #expect(try tool.run(["rekey", tool.vault, "--to", "keyring"] + key("C") + change).code == 0)
    let late = try tool.run(["restore", early] + restore.dropFirst(2) + key("C"))
    #expect(late.code == 0, "\(late.errors)")
    #expect(late.output.contains("is now '\(keyring).retired-2'"), "\(late.output)")
    #expect(try tool.opens("C") && !tool.opens("B"))
  }

  @Test("a wrong key, a missing file and the vault itself as its backup make and change nothing")
  func refusals() throws {
    _ = try tool.run("backup", "--to", copy)
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    let other = tool.folder.file("other.vault")
    let wrong = try TestTool.bare(
      ["backup", tool.vault, "--to", other, "--key-env", "K"], environment: ["K": "no"])
    #expect(wrong.code == 77)
    #expect(!FileManager.default.fileExists(atPath: other))
    let wrongBackup = try TestTool.bare(
      ["restore", copy, "--to", tool.vault, "--replace", "--yes", "--key-env", "K"],
      environment: ["K": "no"])
    #expect(wrongBackup.code == 77)
    let missing = try TestTool.bare(["restore", other, "--to", tool.vault] + tool.keyOptions)
    #expect(missing.code == 66)
    let itself = try TestTool.bare(
      ["restore", tool.vault, "--to", tool.vault, "--replace", "--yes"] + tool.keyOptions)
    #expect(itself.code == 64, "\(itself.errors)")
    let nowhere = try tool.run("backup", "--to", tool.folder.file("no/copy.vault"))
    #expect(nowhere.code == 73, "\(nowhere.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
  }
}
