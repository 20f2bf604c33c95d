import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("objectvault create") struct CreateTests {
  @Test("a new vault has mode 0600, says what it is, and opens with the same key")
  func creation() throws {
    let tool = try TestTool()
    let result = try tool.run("create")
    let format = try Engine.prove().newestCipherFormat
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output
        == "Created '\(tool.vault)' (cipher format \(format), pages of 4096 bytes).\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: tool.vault)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try tool.run("classes").code == 0)
  }

  @Test("the portable format is 3 on every engine")
  func portable() throws {
    let tool = try TestTool()
    let result = try tool.run("create", "--cipher-format", "portable")
    #expect(result.output.contains("(cipher format 3, pages of 4096 bytes)"), "\(result.errors)")
    #expect(try tool.run("create", "--cipher-format", "newest").code == 64)
  }

  @Test(
    "a plaintext header needs a keyring and SQLCipher 4, and is switched by upgrade", .covers("B5"))
  func plaintextHeader() throws {
    let tool = try TestTool()
    let newest = try Engine.prove().newestCipherFormat
    let refused = try tool.run("create", "--plaintext-header")
    #expect(refused.code != 0)
    #expect(refused.errors.contains(newest >= 4 ? "keyring" : "SQLCipher 4"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.vault))
    guard newest >= 4 else { return }
    let result = try tool.run("create", "--plaintext-header", "--keyring")
    let facts = "(cipher format 4, pages of 4096 bytes, plaintext header)"
    #expect(result.output.contains(facts), "\(result.errors)")
    #expect(try tool.run("classes").output.contains("plaintext header"))
    #expect(try tool.run("verify").code == 0)
    #expect(
      try TestTool.bare(["doctor", tool.vault]).output.contains(
        "encrypted after a plaintext header"))
    #expect(try TestTool.bare(["keys", "rotate", tool.vault] + tool.keyOptions).code == 0)
    let same = try tool.run("upgrade", "--plaintext-header")
    #expect(same.output.contains("already has"), "\(same.errors)")
    #expect(try tool.run("upgrade", "--plaintext-header", "--encrypted-header").code == 64)
    let encrypted = try tool.run("upgrade", "--encrypted-header")
    #expect(encrypted.output.contains("(cipher format 4, pages of 4096 bytes)"))
    let plain = try tool.run("upgrade", "--plaintext-header")
    #expect(plain.output.contains(facts), "\(plain.errors)")
  }

  @Test("nothing that exists is overwritten, be it a vault, another file or a link to nowhere")
  func existing() throws {
    let tool = try TestTool.withVault()
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    let result = try tool.run("create")
    #expect(result.code == 73)
    #expect(result.errors.contains("already exists and was not changed"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)

    let other = try TestTool()
    try FileManager.default.createSymbolicLink(
      atPath: other.vault, withDestinationPath: other.folder.file("nowhere"))
    #expect(try other.run("create").code == 73)
    #expect(!FileManager.default.fileExists(atPath: other.folder.file("nowhere")))
  }

  @Test("the log of an earlier vault of the name is not played into the new one")
  func leftoverLog() throws {
    let tool = try TestTool()
    try tool.write("something", to: "test.vault-wal")
    let result = try tool.run("create")
    #expect(result.code == 73)
    #expect(result.errors.contains("test.vault-wal' is left over"))
    #expect(!FileManager.default.fileExists(atPath: tool.vault))
  }

  @Test("a missing folder is an error of creation, and an empty key makes nothing")
  func refusals() throws {
    let tool = try TestTool()
    let nowhere = try TestTool.bare(
      ["create", tool.folder.file("no/test.vault")] + tool.keyOptions)
    #expect(nowhere.code == 73, "\(nowhere.errors)")
    let empty = try TestTool.bare(
      ["create", tool.vault, "--key-env", "EMPTY"], environment: ["EMPTY": ""])
    #expect(empty.code == 77)
    #expect(!FileManager.default.fileExists(atPath: tool.vault))
  }
}
