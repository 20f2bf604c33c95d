import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@Suite("A searched class")
struct SearchOperationsTests {
  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.raw(1...32)
  private let newKey = VaultKey.raw([UInt8](repeating: 9, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("a.vault")
  }

  private func made(_ configuration: VaultConfiguration = VaultConfiguration()) throws {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let store = try vault.store(of: SeaPage.self)
    try store.insert(contentsOf: SeaPage.samples)
    try store.insert(contentsOf: (0..<500).map { SeaPage("page \($0)", "filling \($0) words") })
    try store.where("number == 3").remove()
    vault.close()
  }

  private func check(_ path: String, _ key: VaultKey, _ kind: String) throws {
    let vault = try Vault(at: path, key: key)
    let store = try vault.store(of: SeaPage.self)
    #expect(try store.search("old sea").all().map(\.number) == [1], "\(kind)")
    #expect(try store.search("wives").count() == 0, "\(kind)")
    #expect(try store.search("filling 49*").count() == 11, "\(kind)")
    #expect(try store.isSearchSound(), "\(kind)")
    try store.insert(SeaPage("Nautilus"))
    #expect(try store.search("nautilus").count() == 1, "\(kind)")
    vault.close()
    #expect(try DatabaseFile(at: path, key: key).verify().isSound, "\(kind)")
  }

  @Test(
    "comes through rekeying, backup, restoring, decrypting and encrypting, and is searched as before"
  )
  func copies() throws {
    try made()
    try DatabaseFile(at: path, key: key).rekey(to: newKey)
    let backup = folder.file("backup")
    try DatabaseFile(at: path, key: newKey).backup(to: backup)
    let (plain, encrypted) = (folder.file("plain"), folder.file("encrypted"))
    try DatabaseFile(at: path, key: newKey).decrypt(to: plain)
    try DatabaseFile(at: plain, key: nil).encrypt(with: key, to: encrypted)
    try check(path, newKey, "rekeyed")
    try check(backup, newKey, "backup")
    try check(encrypted, key, "encrypted")
  }

  @Test("comes through an upgrade of the cipher format")
  func upgraded() throws {
    var configuration = VaultConfiguration()
    configuration.cipherFormat = .portable
    try made(configuration)
    guard try Engine.prove().newestCipherFormat > 3 else { return }
    try DatabaseFile(at: path, key: key).upgrade()
    try check(path, key, "upgraded")
  }

  @Test("comes through a salvage")
  func salvaged() throws {
    try made()
    let new = folder.file("new")
    _ = try DatabaseFile(at: path, key: key).salvage(to: new)
    try check(new, key, "salvaged")
  }

  @Test("is kept in step by the stock shell, which searches it too")
  func stockShell() throws {
    let vault = try Vault(at: path, key: .ofTests)
    try vault.store(of: SeaPage.self).insert(contentsOf: SeaPage.samples)
    vault.close()
    let lines = try CipherShell.lines(
      path, CipherShell.keyOfTests,
      [
        "INSERT INTO Page (title, number) VALUES ('A nautilus', 6);",
        "UPDATE Page SET title = 'A dolphin' WHERE number = 2;",
        "DELETE FROM Page WHERE number = 3;",
        "SELECT rowid FROM objectvault_Page_search WHERE objectvault_Page_search MATCH 'nautilus';",
        "VACUUM;", "PRAGMA integrity_check;",
      ])
    #expect(lines == ["6", "ok"])
    let again = try Vault(at: path, key: .ofTests)
    let store = try again.store(of: SeaPage.self)
    #expect(try store.search("nautilus OR dolphin OR wives OR moby").all().map(\.number) == [2, 6])
    #expect(try store.isSearchSound())
  }

  @Test("that this engine cannot search is read, and neither changed nor searched")
  func unavailable() throws {
    try made()
    let vault = try Vault(at: path, key: key)
    let description = ClassDescription.pages(.init(["title"], module: .fts5))
    guard try !Engine.prove().hasFTS5 else {
      #expect(try vault.store(of: description).search("sea").count() == 1)
      return
    }
    // What another engine would have left.
    let definition = try #require(SearchDefinition(description))
    _ = try vault.store(of: ClassDescription.pages(nil))
    try vault.file().transaction { connection in
      for (_, _, sql) in definition.statements.dropFirst() { try connection.execute(sql) }
      try SystemTables(connection).describe(description)
      try connection.engine.setPragma("writable_schema", to: "1", expecting: "1")
      let row = try connection.engine.prepare(
        "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, 0, ?2)",
        persistent: false)
      let binder = row.binder
      binder.bind(text: definition.name, at: 0)
      binder.bind(text: definition.statements[0].sql, at: 1)
      try row.run()
      try connection.engine.setPragma("writable_schema", to: "0", expecting: "0")
    }
    vault.close()
    let again = try Vault(at: path, key: key)
    for store in [try again.store(of: description), try again.store(named: "Page")] {
      #expect(try store.where("number == 1").count() == 1)
      #expect(code { try store.search("sea").validate() } == .searchUnavailable)
      #expect(code { try store.rebuildSearch() } == .searchUnavailable)
      #expect(code { try store.removeAll() } == .searchUnavailable)
      #expect(code { try store.insert(DynamicObject(of: description)) } == .searchUnavailable)
      #expect(try store.count() == 504)
    }
    // Nor is anything of the class changed by declaring it otherwise.
    #expect(code { _ = try again.store(of: .pages(nil)) } == .searchUnavailable)
    let other = ClassDescription(
      "Other", properties: [.init("text", type: .string)],
      search: .init(["text"], module: .fts5))
    #expect(code { _ = try again.store(of: other) } == .searchUnavailable)
    #expect(try again.classes().map(\.name) == ["Page"])
  }
}
