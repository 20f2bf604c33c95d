import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("A history in a file", .covers("H8"))
struct HistoryFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.ofTests
  private let newKey = VaultKey.raw([UInt8](repeating: 9, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("a.vault")
  }

  /// Makes a vault with two ledgers, and returns the position after the first.
  @discardableResult
  private func made(_ configuration: VaultConfiguration = VaultConfiguration()) throws
    -> HistoryPosition
  {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let ledgers = try vault.store(of: Ledger.self)
    try ledgers.insert(Ledger("a"))
    let position = try vault.historyPosition()
    try ledgers.insert(Ledger("b"))
    vault.close()
    return position
  }

  @Test("comes through rekeying, backup, decrypting, encrypting and upgrading with its positions")
  func copies() throws {
    var configuration = VaultConfiguration()
    configuration.cipherFormat = .portable
    let position = try made(configuration)
    let (backup, plain) = (folder.file("backup"), folder.file("plain"))
    let encrypted = folder.file("encrypted")
    let file = try DatabaseFile(at: path, key: key)
    try file.backup(to: backup)
    try file.decrypt(to: plain)
    try DatabaseFile(at: plain, key: nil).encrypt(with: key, to: encrypted)
    if try Engine.prove().newestCipherFormat > 3 { try file.upgrade() }
    try file.rekey(to: newKey)
    for (path, key) in [(path, newKey), (backup, key), (encrypted, key)] {
      let vault = try Vault(at: path, key: key)
      #expect(try vault.recorded(since: position) == ["inserted 2"], "\(path)")
      let lines = try vault.recorded { try vault.store(of: Ledger.self).removeAll() }
      #expect(lines == ["removed 1", "removed 2"], "\(path)")
      #expect(try vault.verify().isSound, "\(path)")
    }
  }

  @Test("says after a salvage that changes may be missing", arguments: [true, false])
  func salvaged(hasList: Bool) throws {
    let position = try made()
    if !hasList {
      var data = try bytes(path)
      data[777] ^= 1
      try write(data, to: path)
    }
    let new = folder.file("new")
    let report = try DatabaseFile(at: path, key: key).salvage(to: new)
    #expect(report.notRestored == [])
    let vault = try Vault(at: new, key: key)
    #expect(try vault.recorded(since: position) == ["inserted 2", "started"])
    let lines = try vault.recorded { try vault.store(of: Ledger.self).removeAll() }
    #expect(lines == ["removed 1", "removed 2"])
    #expect(try vault.verify().isSound)
  }

  @Test("is written by the stock shell, without an author", .covers("H3"))
  func stockShell() throws {
    var configuration = VaultConfiguration()
    configuration.author = "li"
    let position = try made(configuration)
    let lines = try CipherShell.lines(
      path, CipherShell.keyOfTests,
      [
        "INSERT INTO Ledger (name, age) VALUES ('shell', 1);",
        "UPDATE Ledger SET age = 5 WHERE name = 'a';",
        "DELETE FROM Ledger WHERE name = 'b';",
        "SELECT count(*) FROM objectvault_history;",
      ])
    #expect(lines == ["5"])
    let vault = try Vault(at: path, key: key)
    let changes = try vault.changes(since: position).changes
    #expect(changes.map(\.line) == ["inserted 2", "inserted 3", "updated 1 age", "removed 2"])
    #expect(changes.map(\.author) == ["li", nil, nil, nil])
  }

  @Test("has one order for the changes of several processes", .covers("H3"))
  func processes() async throws {
    let vault = try Vault(at: path, key: .ofTests)
    let ledgers = try await vault.store(of: Ledger.self)
    let path = path
    async let one = onOwnThread { try ChildProcess.run("vault-history", path, "one", "100") }
    async let other = onOwnThread { try ChildProcess.run("vault-history", path, "two", "100") }
    async let here: Void = onOwnThread {
      for number in 0..<50 { try ledgers.insert(Ledger("\(number)")) }
    }
    for child in [try await one, try await other] {
      #expect(child.output == "recorded\n" && child.status == 0, "\(child.output)\(child.errors)")
    }
    try await here
    try await vault.read { try check(vault, ledgers) }
  }

  private func check(_ vault: Vault, _ ledgers: ObjectStore<Ledger>) throws {
    let changes = try vault.changes(since: nil).changes
    #expect(changes.filter { $0.author == "one" }.count == 100)
    #expect(changes.filter { $0.author == "two" }.count == 100)
    #expect(changes.filter { $0.author == nil }.count == 50)
    let stored = try ledgers.all()
    let owners = Dictionary(uniqueKeysWithValues: stored.map { ($0.objectID, $0.name) })
    for change in changes where change.author != nil {
      #expect(owners[try change.objectID(of: Ledger.self)] == change.author)
    }
  }
}
