import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// Every subcommand that opens a vault tells the states of a file apart.
@Suite("The tool and files that are no vaults") struct FileStateTests {
  private static let commands: [[String]] = [
    ["classes"], ["query", "C"], ["export", "C"], ["remove", "C", "TRUEPREDICATE", "--yes"],
    ["import", "C", "-"],
  ]

  private func run(_ command: [String], _ tool: TestTool) throws -> ChildProcess {
    try TestTool.bare(
      [command[0], tool.vault] + command.dropFirst() + tool.keyOptions)
  }

  @Test("a missing file is 66 and is not made", arguments: commands)
  func missing(_ command: [String]) throws {
    let tool = try TestTool()
    let result = try run(command, tool)
    #expect(result.code == 66)
    #expect(
      result.errors
        == "objectvault: There is no vault at '\(tool.vault)'. Check the path.\n")
    #expect(!FileManager.default.fileExists(atPath: tool.vault))
  }

  @Test("a plain SQLite database is 65 and named as such", arguments: commands)
  func plaintext(_ command: [String]) throws {
    let tool = try TestTool()
    let bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080)
    try tool.write(bytes, to: "test.vault")
    let result = try run(command, tool)
    #expect(result.code == 65)
    #expect(result.errors.contains("unencrypted"), "\(result.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == Data(bytes))
  }

  @Test("a truncated file is 65", arguments: commands)
  func truncated(_ command: [String]) throws {
    let tool = try TestTool()
    try tool.write([UInt8](repeating: 7, count: 100), to: "test.vault")
    let result = try run(command, tool)
    #expect(result.code == 65)
    #expect(result.errors.contains("truncated"), "\(result.errors)")
  }

  @Test("an empty file is 65", arguments: commands)
  func empty(_ command: [String]) throws {
    let tool = try TestTool()
    try tool.write("", to: "test.vault")
    let result = try run(command, tool)
    #expect(result.code == 65, "\(result.errors)")
  }

  @Test("bytes of no meaning are a wrong key, 77, and are left as they are", arguments: commands)
  func garbage(_ command: [String]) throws {
    let tool = try TestTool()
    var random = SeededGenerator(seed: 3)
    let bytes = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }
    try tool.write(bytes, to: "test.vault")
    let result = try run(command, tool)
    #expect(result.code == 77, "\(result.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == Data(bytes))
  }

  @Test("a folder in the vault's place is 66", arguments: commands)
  func folder(_ command: [String]) throws {
    let tool = try TestTool()
    try FileManager.default.createDirectory(
      atPath: tool.vault, withIntermediateDirectories: false)
    let result = try run(command, tool)
    #expect(result.code == 66, "\(result.errors)")
  }

  @Test("a class that is not there is 66, and the error names those that are")
  func missingClass() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1}]"#, "p.json")
    for command in [["query", "Nobody"], ["export", "Nobody"], ["remove", "Nobody", "a == 1"]] {
      let result = try run(command, tool)
      #expect(result.code == 66)
      #expect(result.errors.contains("'People'"))
    }
  }

  @Test("a misspelled class is told which one was meant")
  func misspelledClass() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1}]"#, "p.json")
    let result = try tool.run("query", "Poeple")
    #expect(result.code == 66)
    #expect(result.errors.contains("Did you mean 'People'?"), "\(result.errors)")
  }

  @Test("reading leaves no file next to the vault, also after a failure")
  func leavesNothing() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1},{"a":2}]"#, "p.json")
    let before = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    for arguments in [
      ["query", tool.vault, "People"], ["classes", tool.vault], ["query", tool.vault, "Nobody"],
      ["sql", tool.vault, "SELECT a FROM People"], ["export", tool.vault, "People"],
      ["sql", tool.vault, "SELECT nothing"],
    ] {
      _ = try TestTool.bare(arguments + tool.keyOptions)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() == before,
        "\(arguments)")
    }
  }

  @Test("reading leaves the files of a vault that another program uses")
  func leavesOthers() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1}]"#, "p.json")
    let vault = try tool.opened()
    defer { vault.close() }
    let store = try vault.store(named: "People")
    try store.insert(try DynamicObject(of: store.classDescription).with("a", .integer(2)))
    #expect(try tool.run("query", "People", "--count").output == "2\n")
    for suffix in ["-wal", "-shm"] {
      #expect(FileManager.default.fileExists(atPath: tool.vault + suffix))
    }
    try store.insert(try DynamicObject(of: store.classDescription).with("a", .integer(3)))
    #expect(try tool.run("query", "People", "--count").output == "3\n")
  }

  @Test("empty logs of an earlier vault are no obstacle, a log with content is")
  func leftoverLogs() throws {
    let tool = try TestTool.withVault()
    let target = tool.folder.file("copy")
    for suffix in ["-wal", "-shm", "-journal"] { try tool.write("", to: "copy" + suffix) }
    let backup = try tool.run("backup", "--to", target)
    #expect(backup.code == 0, "\(backup.errors)")
    let other = tool.folder.file("other")
    try tool.write("x", to: "other-wal")
    let refused = try tool.run("backup", "--to", other)
    #expect(refused.code != 0)
    #expect(refused.errors.contains("other-wal"), "\(refused.errors)")
  }

  @Test("reading works while nobody else has the file open, and changes no byte of it")
  func readingAlone() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1},{"a":2}]"#, "p.json")
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    #expect(try tool.run("query", "People", "--count").output == "2\n")
    #expect(try tool.run("classes").code == 0)
    #expect(try tool.run("export", "People").code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
  }

  @Test("reading works beside a program that has the file open and is writing")
  func readingBeside() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1}]"#, "p.json")
    let vault = try tool.opened()
    let store = try vault.store(named: "People")
    try vault.transaction {
      var second = try DynamicObject(of: store.classDescription)
      try second.set("a", to: .integer(2))
      try store.insert(second)
      // What is not committed is not seen, and nobody waits.
      #expect(try tool.run("query", "People", "--count").output == "1\n")
    }
    #expect(try tool.run("query", "People", "--count").output == "2\n")
    vault.close()
  }

  @Test("writing waits for another writer, and then says that the file is held: 74")
  func busy() async throws {
    // The other tests have the threads of tasks while this one waits.
    let (result, count) = try await onOwnThread {
      let tool = try TestTool.withVault()
      try tool.fill("People", #"[{"a":1}]"#, "p.json")
      let vault = try tool.opened()
      defer { vault.close() }
      let store = try vault.store(named: "People")
      let result = try vault.transaction {
        try store.insert(try DynamicObject(of: store.classDescription).with("a", .integer(2)))
        return try tool.run("remove", "People", "TRUEPREDICATE", "--yes")
      }
      return (result, try store.count())
    }
    #expect(result.code == 74, "\(result.errors)")
    #expect(count == 2)
  }
}

extension DynamicObject {
  func with(_ property: String, _ value: StoredValue) throws -> DynamicObject {
    var copy = self
    try copy.set(property, to: value)
    return copy
  }
}
