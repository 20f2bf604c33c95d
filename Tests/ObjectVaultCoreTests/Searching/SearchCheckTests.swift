import Foundation
import ObjectVaultCore
import Testing
import TestSupport

@Suite("The check of a whole file looks at indexes of words, and")
struct SearchCheckTests {
  private func filled(_ kind: SearchKind) throws -> ChangingVault {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 1
    let vault = try ChangingVault(configuration)
    try vault.insert(
      .pages(kind.of(["title", "body"])),
      [.text("The old sea"), .text("a fish"), .integer(1)],
      [.text("Kraken"), .null, .integer(2)])
    return vault
  }

  private func checked(_ vault: ChangingVault) throws -> VerificationReport {
    vault.vault.close()
    let path = vault.vault.path
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let report = try DatabaseFile(at: path, key: ChangingVault.key).verify()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    return report
  }

  @Test(
    "finds one with other words than the texts, names the class, and writes nothing",
    arguments: SearchKind.all)
  func stale(_ kind: SearchKind) throws {
    let vault = try filled(kind)
    #expect(try vault.vault.verify().isSound)
    try vault.run("INSERT OR REPLACE INTO Page (objectID, title, number) VALUES (1, 'new', 1)")
    let report = try vault.vault.verify()
    #expect(report.unsoundSearches == ["Page"])
    #expect(report.structureProblems == [])
    #expect(!report.isSound)
    #expect(try vault.rows("SELECT name FROM sqlite_temp_master") == [])
    let closed = try checked(vault)
    #expect(closed.unsoundSearches == ["Page"] && closed.structureProblems == [])
    let mended = try vault.reopened()
    try mended.vault.store(named: "Page").rebuildSearch()
    #expect(try mended.vault.verify().isSound)
    #expect(try checked(mended).isSound)
  }

  @Test(
    "finds one in which the words of two objects are exchanged",
    arguments: SearchKind.all)
  func exchanged(_ kind: SearchKind) throws {
    let vault = try filled(kind)
    let triggers = try vault.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    for trigger in triggers {
      guard case .text(let name) = trigger[0] else { continue }
      try vault.run("DROP TRIGGER \(SQL.quoted(name))")
    }
    #expect(try vault.vault.verify().unsoundSearches == ["Page"], "without its triggers")
    try vault.run(
      "UPDATE Page SET title = CASE objectID WHEN 1 THEN 'Kraken' ELSE 'The old sea' END",
      "UPDATE Page SET body = CASE objectID WHEN 1 THEN NULL ELSE 'a fish' END")
    for trigger in triggers {
      guard case .text(let sql) = trigger[1] else { continue }
      try vault.run(sql)
    }
    #expect(try vault.vault.verify().unsoundSearches == ["Page"])
    try vault.vault.store(named: "Page").rebuildSearch()
    let report = try vault.vault.verify()
    #expect(report.isSound, "\(report)")
  }

  @Test(
    "finds one that is gone, or one of its triggers, which a rebuild makes",
    arguments: SearchKind.all)
  func gone(_ kind: SearchKind) throws {
    let vault = try filled(kind)
    try vault.run("DROP TABLE \"objectvault_Page_search\"")
    #expect(try checked(vault).unsoundSearches == ["Page"])
    let next = try vault.reopened()
    let store = try next.vault.store(named: "Page")
    try store.rebuildSearch()
    #expect(try store.search("sea").count() == 1)
    #expect(try next.vault.verify().isSound)
    try next.run("DROP TRIGGER \"objectvault_Page_search_insert\"")
    #expect(try next.vault.verify().unsoundSearches == ["Page"])
    try store.rebuildSearch()
    #expect(try next.vault.verify().isSound)
  }

  @Test("is not stopped by a bad page of one, which is named")
  func damaged() throws {
    let vault = try filled(SearchKind())
    vault.vault.close()
    let path = vault.vault.path
    let owners = try PageOwners(storedPages(path, ChangingVault.key))
    let page = try #require(
      owners.schema.entries.first { $0.name == "objectvault_Page_search_segdir" }?.root)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data[(Int(page) - 1) * 4096 + 99] ^= 1
    try data.write(to: URL(fileURLWithPath: path))
    let report = try checked(vault)
    #expect(report.badPages.map(\.number) == [Int(page)])
    #expect(!report.isSound)
  }

  @Test("works on a handle for reading only, and while another one writes")
  func readOnly() throws {
    let vault = try filled(SearchKind())
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reader = try vault.another(configuration)
    #expect(try reader.verify().isSound)
    let (inside, leave) = (Meeting(), Meeting())
    let writing = OnThread {
      try vault.vault.transaction {
        try vault.insert(
          .pages(.init(["title", "body"])), [.text("not yet"), .null, .integer(3)])
        inside.reach()
        try leave.wait()
      }
    }
    try inside.wait()
    #expect(try reader.verify().isSound)
    leave.reach()
    try writing.result()
    #expect(try reader.verify().isSound)
  }
}
