import Foundation
import Logging
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

@Suite("The changes of a history")
struct HistoryReadingTests {
  private let test: TestVault
  private let vault: Vault
  private let ledgers: ObjectStore<Ledger>

  init() throws {
    test = try TestVault()
    vault = test.vault
    ledgers = try vault.store(of: Ledger.self)
  }

  @Test("are read in parts, each from the position of the last", .covers("H4"))
  func parts() throws {
    let ids = try ledgers.insert(contentsOf: (0..<25).map { Ledger("\($0)") })
    var position: HistoryPosition? = try vault.changes(since: nil, limit: 10).position
    var found = try vault.changes(since: nil, limit: 10).changes
    while true {
      // As text elsewhere, in between.
      let stored = try JSONEncoder().encode([try #require(position)])
      let part = try vault.changes(
        since: JSONDecoder().decode([HistoryPosition].self, from: stored)[0], limit: 10)
      found += part.changes
      position = part.position
      if !part.mayHaveMore { break }
    }
    #expect(try found.map { try $0.objectID(of: Ledger.self) } == ids)
    #expect(position == (try vault.historyPosition()))
    #expect(found.last?.position == position)
    #expect(HistoryPosition("\(try #require(position))") == position)
    for text in ["", "1", "1-2-3", "-1-2", "a-1", "1--2"] {
      #expect(HistoryPosition(text) == nil, "\(text)")
    }
    #expect(code { _ = try vault.changes(since: nil, limit: 0) } == .invalidArgument)
  }

  @Test("of one class leave out those of others, and still move the position", .covers("H4"))
  func classes() throws {
    let other = ClassDescription(
      "Other", properties: [PropertyDescription("a", type: .int)],
      options: TableOptions(history: .changes))
    let start = try vault.historyPosition()
    try vault.store(of: other).insert(DynamicObject(of: other, ["a": .integer(1)]))
    let found = try vault.changes(since: start, of: [Ledger.self])
    let end = try vault.historyPosition()
    #expect(found.changes == [] && found.position == end)
    #expect(try vault.recorded(since: start, of: "Other") == ["inserted 1"])
    #expect(code { _ = try vault.recorded(of: "None") } == .noSuchClass)
  }

  @Test("are pruned by age although the clock of one of them was ahead", .covers("H5"))
  func clockAhead() throws {
    try ledgers.insert(contentsOf: (0..<6).map { Ledger("\($0)") })
    func setTime(_ time: Date, where condition: String) throws {
      try vault.file().transaction {
        try $0.execute(
          "UPDATE objectvault_history SET \"time\" = \(time.timeIntervalSince1970) WHERE "
            + "\"sequence\" - (SELECT min(\"sequence\") FROM objectvault_history) \(condition)")
      }
    }
    let cutoff = Date(timeIntervalSinceNow: -3_600)
    try setTime(cutoff.addingTimeInterval(-10), where: "< 4")
    try setTime(Date(timeIntervalSinceNow: 1e9), where: "= 1")
    #expect(try vault.pruneHistory(olderThan: cutoff) == 4)
    #expect(try vault.recorded() == ["inserted 5", "inserted 6"])
    // None of the rest has the right age, so that nothing tells which to remove.
    try setTime(Date(timeIntervalSinceNow: 1e9), where: ">= 0")
    #expect(try vault.pruneHistory(olderThan: cutoff) == 0)
  }

  @Test("that were pruned are reported, and never left out silently", .covers("H5"))
  func pruned() throws {
    let start = try vault.historyPosition()
    try ledgers.insert(contentsOf: (0..<20).map { Ledger("\($0)") })
    let middle = try vault.changes(since: nil, limit: 12).position
    #expect(try vault.pruneHistory(keeping: 30) == 0)
    #expect(try vault.pruneHistory(keeping: 8) == 12)
    #expect(try vault.recorded(since: middle).count == 8)
    #expect(code { _ = try vault.changes(since: start) } == .historyIncomplete)
    #expect(try vault.recorded().count == 8)
    #expect(try vault.pruneHistory(olderThan: .distantPast) == 0)
    #expect(try vault.pruneHistory(olderThan: .distantFuture) == 8)
    #expect(code { _ = try vault.changes(since: middle) } == .historyIncomplete)
    let end = try vault.historyPosition()
    #expect(try vault.recorded(since: end) == [])
    // A sequence number is never used twice.
    try ledgers.insert(Ledger("last"))
    #expect(try vault.recorded(since: end) == ["inserted 21"])
    #expect(code { _ = try vault.pruneHistory(keeping: -1) } == .invalidArgument)
    try vault.file().transaction { try $0.execute("DELETE FROM objectvault_history") }
    #expect(code { _ = try vault.changes(since: end) } == .historyIncomplete)
  }

  @Test("can have any number in the file")
  func impossibleNumbers() throws {
    func run(_ statement: String) throws {
      try vault.file().transaction { try $0.execute(statement) }
    }
    try ledgers.insert(Ledger("a"))
    let position = try vault.historyPosition()
    try run("UPDATE objectvault_history SET \"sequence\" = \(Int64.min)")
    #expect(try vault.recorded(since: position) == [])
    try run("DELETE FROM objectvault_history")
    try run("UPDATE sqlite_sequence SET seq = \(Int64.max) WHERE name = 'objectvault_history'")
    #expect(code { _ = try vault.changes(since: position) } == .historyIncomplete)
    #expect(try vault.recorded(since: vault.historyPosition()) == [])
  }

  @Test("are pruned in several transactions", .covers("H5"))
  func batches() throws {
    try ledgers.insert(contentsOf: (0..<25_000).map { Ledger("\($0)") })
    let before = try vault.commitCount()
    #expect(try vault.pruneHistory(keeping: 100) == 24_900)
    let after = try vault.commitCount()
    #expect(after - before == 3)
    #expect(try vault.recorded().count == 100)
  }

  @Test("are pruned when the vault is opened, if the configuration has a limit", .covers("H5"))
  func limits() throws {
    try ledgers.insert(contentsOf: (0..<5).map { Ledger("\($0)") })
    vault.close()
    func recorded(_ limit: HistoryLimit, readOnly: Bool = false) throws -> Int {
      var configuration = VaultConfiguration()
      (configuration.historyLimit, configuration.isReadOnly) = (limit, readOnly)
      let vault = try test.another(configuration)
      defer { vault.close() }
      return try vault.recorded().count
    }
    #expect(try recorded(.newest(3), readOnly: true) == 5)
    #expect(try recorded(.newest(3)) == 3)
    #expect(try recorded(.age(.seconds(3_600))) == 3)
    #expect(try recorded(.newest(-1)) == 3)
    #expect(try recorded(.age(.zero)) == 0)
  }

  @Test("that are pruned when the vault is opened are logged", arguments: 0..<3)
  func logged(count: Int) throws {
    try ledgers.insert(contentsOf: (0..<count).map { Ledger("\($0)") })
    vault.close()
    let log = KeptLog()
    var configuration = VaultConfiguration()
    configuration.logger = Logger(label: "test") { _ in KeptLog.Handler(log: log) }
    configuration.historyLimit = .newest(0)
    let other = try test.another(configuration)
    defer { other.close() }
    #expect(try other.recorded() == [])
    let lines = log.lines.withLock { $0.filter { $0.contains("old changes") } }
    #expect(lines.map { $0.contains("\"count\": \(count)") } == (count > 0 ? [true] : []))
  }

  @Test("of a newer copy are not continued in an older one", .covers("H5"))
  func olderCopy() throws {
    try ledgers.insert(Ledger("a"))
    let copy = test.folder.file("copy.vault")
    try vault.backup(to: copy)
    let first = try vault.historyPosition()
    try ledgers.insert(Ledger("b"))
    let second = try vault.historyPosition()
    let older = try Vault(at: copy, key: .ofTests)
    #expect(try older.recorded(since: first) == [])
    #expect(code { _ = try older.changes(since: second) } == .historyIncomplete)
    usleep(5_000)
    try older.store(of: Ledger.self).insert(contentsOf: [Ledger("c"), Ledger("d")])
    #expect(code { _ = try older.changes(since: second) } == .historyIncomplete)
    #expect(try older.recorded(since: first) == ["inserted 2", "inserted 3"])
  }

  @Test("of a newer copy are not continued in an older one after they were pruned", .covers("H5"))
  func prunedOlderCopy() throws {
    try ledgers.insert(Ledger("a"))
    let copy = test.folder.file("copy.vault")
    try vault.backup(to: copy)
    try ledgers.insert(Ledger("b"))
    #expect(try vault.pruneHistory(keeping: 0) == 2)
    let pruned = try vault.historyPosition()
    let older = try Vault(at: copy, key: .ofTests)
    #expect(code { _ = try older.changes(since: pruned) } == .historyIncomplete)
    try older.store(of: Ledger.self).insert(contentsOf: [Ledger("c"), Ledger("d")])
    #expect(code { _ = try older.changes(since: pruned) } == .historyIncomplete)
    #expect(try vault.recorded(since: pruned) == [])
    try ledgers.insert(Ledger("e"))
    #expect(try vault.recorded(since: pruned) == ["inserted 3"])
  }

  @Test("have the author of the configuration or of their transaction", .covers("H6"))
  func authors() throws {
    try ledgers.insert(Ledger("none"))
    try vault.transaction {
      try ledgers.insert(Ledger("none"))
      try vault.setAuthor("sync")
      try ledgers.insert(Ledger("sync"))
      try vault.setAuthor(nil)
      try ledgers.insert(Ledger("none"))
    }
    try ledgers.insert(Ledger("none"))
    func authors() throws -> [String?] { try vault.changes(since: nil).changes.map(\.author) }
    #expect(try authors() == [nil, nil, "sync", nil, nil])
    #expect(code { try vault.setAuthor("a") } == .invalidArgument)
    vault.close()
    var configuration = VaultConfiguration()
    configuration.author = "O'Li"
    let mine = try Vault(at: vault.path, key: .ofTests, configuration: configuration)
    let store = try mine.store(of: Ledger.self)
    let count = try mine.commitCount()
    try mine.transaction {}
    #expect(try mine.commitCount() == count)
    try store.insert(Ledger("mine"))
    struct Stop: Error {}
    try mine.transaction {
      try? mine.transaction {
        try mine.setAuthor("gone")
        throw Stop()
      }
      try store.insert(Ledger("mine"))
      try mine.setAuthor("sync")
      try store.insert(Ledger("sync"))
    }
    #expect(
      try mine.changes(since: nil).changes.suffix(3).map(\.author) == ["O'Li", "O'Li", "sync"])
    #expect(try mine.value("SELECT count(*) FROM objectvault_author", as: Int.self) == 0)
  }

  @Test("of a new class have the author too, and of other classes need none", .covers("H6"))
  func authorOfNewClass() throws {
    var configuration = VaultConfiguration()
    configuration.author = "me"
    let vault = try Vault(
      at: test.folder.file("new.vault"), key: .ofTests, configuration: configuration)
    let plain = ClassDescription.ledgers(history: .none)
    try vault.store(of: plain).insert(
      DynamicObject(of: plain, ["name": .text("a"), "age": .integer(1)]))
    try vault.transaction { try vault.setAuthor("other") }
    let ledgers = try vault.store(of: Ledger.self)
    try ledgers.insert(Ledger("b"))
    let changes = try vault.changes(since: nil).changes
    #expect(changes.map(\.kind) == [.started, .inserted])
    #expect(changes.map(\.author) == ["me", "me"])
  }

  @Test("of the transaction that creates the first history have its author", .covers("H6"))
  func authorOfFirstTransaction() throws {
    struct Stop: Error {}
    func authors(_ body: (Vault) throws -> Void) throws -> [String?] {
      var configuration = VaultConfiguration()
      configuration.author = "me"
      let test = try TestVault(configuration)
      defer { withExtendedLifetime(test) {} }
      let vault = test.vault
      try vault.transaction {
        try body(vault)
        try vault.store(of: Ledger.self).insert(Ledger("a"))
      }
      #expect(try vault.value("SELECT count(*) FROM objectvault_author", as: Int.self) == 0)
      return try vault.changes(since: nil).changes.map(\.author)
    }
    let configured = try authors { _ in }
    #expect(configured == ["me"])
    let set = try authors { try $0.setAuthor("sync") }
    #expect(set == ["sync"])
    let removed = try authors { try $0.setAuthor(nil) }
    #expect(removed == [nil])
    let undone = try authors { vault in
      try? vault.transaction {
        try vault.setAuthor("gone")
        _ = try vault.store(of: Ledger.self)
        throw Stop()
      }
    }
    #expect(undone == ["me"])
  }

  @Test("are read and pruned with the vault's asynchronous forms", .covers("H4"))
  func asynchronous() async throws {
    let vault = vault
    try await vault.transaction {
      try vault.setAuthor("task")
      try vault.store(of: Ledger.self).insert(Ledger("a"))
    }
    let (found, count) = try await vault.read {
      (try vault.changes(since: nil), try vault.store(of: Ledger.self).count())
    }
    #expect(found.changes.map(\.author) == ["task"] && count == 1)
    #expect(try await vault.transaction { try vault.pruneHistory(keeping: 0) } == 1)
  }
}
