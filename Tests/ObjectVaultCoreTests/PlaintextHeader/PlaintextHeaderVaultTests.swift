import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultFile

@Suite("A vault with a plaintext header", .enabled(if: writesPlaintextHeaders, needsSQLCipher4))
struct PlaintextHeaderVaultTests {
  @Test(
    "begins with SQLite's header in WAL mode, and contains nothing else in plaintext", .covers("B1")
  )
  func content() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("school.vault")
    let vault = try Vault(
      at: path, key: HeaderVault.key, configuration: HeaderVault.configuration())
    try vault.store(of: MarkedObject.self).insert(MarkedObject("marker", number: 1))
    let log = try bytes(path + "-wal")
    #expect(log.count > 4096)
    vault.close()
    let content = try bytes(path)
    #expect(Array(content.prefix(24)) == HeaderVault.start)
    let keyring = try KeyringFile(besideVault: path).read().keyring
    #expect(keyring.version == 2)
    #expect(keyring.epochs.map(\.header) == [.plaintext])
    let salt = try Data(#require(keyring.epochs.first).salt.bytes)
    for part in [Data("marker".utf8), Data("MarkedObject".utf8), Data("CREATE TABLE".utf8), salt] {
      #expect(content.range(of: part) == nil)
      #expect(log.range(of: part) == nil)
    }
    // The log has page 1 with the same bytes.
    #expect(log.range(of: Data(HeaderVault.start)) != nil)
    #expect(content.range(of: Data("SQLite".utf8), in: 16..<content.count) == nil)
  }

  @Test("opens with the keys of its keyring and with no other", .covers("B1"))
  func keys() throws {
    let vault = try HeaderVault()
    try HeaderVault.check(vault.path)
    #expect(try HeaderVault.refusal(vault.path, key: .keyring(.raw(2...33))) == .wrongKey)
    #expect(try HeaderVault.refusal(vault.path, key: .raw(1...32)) == .wrongKey)
    #expect(try HeaderVault.refusal(vault.path, key: .passphrase("words")) == .wrongKey)
    let other = try HeaderVault()
    try FileManager.default.copyItem(
      atPath: other.path + ".keyring", toPath: vault.folder.file("other.keyring"))
    #expect(
      try HeaderVault.refusal(
        vault.path, key: .keyring(HeaderVault.slot, at: vault.folder.file("other.keyring")))
        == .keyringMismatch)
    unlink(vault.path + ".keyring")
    unlink(vault.path + ".keyring~")
    #expect(try HeaderVault.refusal(vault.path) == .keyringMissing)
  }

  @Test("is read and written by the stock shell with its raw key, salt and header size")
  func stockShell() throws {
    let vault = try HeaderVault()
    let unlocked = try UnlockedKeyring(KeyringFile(besideVault: vault.path), key: HeaderVault.slot)
    let epoch = try #require(unlocked.keyring.keyring.epochs.first)
    let specification = try unlocked.dataKey(of: epoch.salt).withSecret {
      KeyDerivation.specification(key: $0, salt: epoch.salt).withUnsafeBytes {
        String(decoding: $0, as: UTF8.self)
      }
    }
    let output = try CipherShell.run(
      vault.path,
      [
        "PRAGMA key=\"\(specification)\";", "PRAGMA cipher_plaintext_header_size=32;",
        "UPDATE MarkedObject SET list='[]' WHERE word='kept word 1';",
        "SELECT count(*) FROM MarkedObject;", "PRAGMA cipher_integrity_check;",
      ])
    #expect(output == "ok\n200\n")
    try HeaderVault.check(vault.path)
  }

  @Test(
    "requires a keyring and the native format, and nothing is created otherwise", .covers("B2"),
    arguments: [VaultKey.passphrase("words"), .raw(1...32), .raw(1...48)])
  func refusedKeys(key: VaultKey) throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(
      at: folder.file("v"), key: key, configuration: HeaderVault.configuration())
    let error = #expect(throws: VaultError.self) { try vault.open() }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("Use a keyring key") == true)
    var configuration = HeaderVault.configuration()
    configuration.cipherFormat = .portable
    #expect(throws: VaultError.self) {
      try Vault(at: folder.file("v"), key: HeaderVault.key, configuration: configuration)
    }
    #expect(try contents(of: folder).isEmpty)
  }

  @Test("keeps its header when a handle with the default configuration opens it")
  func existing() throws {
    let vault = try HeaderVault()
    let handle = try Vault(at: vault.path, key: HeaderVault.key)
    try handle.store(of: MarkedObject.self).remove(id: "kept id 0")
    try handle.store(of: MarkedObject.self).insert(MarkedObject("kept", number: 0))
    #expect(try handle.cipherInfo().header == .plaintext)
    #expect(try handle.cipherInfo().description.contains("plaintext header"))
    handle.close()
    try HeaderVault.check(vault.path)
  }

  @Test("is shared by several connections, processes and handles, with a log")
  func shared() throws {
    let vault = try HeaderVault()
    let first = try Vault(at: vault.path, key: HeaderVault.key)
    try first.store(of: MarkedObject.self).insert(MarkedObject("kept", number: 1000))
    // The log has content now, and a file without its log has other pages than its header says.
    let copy = vault.folder.file("copy.vault")
    for suffix in ["", "-wal"] {
      try write(bytes(vault.path + suffix), to: copy + suffix)
    }
    for suffix in ["", "~"] {
      try write(bytes(vault.path + ".keyring" + suffix), to: copy + ".keyring" + suffix)
    }
    #expect(try HeaderVault.objects(in: copy) == HeaderVault.count + 1)
    #expect(try first.store(of: MarkedObject.self).count() == HeaderVault.count + 1)
    #expect(try first.verify().isSound)
    first.close()
  }

  @Test("opens as an older copy with the retired data key")
  func olderCopy() throws {
    let vault = try HeaderVault()
    let older = try bytes(vault.path)
    try DatabaseFile(at: vault.path, key: HeaderVault.key).rotate()
    try HeaderVault.check(vault.path)
    try write(older, to: vault.path)
    // The recorded generation only protects newer files.
    #expect(try HeaderVault.refusal(vault.path) == nil)
  }

  @Test("whose replacement was not recorded opens, and the opening records it")
  func pending() throws {
    let vault = try HeaderVault()
    let file = KeyringFile(besideVault: vault.path)
    let before = try bytes(file.path)
    try DatabaseFile(at: vault.path, key: HeaderVault.key).compact()
    let after = try UnlockedKeyring(file, key: HeaderVault.slot)
    // The keyring as it was announced: the epoch of the present file is pending.
    for path in [file.path, file.sparePath] { try write(before, to: path) }
    let unlocked = try UnlockedKeyring(file, key: HeaderVault.slot)
    let epoch = try #require(after.keyring.keyring.epochs.last)
    _ = try unlocked.storing { keyring throws(KeyError) in
      try keyring.addEpoch(
        wrapping: after.dataKey(of: epoch.salt), salt: epoch.salt, format: .format4,
        pageSize: 4096, header: .plaintext, state: .pending)
    }
    #expect(try VaultKeyring(ofVaultAt: vault.path).state == .unfinishedRotation)
    #expect(try HeaderVault.refusal(vault.path) == nil)
    #expect(try file.read().keyring.epochs.map(\.state) == [.retired, .current])
    #expect(try VaultKeyring(ofVaultAt: vault.path).state == .matches)
  }

  @Test(
    "that an unencrypted database replaced is refused and the database is not changed",
    .covers("B3"))
  func unencryptedInstead() throws {
    let vault = try HeaderVault()
    for suffix in ["", "-wal", "-shm"] { unlink(vault.path + suffix) }
    let plain = try Connection.plain(path: vault.path, mode: .create)
    try plain.execute("CREATE TABLE t(id INTEGER PRIMARY KEY);")
    try plain.close()
    let before = try bytes(vault.path)
    #expect(try HeaderVault.refusal(vault.path) == .notEncrypted)
    let creating = try Vault(
      at: vault.path, key: HeaderVault.key, configuration: HeaderVault.configuration())
    #expect(throws: VaultError.self) { try creating.open() }
    #expect(throws: VaultError.self) {
      try DatabaseFile(at: vault.path, key: HeaderVault.key).rotate()
    }
    #expect(try bytes(vault.path) == before)
  }

  @Test("is not taken for an unencrypted database when it is used without a key", .covers("B3"))
  func withoutKey() throws {
    let vault = try HeaderVault()
    let before = try bytes(vault.path)
    let file = try DatabaseFile(at: vault.path, key: nil)
    for work in [
      { try file.encrypt(with: .ofTests) }, { _ = try file.verify() },
      { _ = try file.salvage(to: vault.out, key: .ofTests) },
    ] as [() throws -> Void] {
      let error = #expect(throws: VaultError.self) { try work() }
      #expect([.invalidArgument, .noKey].contains(error?.code))
    }
    #expect(try bytes(vault.path) == before)
  }
}

