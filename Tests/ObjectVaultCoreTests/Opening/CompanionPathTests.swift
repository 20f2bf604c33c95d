import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Paths of logs and keyrings") struct CompanionPathTests {
  @Test(
    "Nothing is created where the engine or a keyring of another file would replace it",
    arguments: ["-wal", "-shm", "-journal", ".keyring", ".keyring~", ".keyring.new"])
  func companions(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try makeVault(path, key: .ofTests)
    let plain = folder.file("plain")
    let file = try DatabaseFile(at: path, key: .ofTests)
    try file.decrypt(to: plain)
    let plainFile = try DatabaseFile(at: plain, key: nil)
    let target = path + suffix
    let before = try contents(of: folder)
    let works: [(String, () throws -> Void)] = [
      ("create", { try Vault(at: target, key: .ofTests).open() }),
      ("backup", { _ = try file.backup(to: target) }),
      ("restore", { _ = try file.restore(to: target) }),
      ("restore and replace", { _ = try file.restore(to: target, replacing: true) }),
      ("decrypt", { try file.decrypt(to: target) }),
      ("salvage", { _ = try file.salvage(to: target) }),
      ("encrypt", { _ = try plainFile.encrypt(with: .ofTests, to: target) }),
    ]
    for (name, work) in works {
      let error = #expect(throws: VaultError.self, "\(name)") { try work() }
      #expect(error?.code == .invalidArgument, "\(name)")
      #expect(
        error?.message.contains("is the name of a file that belongs to") == true,
        "\(name): \(error as Any)")
      #expect(try contents(of: folder) == before, "\(name)")
    }
  }

  @Test("A vault under such a name that exists is opened")
  func existing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v-journal")
    try makeVault(path, key: .ofTests)
    try write(Data("other".utf8), to: folder.file("v"))
    let vault = try Vault(at: path, key: .ofTests)
    try vault.open()
    vault.close()
  }
}
