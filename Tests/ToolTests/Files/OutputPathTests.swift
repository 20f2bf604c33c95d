import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Paths of new files") struct OutputPathTests {
  private func names(in tool: TestTool) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
  }

  @Test(
    "No command creates a file under the name of a log or keyring of an existing file",
    arguments: ["-wal", "-shm", "-journal", ".keyring", ".keyring~", ".keyring.new"])
  func companions(suffix: String) throws {
    let tool = try TestTool.withVault()
    let other = try tool.write("[]", to: "other.json")
    let path = tool.vault + suffix
    let before = try names(in: tool)
    for command in [
      ["create", path], ["encrypt", other, "--to", path],
      ["export", tool.vault, "C", "--to", path],
      ["export", tool.vault, "C", "--to", path, "--yes"],
      ["backup", tool.vault, "--to", path],
      ["decrypt", tool.vault, "--to", path, "--yes"],
      ["salvage", tool.vault, "--to", path],
      ["restore", tool.vault, "--to", path],
      ["restore", tool.vault, "--to", path, "--replace", "--yes"],
      ["migrate", tool.vault, other, "--backup", path],
    ] {
      let result = try TestTool.bare(command + tool.keyOptions)
      #expect(result.code == 73, "\(command): \(result.errors)")
      #expect(
        result.errors.contains(
          "'\(path)' is the name of a file that belongs to '\(tool.vault)', and would be replaced "
            + "or removed with it."), "\(command): \(result.errors)")
      #expect(try names(in: tool) == before, "\(command)")
    }
    // Without such a file, the name is free.
    let free = tool.folder.file("free" + suffix)
    #expect(try TestTool.bare(["backup", tool.vault, "--to", free] + tool.keyOptions).code == 0)
  }

  @Test("A keyring is not replaced by a vault that is restored with it")
  func keyringOfBackup() throws {
    let tool = try KeyringTool()
    let key = ["--raw-key", "--key-env", "A"]
    let keyring = tool.vault + ".keyring"
    let before = try tool.bytes(keyring)
    let beside = try tool.run(
      ["restore", tool.vault, "--to", keyring, "--replace", "--yes"] + key)
    #expect(beside.code == 73, "\(beside.errors)")
    #expect(try tool.bytes(keyring) == before)

    let moved = tool.folder.file("moved.keyring")
    try FileManager.default.moveItem(atPath: keyring, toPath: moved)
    try tool.write(Array(before), to: "moved.keyring~")
    for path in [moved, moved + "~"] {
      let result = try tool.run(
        ["restore", tool.vault, "--to", path, "--replace", "--yes", "--keyring", moved] + key)
      #expect(result.code == 64, "\(result.errors)")
      #expect(result.errors.contains("is the backup itself"), "\(result.errors)")
      #expect(try tool.bytes(path) == before)
    }
  }

  @Test(
    "A path that leads to an existing vault is never taken as free, however it is spelled",
    arguments: ["test.vault/", "test.vault/.", "test.vault/x/..", "missing/../test.vault"])
  func spellings(end: String) throws {
    let tool = try TestTool.withVault()
    let copy = tool.folder.file("copy.vault")
    #expect(try tool.run("backup", "--to", copy).code == 0)
    try tool.fill("P", #"[{"a":1}]"#, "p.json")
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    let files = try names(in: tool)
    let path = "\(tool.folder.path)/\(end)"
    let other = tool.folder.file("p.json")
    for (command, code) in [
      (["create", path], 73), (["encrypt", other, "--to", path], 73),
      (["backup", copy, "--to", path], 73),
      (["decrypt", copy, "--to", path, "--yes"], 73),
      (["salvage", copy, "--to", path], 73),
      (["migrate", copy, other, "--backup", path], 73),
      (["restore", copy, "--to", path], 73),
      (["restore", copy, "--to", path, "--replace"], 64),
    ] {
      let result = try TestTool.bare(command + tool.keyOptions)
      #expect(result.code == code, "\(command): \(result.errors)")
      #expect(
        result.errors.contains(code == 64 ? "would be lost" : "already exists"),
        "\(command): \(result.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before, "\(command)")
      #expect(try names(in: tool) == files, "\(command)")
    }
    let replaced = try TestTool.bare(
      ["restore", copy, "--to", path, "--replace", "--yes"] + tool.keyOptions)
    #expect(replaced.code == 0, "\(replaced.errors)")
    #expect(try tool.content() == [])
  }

  @Test("A new vault whose path ends with a slash gets the name before it, and so does its keyring")
  func slash() throws {
    let tool = try TestTool()
    let path = tool.folder.file("new.vault")
    let result = try TestTool.bare(["create", path + "/", "--keyring"] + tool.keyOptions)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("/new.vault' (cipher format"), "\(result.output)")
    #expect(result.output.contains("/new.vault.keyring' (slot 'main')"), "\(result.output)")
    let copy = tool.folder.file("copy.vault")
    let made = try TestTool.bare(["backup", path, "--to", copy + "/"] + tool.keyOptions)
    #expect(made.output.contains("/copy.vault.keyring', with it."), "\(made.errors)")

    try FileManager.default.removeItem(atPath: copy)
    let again = try TestTool.bare(["backup", path, "--to", copy + "/"] + tool.keyOptions)
    #expect(again.code == 73)
    #expect(again.errors.contains("copy.vault.keyring' already exists"), "\(again.errors)")
    try FileManager.default.removeItem(atPath: path)
    let leftover = try TestTool.bare(["create", path + "/", "--keyring"] + tool.keyOptions)
    #expect(leftover.code == 73)
    #expect(leftover.errors.contains("is left over from an earlier vault"), "\(leftover.errors)")
  }

  @Test("A file that appears while the key of a new vault is typed is not opened as that vault")
  func createdMeanwhile() throws {
    let tool = try TestTool(.passphrase)
    let terminal = try PseudoTerminal("objectvault", ["create", tool.vault], columns: 400)
    #expect(terminal.expect("Passphrase for"))
    try tool.write("other", to: "test.vault")
    terminal.type(TestTool.passphrase + "\r")
    #expect(terminal.expect("Type it again: "))
    terminal.type(TestTool.passphrase + "\r")
    #expect(terminal.wait() == 73)
    #expect(terminal.transcript.contains("already exists"), "\(terminal.transcript)")
    #expect(try tool.read("test.vault") == "other")
  }
}
