import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultFile

/// Work on whole files with a plaintext header.
@Suite(
  "Work on a file with a plaintext header", .enabled(if: writesPlaintextHeaders, needsSQLCipher4))
struct PlaintextHeaderWorkTests {
  /// An operation and the file that it creates.
  enum Work: String, CaseIterable, Sendable {
    case rekey, rotate, revoke, compact, upgradePages, toEncrypted, backup, ownBackup, restore
    case restoreOver, decrypt, salvage

    /// The form of the first bytes of the new file; `nil` for an unencrypted file.
    var header: FileHeader? {
      switch self {
      case .toEncrypted, .ownBackup: .encrypted
      case .decrypt: nil
      default: .plaintext
      }
    }

    var isInPlace: Bool {
      [.rekey, .rotate, .revoke, .compact, .upgradePages, .toEncrypted].contains(self)
    }

    var newKey: VaultKey {
      switch self {
      case .rekey: .keyring(.raw(51...82).named("new"))
      case .revoke: .keyring(HeaderVault.slot.named("main"))
      case .ownBackup: .ofTests
      default: HeaderVault.key
      }
    }

    func run(
      on path: String, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
    ) throws {
      let file = try DatabaseFile(at: path, key: HeaderVault.key)
      let out = path + ".out"
      switch self {
      case .rekey:
        // Another slot of the same keyring.
        try VaultKeyring(ofVaultAt: path)
          .addSlot("new", .raw(51...82), unlockedBy: HeaderVault.slot)
        try file.rekey(to: newKey, progress: progress)
      case .rotate: try file.rotate(progress: progress)
      case .revoke: try file.rotate(keeping: [HeaderVault.slot.named("main")], progress: progress)
      case .compact: try file.compact(progress: progress)
      case .upgradePages: try file.upgrade(pageSize: 8192, progress: progress)
      case .toEncrypted: try file.upgrade(header: .encrypted, progress: progress)
      case .backup: try file.backup(to: out, progress: progress)
      case .ownBackup: try file.backup(to: out, key: newKey, progress: progress)
      case .restore: try file.restore(to: out, progress: progress)
      case .restoreOver:
        try makeVault(out, key: .ofTests, objects: 3)
        try file.restore(to: out, replacing: true, progress: progress)
      case .decrypt: try file.decrypt(to: out, progress: progress)
      case .salvage: _ = try file.salvage(to: out, progress: progress)
      }
    }
  }

  @Test(
    "keeps the header, unless the key or the operation excludes it", .covers("B4"),
    arguments: Work.allCases)
  func works(work: Work) throws {
    let vault = try HeaderVault()
    try work.run(on: vault.path)
    let result = work.isInPlace ? vault.path : vault.out
    if let header = work.header {
      try HeaderVault.check(result, header, key: work.newKey)
    } else {
      let plain = try Connection.plain(path: result, mode: .readWrite)
      let rows = try plain.prepare("SELECT count(*) FROM \"MarkedObject\"")
      #expect(try rows.step() && rows.row.integer(at: 0) == 200)
      rows.reset()
      try plain.close()
    }
    if !work.isInPlace { try HeaderVault.check(vault.path) }
  }

