import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("objectvault upgrade") struct UpgradeTests {
  let folder: TemporaryFolder
  let words = "open sesame"

  init() throws { folder = try TemporaryFolder() }

  /// A file of another program's.
  private func file(_ name: String, from fixture: String) throws -> String {
    let path = folder.file(name)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(
      atPath: root.appendingPathComponent("Fixtures/databases/\(fixture).db").path,
      toPath: path)
    return path
  }

  private func upgrade(_ arguments: [String]) throws -> ChildProcess {
    let result = try TestTool.bare(
      ["upgrade", "--key-env", "KEY"] + arguments, environment: ["KEY": words])
    #expect(!result.output.contains(words) && !result.errors.contains(words))
    return result
  }

  @Test("brings files of older formats into the newest one, or another page size, under their key")
  func upgrades() throws {
    let newest = try Engine.prove().newestCipherFormat
    let files = [
      try file("a.db", from: "format3-1024-by-4"), try file("b.db", from: "format2-1024"),
    ]
    let missing = folder.file("missing.db")
    let result = try upgrade(files + [missing, "--jobs", "2", "--page-size", "4096"])
    #expect(result.code == 1)
    #expect(result.output.hasSuffix("Upgraded 2 of 3 files.\n"), "\(result.errors)")
    for file in files {
      #expect(
        result.output.contains(
          "Upgraded '\(file)' (cipher format \(newest), pages of 4096 bytes).\n"))
      let facts = try TestTool.bare(
        ["classes", file, "--key-env", "KEY"], environment: ["KEY": words])
      #expect(facts.output.contains("cipher format \(newest), pages of 4096 bytes"))
    }
    #expect(result.errors.contains("There is no file at '\(missing)'."))
    let other = try file("c.db", from: "format3-1024-by-4")
    let again = try upgrade(files + [other, "--page-size", "4096"])
    #expect(again.code == 0, "\(again.errors)")
    let summary = "Upgraded 1 of 3 files; 2 needed no change.\n"
    #expect(again.output.hasSuffix(summary), "\(again.output)")
  }

  @Test("gives a file larger pages if its own have no room for authentication codes")
  func smallPages() throws {
    let newest = try Engine.prove().newestCipherFormat
    let path = try file("small.db", from: "format1-512")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let rejected = try upgrade([path, "--from-format", "1", "--page-size", "512"])
    #expect(rejected.code == 64, "\(rejected.code)")
    #expect(rejected.errors.contains("1024 bytes or more"), "\(rejected.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let result = try upgrade([path, "--from-format", "1"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output == "Upgraded '\(path)' (cipher format \(newest), pages of 1024 bytes).\n")
    let verified = try TestTool.bare(
      ["verify", path, "--key-env", "KEY"], environment: ["KEY": words])
    #expect(verified.code == 0, "\(verified.output) \(verified.errors)")
  }

  @Test("goes back to the portable format, with --progress, and leaves a file that has it alone")
  func portable() throws {
    let tool = try TestTool.withVault()
    try tool.fill("People", #"[{"a":1},{"a":2}]"#, "p.json")
    let content = try tool.content()
    let result = try tool.run("upgrade", "--cipher-format", "portable", "--page-size", "8192")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == "Upgraded '\(tool.vault)' (cipher format 3, pages of 8192 bytes).\n")
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    let again = try tool.run("upgrade", "--cipher-format", "portable", "--page-size", "8192")
    #expect(again.code == 0)
    #expect(!again.output.contains("Upgraded"), "\(again.output)")
    #expect(
      again.output.hasPrefix("'\(tool.vault)' already has cipher format 3, pages of 8192 bytes.")
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
    #expect(try tool.content() == content)
    let back = try tool.run("upgrade", "--page-size", "4096", "--progress", "json")
    #expect(back.code == 0)
    #expect(back.errors.contains("\"phase\":\"comparing\""))
    #expect(try tool.content() == content)
  }

  @Test("keeps the slots of a keyring")
  func keyring() throws {
    let tool = try KeyringTool()
    let result = try tool.run(
      ["upgrade", tool.vault, "--page-size", "8192", "--raw-key", "--key-env", "A"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(try tool.opens("A"))
  }

  @Test("a wrong key and a command line that cannot be meant change nothing")
  func refusals() throws {
    let path = try file("a.db", from: "format2-1024")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let wrong = try TestTool.bare(
      ["upgrade", path, "--key-env", "KEY"], environment: ["KEY": "no"])
    #expect(wrong.code == 77)
    for arguments in [
      ["--cipher-format", "4"], ["--page-size", "100"], ["--jobs", "0"], [path],
    ] {
      #expect(try upgrade([path] + arguments).code == 64)
    }
    #expect(try upgrade([]).code == 64)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
