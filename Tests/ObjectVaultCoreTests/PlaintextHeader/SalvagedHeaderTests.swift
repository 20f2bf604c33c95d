import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("Salvaging a file with a plaintext header", .cheapSlots) struct SalvagedHeaderTests {
  @Test("retains the header if the engine can write one, and otherwise encrypts it")
  func header() throws {
    let folder = try TemporaryFolder()
    let path = try fixture("format4-4096-plaintext-header.db", in: folder)
    var keyring = try OpenKeyring.make(
      for: Array(1...16), opening: .raw(Secret(copying: Array(UInt8(1)...32))), named: "main")
    try keyring.addEpoch(
      wrapping: SharedSecret(Secret(copying: Array(UInt8(1)...32))),
      salt: #require(FileSalt(UInt8(33)...48)), format: .format4, pageSize: 4096,
      header: .plaintext, state: .current)
    try KeyringFile(besideVault: path).store(keyring.keyring, replacing: nil)
    let target = folder.file("salvaged")
    let report = try DatabaseFile(at: path, key: HeaderVault.key).salvage(to: target)
    #expect(report.isWhole)
    #expect(
      try HeaderVault.header(of: target) == (writesPlaintextHeaders ? .plaintext : .encrypted))
    #expect(try DatabaseFile(at: target, key: HeaderVault.key).verify().isSound)
    let vault = try Vault(at: target, key: HeaderVault.key, configuration: HeaderVault.existing)
    #expect(try vault.store(named: "note").count() == 40)
    vault.close()
  }
}
