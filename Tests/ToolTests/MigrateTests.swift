import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault migrate", .cheapSlots) struct MigrateTests {
  /// A vault whose class lacks what the other one's has, and a description of that.
  private func prepared(_ content: String? = #"[{"a":1},{"a":2}]"#) throws -> TestTool {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"a":"x","b":1.5}]"#, "new.json")
    let described = try tool.run("classes", "--format", "json")
    #expect(described.code == 0, "\(described.errors)")
    try tool.write(described.output, to: "Schema.json")
    try Vault.remove(at: tool.vault)
    let vault = try tool.opened()
    try vault.open()
    vault.close()
    if let content { try tool.fill("T", content, "old.json") }
    return tool
  }

  private func migrate(_ tool: TestTool, _ options: String...) throws -> ChildProcess {
    try TestTool.bare(
      ["migrate", tool.vault, tool.folder.file("Schema.json")] + options + tool.keyOptions)
  }

  @Test("rehearses on a copy, shows what would change, and changes nothing")
  func rehearsal() throws {
    let tool = try prepared()
    let before = try tool.content()
    let result = try migrate(tool, "--rehearse")
    #expect(result.code == 1, "\(result.output) \(result.errors)")
    // 'b' is required, and no value is known for the two objects that are there.
    #expect(
      result.output.contains("The migration would be rejected: Class 'T'"), "\(result.output)")
    #expect(result.output.contains("'b'"), "\(result.output)")
    #expect(try tool.content() == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(!left.contains { $0.contains("rehearsing") })
  }

  @Test("changes the tables, after a backup where one is asked for")
  func change() throws {
    let tool = try prepared(nil)
    let rehearsal = try migrate(tool, "--rehearse")
    #expect(rehearsal.code == 0, "\(rehearsal.output) \(rehearsal.errors)")
    #expect(rehearsal.output.contains("+ CREATE TABLE"), "\(rehearsal.output)")
    let copy = tool.folder.file("copy")
    let result = try migrate(tool, "--backup", copy)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("stores 1 class as"), "\(result.output)")
    #expect(FileManager.default.fileExists(atPath: copy))
    let names = try tool.opened().store(named: "T").classDescription.properties.map(\.name)
    #expect(names == ["a", "b"])
    // Nothing is left to do.
    #expect(try migrate(tool, "--rehearse").output.hasPrefix("The schema needs no change.\n"))
  }

  @Test("shows each table of a class that gets another one")
  func otherTable() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"a":1},{"a":2}]"#, "old.json")
    let described = try tool.run("classes", "--format", "json")
    let table = #""table": "T""#
    #expect(described.output.contains(table), "\(described.output)")
    try tool.write(
      described.output.replacingOccurrences(of: table, with: #""table": "N""#), to: "Schema.json")
    let output = try migrate(tool, "--rehearse").output
    #expect(output.contains("\nT, table 'N': new, 0 objects, "), "\(output)")
    #expect(output.contains("\nT: 2 objects, "), "\(output)")
  }

  @Test("tells a file that describes no classes from a vault that cannot be changed")
  func noSchema() throws {
    let tool = try prepared(nil)
    for text in ["", "{", "[1]", #"{"classes":1}"#, #"[{"name":"T"}]"#] {
      try tool.write(text, to: "Schema.json")
      let result = try migrate(tool)
      #expect(result.code == 65, "\(result.errors)")
      #expect(result.errors.contains("does not describe classes"), "\(result.errors)")
    }
    let folder = try TestTool.bare(["migrate", tool.vault, tool.folder.path] + tool.keyOptions)
    #expect(folder.code == 66)
    #expect(folder.errors.contains("is a folder. Name a file."), "\(folder.errors)")
    #expect(try migrate(tool, "--rehearse", "--backup", "x").code == 64)
  }

  @Test("works as the guide says")
  func guide() throws {
    let shell = try GuideShell()
    try shell.write("correct horse\n", to: "words.key")
    for (name, properties) in [("new.vault", ["a", "b"]), ("old.vault", ["a"])] {
      let vault = try Vault(at: shell.folder.file(name), key: .passphrase("correct horse"))
      _ = try vault.store(
        of: ClassDescription("T", properties: properties.map { .init($0, type: .string) }))
      vault.close()
    }
    let commands = try GuideShell.commands(of: "Migration")
    #expect(commands.count == 3)
    for command in commands {
      let (output, code) = try shell.run(command)
      #expect(code == 0, "\(command): \(output)")
    }
    #expect(FileManager.default.fileExists(atPath: shell.folder.file("old-copy.vault")))
  }
}
