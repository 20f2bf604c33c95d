import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite struct KeyStateTests {
  private let raw = [UInt8](repeating: 0x5a, count: 32)

  /// The code with which making the handle or opening it fails.
  private func code(_ path: String, _ key: VaultKey) throws -> VaultError.Code? {
    do {
      let vault = try Vault(at: path, key: key)
      try vault.open()
      return nil
    } catch let error as VaultError {
      return error.code
    }
  }

  @Test("A key that cannot be one is refused when the handle is made, before any file")
  func impossibleKeys() throws {
    let folder = try TemporaryFolder()
    let keys: [(VaultKey, VaultError.Code)] = [
      (.passphrase(""), .noKey), (.passphrase(bytes: []), .noKey), (.raw([]), .noKey),
      (.raw(hex: ""), .noKey), (.raw(Array(repeating: 1, count: 31)), .invalidKey),
      (.raw(Array(repeating: 1, count: 33)), .invalidKey),
      (.raw(Array(repeating: 1, count: 64)), .invalidKey),
      (.raw(hex: String(repeating: "g", count: 64)), .invalidKey),
      (.raw(hex: "5a"), .invalidKey),
    ]
    for (key, expected) in keys {
      let error = #expect(throws: VaultError.self) { try Vault(at: folder.file("v"), key: key) }
      #expect(error?.code == expected)
    }
    #expect(try contents(of: folder).isEmpty)
  }

  @Test("A key source that gives nothing is told from a wrong key, and makes no file")
  func unreadableSources() throws {
    let folder = try TemporaryFolder()
    let keys = try TemporaryFolder()
    try write(Data("words".utf8), to: keys.file("open-to-all"))
    chmod(keys.file("open-to-all"), 0o644)
    struct Refused: Error {}
    let sources: [KeySource] = [
      .file(keys.file("missing")), .file(keys.file("open-to-all")),
      .environment("OBJECTVAULT_NO_SUCH_VARIABLE"), .descriptor(.max),
      .closure { throw Refused() },
    ]
    for source in sources {
      #expect(try code(folder.file("v"), .source(source)) == .keySourceUnreadable, "\(source)")
    }
    #expect(try contents(of: folder).isEmpty)
    try makeVault(folder.file("v"))
    let before = try contents(of: folder)
    for source in sources {
      #expect(try code(folder.file("v"), .source(source)) == .keySourceUnreadable, "\(source)")
    }
    #expect(try contents(of: folder) == before)
  }

  @Test("A raw key opens with its 32 bytes, and with the salt only where that is the file's")
  func rawKeys() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try makeVault(path, key: .raw(raw))
    let salt = [UInt8](try bytes(path).prefix(16))
    let before = try contents(of: folder)
    #expect(try code(path, .raw(raw)) == nil)
    #expect(try code(path, .raw(raw + salt)) == nil)
    #expect(try code(path, .raw(raw + salt.reversed())) == .wrongKey)
    #expect(try code(path, .raw(raw.dropLast() + [1])) == .wrongKey)
    #expect(try code(path, .passphrase(bytes: raw)) == .wrongKey)
    #expect(try code(path, .passphrase(String(repeating: "5a", count: 32))) == .wrongKey)
    #expect(try contents(of: folder) == before)
  }

  @Test("A new vault takes the salt that comes with its raw key")
  func givenSalt() throws {
    let folder = try TemporaryFolder()
    let salt = (0..<16).map { UInt8($0) }
    try makeVault(folder.file("v"), key: .raw(raw + salt))
    #expect([UInt8](try bytes(folder.file("v")).prefix(16)) == salt)
    #expect(try code(folder.file("v"), .raw(raw)) == nil)
    // With the salt known, its damage is told from a wrong key.
    var content = try bytes(folder.file("v"))
    content[5] ^= 1
    try write(content, to: folder.file("v"))
    #expect(try code(folder.file("v"), .raw(raw + salt)) == .damaged)
  }

  @Test(
    "A handle with another key is refused while the vault is open, and with the right one shares it"
  )
  func sharedFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try makeVault(path)
    let vault = try Vault(at: path, key: .passphrase(passphrase))
    try vault.open()
    #expect(try code(path, .passphrase("other")) == .wrongKey)
    #expect(try code(path, .raw(raw)) == .wrongKey)
    #expect(try code(path, .passphrase(passphrase)) == nil)
    #expect(try vault.store(of: MarkedObject.self).count() == 100)
  }
}
