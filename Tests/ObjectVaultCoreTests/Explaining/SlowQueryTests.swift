import Logging
import Synchronization
import TestSupport
import Testing

import ObjectVaultCore

/// Keeps what is logged.
final class KeptLog: Sendable {
  let lines = Mutex<[String]>([])

  struct Handler: LogHandler {
    let log: KeptLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
  }

  var slow: [String] { lines.withLock { $0.filter { $0.hasPrefix("warning slow query") } } }
}

@Suite("The log of slow queries") struct SlowQueryTests {
  private func vault(threshold: Duration?) throws -> (TestVault, KeptLog) {
    let log = KeptLog()
    var configuration = VaultConfiguration()
    configuration.slowQueryThreshold = threshold
    configuration.logger = Logger(label: "test") { _ in KeptLog.Handler(log: log) }
    return (try TestVault(configuration), log)
  }

  private static let marker = "Xyzzy"

  /// Asks in every way there is.
  private func ask(_ store: ObjectStore<Person>) async throws {
    try askBlocking(store)
    for try await _ in store.objects {}
    try await onOwnThread { try store.query.update(set: ["note": Self.marker]) }
    try await onOwnThread { try store.query.remove() }
  }

  private func askBlocking(_ store: ObjectStore<Person>) throws {
    try store.insert(Person(name: Self.marker, age: 4_711))
    let query = store.where("name == %@ && age IN {4711, 4712}", Self.marker)
    _ = try query.all()
    _ = try query.first()
    _ = try query.count()
    _ = try query.exists()
    _ = try query.values(of: "name", as: String.self)
    _ = try query.distinctValues(of: "name", as: String.self)
    _ = try query.page(number: 1, size: 4_711)
    _ = try query.sum(of: "age", as: Int.self)
    _ = try query.grouped(by: "name").having("name == %@", Self.marker).rows()
    try query.forEach { _ in }
  }

  @Test("every way of asking is reported with its shape, and no value")
  func everyWay() async throws {
    let (test, log) = try vault(threshold: .zero)
    try await ask(try test.vault.store(of: Person.self))
    let slow = log.slow
    #expect(slow.count >= 13, "\(slow)")
    let distinct = "GROUP BY \"Person\".\"name\" ORDER BY \"Person\".\"name\""
    for part in ["count(*)", "EXISTS", distinct, "ov_sum", "UPDATE", "DELETE"] {
      #expect(slow.contains { $0.contains(part) }, "\(part)")
    }
    #expect(slow.count { $0.contains("GROUP BY") } >= 2, "\(slow)")
    #expect(slow.allSatisfy { $0.contains("Person") && $0.contains("milliseconds") })
    #expect(!slow.contains { $0.contains(Self.marker) || $0.contains("4711") }, "\(slow)")
  }

  @Test("a ranked search is reported like every other way, without its words")
  func rankedSearch() throws {
    let (test, log) = try vault(threshold: .zero)
    let pages = try test.vault.store(of: SeaPage.self)
    try pages.insert(SeaPage(Self.marker))
    #expect(try pages.search(Self.marker).matches().count == 1)
    #expect(log.slow.contains { $0.contains("MATCH ?") && $0.contains("ov_score") }, "\(log.slow)")
    #expect(!log.slow.contains { $0.contains(Self.marker) }, "\(log.slow)")
  }

  @Test(
    "what is faster than the threshold is not reported, nor anything without one",
    arguments: [.seconds(3600), nil, .seconds(Int64.max)] as [Duration?])
  func threshold(_ threshold: Duration?) async throws {
    let (test, log) = try vault(threshold: threshold)
    try await ask(try test.vault.store(of: Person.self))
    #expect(log.slow.isEmpty)
  }
}
