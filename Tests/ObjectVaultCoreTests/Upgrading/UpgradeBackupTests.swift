import Foundation
import ObjectVaultCore
import Testing
import TestSupport

@Suite("A copy from before an upgrade") struct UpgradeBackupTests {
  private static let person = ClassDescription("Person", properties: [.init("name", String.self)])
  private static let changed = person.with([.init("name", String?.self)])
  private static let grown = person.with([
    .init("name", String.self), .init("age", Int.self, defaultValue: 7),
  ])

  private func people(keeping: Bool = true) throws -> ChangingVault {
    var configuration = VaultConfiguration()
    configuration.upgradeBackup = keeping ? .keep : nil
    let vault = try ChangingVault(configuration)
    try vault.insert(Self.person, [.text("SECRET-MARKER")])
    return vault
  }

  private func copies(_ vault: ChangingVault) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: vault.folder.url.path)
      .filter { $0.contains("before-upgrade") }.sorted()
  }

  @Test(
    "is kept under the vault's key on request, has the classes as they were, and is never in clear",
    arguments: [changed, grown])
  func kept(changed: ClassDescription) throws {
    let vault = try people()
    #expect(try copies(vault).isEmpty)
    _ = try vault.vault.store(of: changed)
    #expect(try copies(vault) == ["a.vault.before-upgrade"])
    let path = vault.folder.file("a.vault.before-upgrade")
    let before = try Vault(at: path, key: ChangingVault.key)
    #expect(try before.store(named: "Person").classDescription == Self.person)
    #expect(try before.store(named: "Person").count() == 1)
    before.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.range(of: Data("SECRET-MARKER".utf8)) == nil)
    #expect(bytes.range(of: Data("Person".utf8)) == nil)
  }

  @Test("never takes the place of an earlier one, and none is made where nothing changes")
  func second() throws {
    let vault = try people()
    _ = try vault.vault.store(of: Self.changed)
    _ = try vault.vault.store(of: Self.changed)
    _ = try vault.vault.store(of: ClassDescription("Other", properties: [.init("x", Int.self)]))
    #expect(try copies(vault) == ["a.vault.before-upgrade"])
    let first = try Data(contentsOf: URL(fileURLWithPath: vault.folder.file(copies(vault)[0])))
    _ = try vault.vault.store(of: Self.person)
    #expect(try copies(vault) == ["a.vault.before-upgrade", "a.vault.before-upgrade-2"])
    let same = try Data(contentsOf: URL(fileURLWithPath: vault.folder.file(copies(vault)[0])))
    #expect(first == same)
    let other = try people(keeping: false)
    _ = try other.vault.store(of: Self.changed)
    #expect(try copies(other).isEmpty)
  }

  @Test("goes with an upgrade that is refused or undone, and stays with one inside a transaction")
  func undone() throws {
    let vault = try people()
    let narrow = Self.person.with([.init("name", Int.self)])
    #expect(code { _ = try vault.vault.store(of: narrow) } == .upgradeRefused)
    #expect(try copies(vault).isEmpty)
    #expect(throws: CancellationError.self) {
      try vault.vault.transaction {
        _ = try vault.vault.store(of: Self.grown)
        #expect(try copies(vault) == ["a.vault.before-upgrade"])
        throw CancellationError()
      }
    }
    #expect(try copies(vault).isEmpty)
    try vault.vault.transaction { _ = try vault.vault.store(of: Self.grown) }
    #expect(try copies(vault) == ["a.vault.before-upgrade"])
  }

  @Test("is one for all steps of a schema, and none for a new vault")
  func schema() throws {
    var configuration = VaultConfiguration()
    configuration.upgradeBackup = .keep
    configuration.schema = VaultSchema(version: 1)
    let new = try ChangingVault(configuration)
    try new.vault.open()
    try new.insert(Self.person, [.text("Li")])
    #expect(try copies(new).isEmpty)
    configuration.schema = VaultSchema(version: 3)
      .step(from: 1) { try $0.execute("UPDATE \"Person\" SET \"name\" = ?", "changed") }
      .step(from: 2) { _ = try $0.vault.store(of: Self.grown) }
    let later = try new.reopened(configuration)
    try later.vault.open()
    #expect(try copies(later) == ["a.vault.before-upgrade"])
    let before = try Vault(
      at: later.folder.file("a.vault.before-upgrade"), key: ChangingVault.key)
    #expect(try before.store(named: "Person").query.values(of: "name") == ["Li"])
    #expect(try later.vault.store(named: "Person").query.values(of: "name") == ["changed"])
  }

  @Test("has a keyring of its own, with which the same slots open it")
  func keyring() throws {
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.upgradeBackup = .keep
    let key = VaultKey.keyring(.raw(1...32))
    let vault = try Vault(at: folder.file("a.vault"), key: key, configuration: configuration)
    var person = try DynamicObject(of: Self.person)
    try person.set("name", to: .text("Li"))
    try vault.store(of: Self.person).insert(person)
    _ = try vault.store(of: Self.changed)
    let before = try Vault(at: folder.file("a.vault.before-upgrade"), key: key)
    #expect(try before.store(named: "Person").classDescription == Self.person)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.contains("a.vault.before-upgrade.keyring"))
    #expect(
      code { _ = try vault.store(of: Self.person.with([.init("name", Int.self)])) }
        == .upgradeRefused)
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!after.contains { $0.contains("before-upgrade-2") })
  }

  @Test("of a killed upgrade is removed by the next one, and that of a committed one stays")
  func killed() throws {
    var configuration = VaultConfiguration()
    configuration.schema = VaultSchema(version: 1)
    let vault = try ChangingVault(configuration)
    try vault.insert(Self.person, [.text("Li")])
    vault.vault.close()
    for _ in 0..<3 {
      let child = try ChildProcess.run("vault-killed-upgrade", vault.vault.path)
      #expect(!child.exited && child.status == SIGKILL, "\(child.output)")
      #expect(try copies(vault) == ["a.vault.before-upgrade"])
    }
    configuration.upgradeBackup = .keep
    for version in 2...3 {
      configuration.schema = VaultSchema(version: version).step(from: version - 1) { _ in }
      let later = try vault.another(configuration)
      try later.open()
      later.close()
    }
    #expect(try copies(vault) == ["a.vault.before-upgrade", "a.vault.before-upgrade-2"])
    let names = try FileManager.default.contentsOfDirectory(atPath: vault.folder.path)
    #expect(names.count == 3, "\(names)")
    for name in try copies(vault) {
      let copy = try Vault(at: vault.folder.file(name), key: ChangingVault.key)
      #expect(try copy.store(named: "Person").count() == 1)
    }
  }

  @Test("that was cut off is removed with its keyring and its unfinished file")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.upgradeBackup = .keep
    let key = VaultKey.keyring(.raw(1...32))
    let vault = try Vault(at: folder.file("a.vault"), key: key, configuration: configuration)
    _ = try vault.store(of: Self.person)
    for name in [
      ".a.vault.upgrading", "a.vault.before-upgrade.keyring", ".a.vault.before-upgrade.copying",
    ] { try write(Data("left".utf8), to: folder.file(name)) }
    _ = try vault.store(of: Self.changed)
    let before = try Vault(at: folder.file("a.vault.before-upgrade"), key: key)
    #expect(try before.store(named: "Person").classDescription == Self.person)
    before.close()
    vault.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let expected = ["a.vault", "a.vault.before-upgrade"]
      .flatMap { [$0, $0 + ".keyring", $0 + ".keyring~"] }
    #expect(names == expected.sorted())
  }

  @Test("that cannot be made leaves the vault as it is")
  func impossible() throws {
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.upgradeBackup = .keep
    // The name of the copy is longer than the file system takes.
    let path = folder.file(String(repeating: "v", count: 245))
    let vault = try Vault(at: path, key: ChangingVault.key, configuration: configuration)
    _ = try vault.store(of: Self.person)
    #expect(code { _ = try vault.store(of: Self.changed) } != nil)
    #expect(try vault.store(named: "Person").classDescription == Self.person)
    configuration.upgradeBackup = nil
    let another = try Vault(at: path, key: ChangingVault.key, configuration: configuration)
    _ = try another.store(of: Self.changed)
    #expect(try another.store(named: "Person").classDescription == Self.changed)
  }

  @Test("goes with the part of a transaction that changed the class, though the rest is kept")
  func partlyUndone() throws {
    let vault = try people()
    func undone(_ body: () throws -> Void) throws {
      #expect(throws: CancellationError.self) {
        try vault.vault.transaction {
          try body()
          throw CancellationError()
        }
      }
    }
    try vault.vault.transaction {
      try undone { _ = try vault.vault.store(of: Self.grown) }
      #expect(try copies(vault).isEmpty)
      try undone {
        try vault.vault.transaction { _ = try vault.vault.store(of: Self.grown) }
        #expect(try copies(vault) == ["a.vault.before-upgrade"])
      }
      #expect(try copies(vault).isEmpty)
      try vault.insert(Self.person, [.text("Bo")])
    }
    #expect(try copies(vault).isEmpty)
    // What a part that is kept wanted stays, whatever becomes of another part.
    try vault.vault.transaction {
      try vault.vault.transaction { _ = try vault.vault.store(of: Self.grown) }
      try undone {
        let more = Self.grown.with(Self.grown.properties + [.init("x", Int?.self)])
        _ = try vault.vault.store(of: more)
      }
    }
    #expect(try copies(vault) == ["a.vault.before-upgrade"])
  }

  @Test("is none where only the number of a schema is noted")
  func noted() throws {
    let vault = try people()
    var configuration = VaultConfiguration()
    configuration.upgradeBackup = .keep
    configuration.schema = VaultSchema(version: 1)
    let first = try vault.reopened(configuration)
    try first.vault.open()
    #expect(try copies(first).isEmpty)
    configuration.schema = VaultSchema(version: 2)
    let second = try first.reopened(configuration)
    try second.vault.open()
    #expect(try copies(second).isEmpty)
    configuration.schema = VaultSchema(version: 3).step(from: 2) { _ in }
    let third = try second.reopened(configuration)
    try third.vault.open()
    #expect(try copies(third) == ["a.vault.before-upgrade"])
  }
}
