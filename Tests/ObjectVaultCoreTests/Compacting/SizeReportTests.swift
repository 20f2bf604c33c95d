import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("The sizes of the parts of a file") struct SizeReportTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  @Test("Every page belongs to a part, before and after a checkpoint", .covers("F3"))
  func parts() throws {
    let vault = try Vault(at: path, key: .ofTests)
    let store = try vault.store(of: MarkedObject.self)
    try store.insert(contentsOf: (0..<3_000).map { MarkedObject("a text \($0)", number: $0) })
    let index = try vault.rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%word%'"
    )[0].value("name", as: String.self)
    for isCheckpointed in [false, true] {
      if isCheckpointed { try vault.checkpoint() }
      let report = try vault.sizeReport()
      #expect(report.pageSize == 4096)
      #expect(report.bytes(of: .unknown) == 0)
      #expect(report.bytes(of: .objects(of: "MarkedObject")) > 3_000 * 10)
      #expect(
        report.bytes(ofClass: "MarkedObject") >= report.bytes(of: .objects(of: "MarkedObject")))
      #expect(report.bytes(of: .catalogue) >= 4096)
      #expect(report.freeBytes == 0)
      #expect(report.entries.map(\.bytes) == report.entries.map(\.bytes).sorted(by: >))
      #expect(report.entries.allSatisfy { $0.bytes > 0 && $0.bytes.isMultiple(of: 4096) })
      let pages = try vault.rows("PRAGMA page_count")[0].value("page_count", as: Int.self)
      #expect(report.bytes == pages * 4096)
      #expect(report.bytes(of: .index(index, of: "MarkedObject")) > 3_000 * 10)
    }
    try store.removeAll()
    let emptied = try vault.sizeReport()
    #expect(emptied.freeBytes > 3_000 * 10)
    #expect(emptied.bytes(of: .objects(of: "MarkedObject")) == 4096)
    #expect(
      thrown { try vault.transaction { _ = try vault.sizeReport() } }?.code == .invalidArgument)
    #expect(thrown { _ = try Vault.inMemory().sizeReport() }?.code == .invalidArgument)
  }

  @Test("Shared blobs and full-text indexes are parts of their own", .covers("F3"))
  func sharedAndSearched() throws {
    let vault = try Vault(at: path, key: .ofTests)
    let (one, other) = (Data.picture(1, count: 100_000), Data.picture(2, count: 50_000))
    try vault.store(of: Photo.self)
      .insert(contentsOf: [Photo("a", one), Photo("b", one), Photo("c", other)])
    try vault.store(of: SeaPage.self).insert(
      contentsOf: (0..<500).map { SeaPage("title \($0)", "The whale number \($0 * 7919) swims.") })
    let report = try vault.sizeReport()
    // The content that two objects have is stored once.
    #expect((150_000..<200_000).contains(report.bytes(of: .sharedBlobs)))
    #expect(report.bytes(ofClass: "Photo") < 20_000)
    let name = "Page"
    #expect(report.bytes(of: .searchIndex(of: name)) > 500 * 10)
    #expect(
      report.bytes(ofClass: name)
        >= report.bytes(of: .objects(of: name)) + report.bytes(of: .searchIndex(of: name)))
    #expect(report.bytes(of: .unknown) == 0)
  }

  @Test("A file of another program has parts too, with its tables and indexes", .covers("F3"))
  func foreignFile() throws {
    let connection = try Connection.plain(path: path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE plain(id INTEGER PRIMARY KEY, body TEXT);
      CREATE INDEX by_body ON plain(body);
      CREATE TABLE keyed(name TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO plain SELECT i, 'row ' || i || hex(zeroblob(100)) FROM n;
      INSERT INTO keyed SELECT body, zeroblob(20000) FROM plain WHERE id <= 5;
      """)
    try connection.close()
    let report = try DatabaseFile(at: path, key: nil).sizeReport()
    #expect(report.bytes(of: .objects(of: "plain")) > 500 * 200)
    #expect(report.bytes(of: .index("by_body", of: "plain")) > 500 * 200)
    // Long contents are on pages of their own.
    #expect(report.bytes(of: .objects(of: "keyed")) > 5 * 20_000)
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(report.bytes == size)
  }
}
