import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift code of the guide "History", line by line.
@Suite("The guide to the history") struct HistoryGuideTests {
  @Stored(history: .changes)
  struct Invoice {
    var customer: String
    var total: Decimal
  }

  private let folder: TemporaryFolder
  private let vault: Vault
  private let store: ObjectStore<Invoice>

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("invoices.vault"), key: .raw(1...32))
    store = try vault.store(of: Invoice.self)
  }

  @Test("contains no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/History.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/History.md").count > 20)
  }

  @Test("reads changes from the last position", .covers("H1", "H4"))
  func reading() throws {
    var last: HistoryPosition?
    try store.insert(Invoice(customer: "Li", total: 7))
    let found = try vault.changes(since: last, of: [Invoice.self])
    for change in found.changes {
      print(change.date, change.author ?? "unknown", change.kind, change.properties)
    }
    last = found.position
    #expect(found.changes.map(\.kind) == [.inserted])
    #expect(try vault.changes(since: last, of: [Invoice.self]).changes == [])
  }

  @Test("sends all changes since a snapshot", .covers("H4"))
  func synchronizing() throws {
    try store.insert(Invoice(customer: "Li", total: 7))
    let (invoices, start) = try vault.read { (try store.all(), try vault.historyPosition()) }
    #expect(invoices.count == 1)
    try store.insert(contentsOf: (0..<700).map { Invoice(customer: "\($0)", total: 1) })
    try store.remove(id: 1)
    var sent: [Int64: String?] = [:]
    func send(_ id: Int64, _ invoice: Invoice?) throws { sent[id] = invoice?.customer }
    var position = start
    repeat {
      let part = try vault.changes(since: position, of: [Invoice.self], limit: 500)
      for change in part.changes {
        guard let id = try change.objectID(of: Invoice.self) else { continue }
        try send(id, try store.find(id))
      }
      position = part.position
    } while position != (try vault.historyPosition())
    #expect(sent.count == 700 && sent[2] == "0")
  }

  @Test("states authors, and prunes", .covers("H5", "H6"))
  func authors() throws {
    let received = Invoice(customer: "Bo", total: 3)
    try vault.transaction {
      try vault.setAuthor("sync")
      try store.save(received)
    }
    #expect(try vault.changes(since: nil).changes.map(\.author) == ["sync"])
    var configuration = VaultConfiguration()
    configuration.author = "li@phone"
    #expect(configuration.author != nil)
    try vault.pruneHistory(olderThan: Date(timeIntervalSinceNow: -90 * 86_400))
    try vault.pruneHistory(keeping: 100_000)
    #expect(try vault.changes(since: nil).changes.count == 1)
  }
}
