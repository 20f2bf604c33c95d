import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The tool warns")
struct WarningTests {
  @Test(
    "of a new key that is short or repeats itself, and takes it",
    arguments: [
      (["--key-env", "K"], "a", true), (["--key-env", "K"], "aaaaaaaaaaaaaaaa", true),
      (["--key-env", "K"], "abcdeabcdeabcdeabcde", true),
      (["--key-env", "K"], "correct horse battery", false),
      (["--key-env", "K", "--raw-key"], String(repeating: "00", count: 32), true),
      (
        ["--key-env", "K", "--raw-key"],
        "8f3a1c77e0254b96d81f6a0c93be425d7710ffa2c4698e3b05d7e6124a9cb83f", false
      ),
    ])
  func weakKey(options: [String], key: String, isWeak: Bool) throws {
    let folder = try TemporaryFolder()
    let result = try TestTool.bare(
      ["create", folder.file("v")] + options, environment: ["K": key])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.contains("is weak") == isWeak, "\(result.errors)")
    if key.count > 1 { #expect(!result.errors.contains(key)) }
  }

  @Test("of a vault that others may read or change, and opens it")
  func rights() throws {
    let tool = try TestTool.withVault()
    #expect(try tool.run("classes").errors.isEmpty)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tool.vault)
    let result = try tool.run("classes")
    #expect(result.code == 0)
    #expect(result.errors.contains("has mode 0644"), "\(result.errors)")
    #expect(result.errors.contains("chmod 600"))
  }
}
