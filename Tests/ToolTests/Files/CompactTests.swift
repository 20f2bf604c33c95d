import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault compact and objectvault size") struct CompactTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
    let vault = try Vault(at: path, key: .ofTests)
    let store = try vault.store(of: MarkedObject.self)
    try store.insert(contentsOf: (0..<2_000).map { MarkedObject("removed", number: $0) })
    try store.removeAll()
    try store.insert(MarkedObject("kept", number: 1))
    vault.close()
  }

  private func tool(_ arguments: String...) throws -> ChildProcess {
    try TestTool.bare(
      arguments + ["--raw-key", "--key-env", "KEY"],
      environment: ["KEY": VaultKey.digitsOfTests])
  }

  private func size(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test("The sizes add up to the file, and compacting removes what is free")
  func compacting() throws {
    let before = try size(path)
    let text = try tool("size", path)
    #expect(text.code == 0, "\(text.errors)")
    let lines = text.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("\(path): "))
    #expect(lines[1].hasSuffix("  free space"))
    #expect(lines.contains { $0.hasSuffix("  'MarkedObject'") })
    #expect(lines.contains { $0.hasSuffix("  the catalogue") })

    let json = try tool("size", path, "--format", "json")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(report["bytes"] as? Int == before)
    let parts = try #require(report["parts"] as? [[String: Any]])
    #expect(parts.compactMap { $0["bytes"] as? Int }.reduce(0, +) == before)
    #expect(parts[0]["part"] as? String == "freeSpace")
    #expect(parts.contains { $0["part"] as? String == "index" && $0["of"] as? String != nil })

    let missing = folder.file("missing.vault")
    let result = try tool("compact", path, missing, "--jobs", "2")
    #expect(result.code == 1)
    #expect(result.output.hasPrefix("Compacted '\(path)': "), "\(result.output)")
    #expect(result.output.hasSuffix("Compacted 1 of 2 files.\n"))
    #expect(result.errors.contains("There is no file at '\(missing)'."))
    #expect(try size(path) < before / 10)
    #expect(try !tool("size", path).output.contains("free space"))
    let vault = try Vault(at: path, key: .ofTests)
    #expect(try vault.store(of: MarkedObject.self).all().map(\.word) == ["kept word 1"])
    vault.close()
  }

  @Test("A wrong key changes nothing")
  func wrongKey() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for command in ["compact", "size"] {
      let result = try TestTool.bare(
        [command, path, "--key-env", "KEY"], environment: ["KEY": "other words"])
      #expect(result.code == 77, "\(command): \(result.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
