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
}
