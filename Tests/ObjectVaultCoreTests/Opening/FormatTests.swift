import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite struct FormatTests {
  @Test(
    "Files of formats 1 to 3 that other programs made open on every engine and stay as they are",
    arguments: [
      ("format1-512.db", 1), ("format2-1024.db", 2), ("format3-1024.db", 3),
      ("format2-1024-by-4.db", 2), ("format3-1024-by-4.db", 3),
    ])
  func olderFormats(name: String, format: Int) throws {
    let folder = try TemporaryFolder()
    let path = try fixture(name, in: folder)
    let before = try contents(of: folder)
    do {
      var configuration = VaultConfiguration()
      configuration.minimumCipherFormat = format
      let vault = try Vault(
        at: path, key: .passphrase(passphrase), configuration: configuration)
      #expect(try vault.cipherInfo().format == format)
      #expect(try vault.cipherInfo().pageSize == (name.contains("512") ? 512 : 1024))
      #expect(try vault.classes().map(\.name) == ["note", "pet"])
      #expect(try vault.store(named: "note").count() == 40)
      #expect(
        try vault.store(named: "pet").where("name == %@", "Mia").first()?.value(of: "age")
          == .integer(7))
    }
    #expect(try contents(of: folder) == before)
    #expect(try refusal(path, .passphrase("open sesam")) == .wrongKey)
    #expect(try contents(of: folder) == before)
  }

  @Test(
    "A file of format 4 opens where the engine reads it, and is told from a wrong key where not")
  func newestFormat() throws {
    let folder = try TemporaryFolder()
    let path = try fixture("format4-1024.db", in: folder)
    let before = try contents(of: folder)
    let readsIt = try Engine.prove().newestCipherFormat >= 4
    #expect(try refusal(path) == (readsIt ? nil : .newerCipherFormat))
    #expect(try refusal(path, .passphrase("open sesam")) == .wrongKey)
    #expect(try contents(of: folder) == before)
  }

  @Test("A new vault has the engine's newest format, or on request the one every engine reads")
  func newVaults() throws {
    let folder = try TemporaryFolder()
    let newest = try Engine.prove().newestCipherFormat
    let native = try Vault(at: folder.file("native"), key: .ofTests)
    #expect(try native.cipherInfo().format == newest)
    #expect(try native.cipherInfo().pageSize == 4096)
    var configuration = VaultConfiguration()
    configuration.cipherFormat = .portable
    let portable = try Vault(
      at: folder.file("portable"), key: .passphrase(passphrase), configuration: configuration)
    #expect(try portable.cipherInfo().format == 3)
    #expect(try portable.cipherInfo().pageSize == 4096)
    portable.close()
    // It is what the file is, not what the configuration of a later handle asks for.
    let again = try Vault(at: folder.file("portable"), key: .passphrase(passphrase))
    #expect(try again.cipherInfo().format == 3)
  }
}