@Suite(
  "A plaintext header on SQLCipher 3", .enabled(if: !writesPlaintextHeaders, "needs SQLCipher 3"))
struct PlaintextHeaderRefusalTests {
  @Test("is refused for a new vault, and nothing is created", .covers("B2"))
  func refused() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(
      at: folder.file("v"), key: HeaderVault.key, configuration: HeaderVault.configuration())
    let error = #expect(throws: VaultError.self) { try vault.open() }
    #expect(error?.code == .unsupportedCipherSettings)
    #expect(error?.message.contains("Use SQLCipher 4") == true)
    #expect(try contents(of: folder).isEmpty)
  }

  @Test("is refused for a file that is upgraded or encrypted, which is unchanged", .covers("B2"))
  func upgrade() throws {
    let folder = try TemporaryFolder()
    try makeVault(folder.file("v"), key: HeaderVault.key, objects: 3)
    let before = try contents(of: folder)
    let file = try DatabaseFile(at: folder.file("v"), key: HeaderVault.key)
    let error = #expect(throws: VaultError.self) { try file.upgrade(header: .plaintext) }
    #expect(error?.code == .unsupportedCipherSettings)
    #expect(try contents(of: folder) == before)
  }

  @Test("of a file by SQLCipher 4 is refused as newer")
  func opening() throws {
    let folder = try TemporaryFolder()
    let path = try fixture("format4-4096-plaintext-header.db", in: folder)
    let key = VaultKey.raw(Array(UInt8(1)...48))
    #expect(try refusal(path, key) == .newerCipherFormat)
  }
}
