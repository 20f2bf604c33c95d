import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Copies of vaults with sealed values") struct SealedCopyTests {
  let tool: KeyringTool

  init() throws {
    tool = try KeyringTool()
    let vault = try Vault(at: tool.vault, key: .keyring(KeyringTool.slotKey("A")))
    try vault.store(of: Patient.self).insert(Patient("Ada", "gout"))
    vault.close()
  }

  @Test(
    "a copy under another key needs --omit-sealing-keys",
    arguments: ["backup", "restore", "salvage"])
  func copy(command: String) throws {
    let copy = tool.folder.file("copy.vault")
    let present = [command, tool.vault, "--to", copy, "--raw-key", "--key-env", "A"]
    let other = ["--new-raw-key", "--new-key-env", "B"]
    let rejected = try tool.run(present + other)
    #expect(rejected.code == 64, "\(rejected.errors)")
    #expect(rejected.errors.contains("sealed"))
    #expect(!FileManager.default.fileExists(atPath: copy))
    let pointless = try tool.run(present + ["--omit-sealing-keys"])
    #expect(pointless.code == 64)
    #expect(pointless.errors.contains("--omit-sealing-keys"))
    let done = try tool.run(present + other + ["--omit-sealing-keys"])
    #expect(done.code == 0, "\(done.errors)")
    let verified = try tool.run(["verify", copy, "--raw-key", "--key-env", "B"])
    #expect(verified.code == 0, "\(verified.output)")
  }

  @Test("export rejects a text that is not UTF-8 in a class with sealed properties")
  func invalidText() throws {
    let key = ["--raw-key", "--key-env", "A"]
    let changed = try tool.run(
      ["sql", tool.vault, "UPDATE Patient SET name = CAST(x'ff4164' AS TEXT)", "--write"] + key)
    #expect(changed.code == 0, "\(changed.errors)")
    let exported = try tool.run(["export", tool.vault, "Patient"] + key)
    #expect(exported.code == 65, "\(exported.output)")
    #expect(exported.errors.contains("text that is not valid"), "\(exported.errors)")
  }

  @Test("sql rejects plaintext for a sealed property, and verify finds that of another program")
  func plaintext() throws {
    let key = ["--raw-key", "--key-env", "A"]
    let rejected = try tool.run(
      ["sql", tool.vault, "UPDATE Patient SET diagnosis = 'x'", "--write"] + key)
    #expect(rejected.code == 64, "\(rejected.errors)")
    let vault = try Vault(at: tool.vault, key: .keyring(KeyringTool.slotKey("A")))
    try vault.runAsOtherProgram("UPDATE Patient SET diagnosis = 'x'")
    vault.close()
    let found = try tool.run(["verify", tool.vault] + key)
    #expect(found.code == 1)
    #expect(
      found.output.contains("not sealed: a value of property 'diagnosis' of class 'Patient'"),
      "\(found.output)")
    let json = try tool.run(["verify", tool.vault, "--format", "json"] + key)
    #expect(json.output.contains("\"unsealedValues\""))
  }
}