  @Test(
    "that ends early leaves the file and its keyring usable", .covers("B4"),
    arguments: Work.allCases)
  func interrupted(work: Work) throws {
    struct Stop: Error {}
    for phase in [RekeyProgress.Phase.copying, .comparing] {
      let vault = try HeaderVault()
      #expect(throws: Stop.self, "\(phase)") {
        try work.run(on: vault.path) { if $0.phase == phase, $0.done > 0 { throw Stop() } }
      }
      try HeaderVault.check(vault.path)
      #expect(try VaultKeyring(ofVaultAt: vault.path).state == .matches)
    }
  }

  @Test("of open handles keeps the header, and they continue", .covers("B4"))
  func handles() throws {
    let vault = try HeaderVault()
    let handle = try Vault(at: vault.path, key: HeaderVault.key)
    let store = try handle.store(of: MarkedObject.self)
    try handle.rotate(unlockedBy: HeaderVault.slot)
    #expect(try store.count() == HeaderVault.count)
    try handle.compact()
    #expect(try store.count() == HeaderVault.count)
    try handle.backup(to: vault.out)
    try HeaderVault.check(vault.out)
    let error = #expect(throws: VaultError.self) { try handle.rekey(to: .passphrase("words")) }
    #expect(error?.code == .invalidArgument)
    #expect(try store.count() == HeaderVault.count)
    handle.close()
    try HeaderVault.check(vault.path)
  }

  @Test("switches it on and off, and does nothing if nothing changes", .covers("B5"))
  func switching() throws {
    let vault = try HeaderVault(header: .encrypted)
    let file = try DatabaseFile(at: vault.path, key: HeaderVault.key)
    #expect(try file.upgrade(header: .plaintext).header == .plaintext)
    try HeaderVault.check(vault.path)
    let before = try bytes(vault.path)
    #expect(try file.upgrade(header: .plaintext).header == .plaintext)
    #expect(try file.upgrade().header == .plaintext)
    #expect(try bytes(vault.path) == before)
    #expect(try file.upgrade(header: .encrypted).header == .encrypted)
    try HeaderVault.check(vault.path, .encrypted)
    // Every data key of the vault stays in its keyring, so the document stays one of version 2.
    #expect(
      try KeyringFile(besideVault: vault.path).read().keyring.epochs.map(\.header)
        == [.encrypted, .plaintext, .encrypted])
  }

  @Test("refuses a key without a keyring and the portable format", .covers("B2"))
  func refused() throws {
    let vault = try HeaderVault()
    let before = try contents(of: vault.folder)
    let file = try DatabaseFile(at: vault.path, key: HeaderVault.key)
    for work in [
      { try file.rekey(to: .passphrase("words")) }, { try file.rekey(to: .raw(1...48)) },
      { try file.upgrade(to: .portable) }, { try file.upgrade(to: .portable, header: .plaintext) },
    ] as [() throws -> CipherInfo] {
      let error = #expect(throws: VaultError.self) { try work() }
      #expect(error?.code == .invalidArgument)
    }
    #expect(try contents(of: vault.folder) == before)
    #expect(try file.upgrade(to: .portable, header: .encrypted).format == 3)
    try HeaderVault.check(vault.path, .encrypted)

    let own = vault.folder.file("own.vault")
    try makeVault(own, key: .ofTests, objects: 3)
    let error = #expect(throws: VaultError.self) {
      try DatabaseFile(at: own, key: .ofTests).upgrade(header: .plaintext)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test(
    "encrypts a database with a plaintext header, in place and into another file", .covers("B5"))
  func encrypt() throws {
    for target in [nil, "new.vault"] {
      let folder = try TemporaryFolder()
      let path = folder.file("plain.db")
      let plain = try Connection.plain(path: path, mode: .create)
      try plain.execute(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1, 'marker'), (2, 3);")
      try plain.close()
      let file = try DatabaseFile(at: path, key: nil)
      let error = #expect(throws: VaultError.self) {
        try file.encrypt(with: .ofTests, header: .plaintext)
      }
      #expect(error?.code == .invalidArgument)
      let target = target.map { folder.file($0) }
      #expect(
        try file.encrypt(with: HeaderVault.key, to: target, header: .plaintext).header == .plaintext
      )
      let result = target ?? path
      #expect(try HeaderVault.header(of: result) == .plaintext)
      #expect(try bytes(result).range(of: Data("marker".utf8)) == nil)
      let vault = try Vault(at: result, key: HeaderVault.key, configuration: HeaderVault.existing)
      #expect(try vault.store(named: "t").count() == 2)
      vault.close()
    }
  }

  @Test("adopts a file of another program with a raw key and salt into a keyring")
  func adopted() throws {
    let folder = try TemporaryFolder()
    let path = try fixture("format4-4096-plaintext-header.db", in: folder)
    let file = try DatabaseFile(at: path, key: .raw(Array(UInt8(1)...48)))
    #expect(try file.cipherInfo().header == .plaintext)
    #expect(try file.verify().isSound)
    try file.rekey(to: HeaderVault.key)
    #expect(try HeaderVault.header(of: path) == .plaintext)
    let vault = try Vault(at: path, key: HeaderVault.key, configuration: HeaderVault.existing)
    #expect(try vault.store(named: "note").count() == 40)
    vault.close()
  }

  @Test("detects an older copy by the count of its commits")
  func freshness() throws {
    let vault = try HeaderVault()
    let handle = try Vault(at: vault.path, key: HeaderVault.key)
    let before = try handle.commitCount()
    try handle.store(of: MarkedObject.self).insert(MarkedObject("kept", number: 900))
    #expect(try handle.commitCount() > before)
    handle.close()
    let report = try DatabaseFile(at: vault.path, key: HeaderVault.key).verify()
    #expect(report.commitCounter != nil)
  }
}
