import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

import ObjectVaultServer

/// Queries whose rows arrive while they are read.
@Suite("Rows of a PostgreSQL server that arrive one at a time", .enabled(if: Server.address != nil))
struct ServerStreamTests {
  private static let items = ClassDescription(
    "Item",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("json", String?.self),
    ])

  /// More than the buffers of a connection hold, and more rows than are left out in silence.
  private static let count = 25_000

  private let schema = Server.newSchema()
  /// The name of the connection: other tests look for theirs at the same time.
  private var streaming: String { "streaming_\(schema)" }

  private func withItems<R>(
    _ body: (SharedVault, ObjectStore<DynamicObject>) throws -> R
  ) throws -> R {
    let vault = try Server.vault(schema, connection: streaming)
    defer { vault.close() }
    let store = try vault.store(of: Self.items)
    let text = String(repeating: "x", count: 300)
    try store.insert(
      contentsOf: (0..<Self.count).map { number in
        var item = try DynamicObject(of: Self.items)
        try item.set("name", to: .text("\(number)\(text)"))
        return item
      })
    return try body(vault, store)
  }

  private func number(_ item: DynamicObject) throws -> Int {
    guard case .text(let name) = try item.value(of: "name") else { return -1 }
    return Int(name.prefix { $0 != "x" }) ?? -1
  }

  @Test("an iteration begins before the server has sent all rows") func early() throws {
    try withItems { vault, store in
      let other = try Server.vault(schema, connection: "watching")
      defer { other.close() }
      var states: [String] = []
      var count = 0
      try store.forEach { _ in
        count += 1
        guard count == 1 else { return }
        states = try other.opened().read { session in
          try session.with(
            "SELECT state FROM pg_stat_activity WHERE application_name = '\(streaming)' "
              + "AND query LIKE '%ORDER BY%'"
          ) { statement in try statement.rows { $0.text(at: 0) ?? "" } }
        }
      }
      #expect(states.contains("active"))
      #expect(count == Self.count)
    }
  }

  @Test("an iteration can use the connection for other queries and changes") func nested() throws {
    try withItems { vault, store in
      try vault.read {
        var seen: [Int] = []
        try store.forEach { item in
          seen.append(try number(item))
          if seen.count % 9000 == 1 {
            #expect(try store.count() == Self.count)
            #expect(try store.query.range(length: 2).all().count == 2)
            #expect(try store.where("objectID > 24990").all().count == 10)
          }
        }
        #expect(seen == Array(0..<Self.count))
      }
      try vault.transaction {
        var seen = 0
        try store.forEach { item in
          seen += 1
          if seen == 5 { try store.where("objectID == 24999").remove() }
          if seen == 6 { _ = try store.save(item) }
        }
        // The rows are those at the start of the iteration.
        #expect(seen == Self.count)
        #expect(try store.count() == Self.count - 1)
      }
      #expect(try store.count() == Self.count - 1)
    }
  }

  private struct Enough: Error {}

  /// Returns whether the error that ends an iteration reaches the caller.
  private func endsEarly(_ store: ObjectStore<DynamicObject>) throws -> Bool {
    do {
      try store.forEach { _ in throw Enough() }
      return false
    } catch is Enough {
      return true
    }
  }

  @Test("an iteration that ends early leaves the connection and the transaction usable")
  func ended() throws {
    try withItems { vault, store in
      for _ in 0..<2 {
        #expect(try endsEarly(store))
        #expect(try store.count() == Self.count)
      }
      try vault.transaction {
        try store.where("objectID == 1").remove()
        #expect(try endsEarly(store))
        #expect(try store.count() == Self.count - 1)
        try store.where("objectID == 2").remove()
      }
      #expect(try store.count() == Self.count - 2)
      #expect(try store.all().count == Self.count - 2)
    }
  }

  @Test("a cancelled iteration ends while rows arrive", arguments: [false, true])
  func cancelled(isInside: Bool) throws {
    try withItems { vault, store in
      let cancellation = Cancellation()
      var count = 0
      func iterate() throws {
        try store.forEach { _ in
          count += 1
          if count == 100 { cancellation.cancel() }
        }
      }
      func run() throws {
        guard isInside else { return try iterate() }
        try vault.transaction { try iterate() }
      }
      let error = #expect(throws: VaultError.self) {
        try Cancellation.withCurrent(cancellation) { try run() }
      }
      #expect(error?.code == .cancelled)
      #expect(count < 2000)
      let rest = try store.count()
      #expect(rest == Self.count)
    }
  }

  @Test("each batch of an iteration can be cancelled") func cancelledBatch() throws {
    let vault = try Server.vault(schema, connection: streaming, timeLimit: .seconds(20))
    defer { vault.close() }
    let sql = """
      SELECT repeat('x', 10000), CASE WHEN n > 40 THEN pg_sleep(10) IS NULL END
      FROM (SELECT n FROM generate_series(1, 60) AS n ORDER BY n OFFSET 0) AS numbers
      """
    try vault.opened().read { session in
      try session.with(sql) { statement in
        /// Calls `body` with a cancellation of its own.
        func watching<R>(_ cancellation: Cancellation, _ body: () throws -> R) throws -> R {
          try Cancellation.withCurrent(cancellation) {
            #expect(session.watch())
            defer { session.endWatch() }
            return try body()
          }
        }
        let hasRow = try watching(Cancellation()) { try statement.step() }
        #expect(hasRow)
        let cancellation = Cancellation()
        Thread.detachNewThread {
          usleep(200_000)
          cancellation.cancel()
        }
        let start = ContinuousClock.now
        let error = #expect(throws: DriverError.self) {
          try watching(cancellation) { while try statement.step() {} }
        }
        #expect(error?.code == .interrupted)
        #expect(.now - start < .seconds(5))
      }
    }
  }

  @Test("the rows that are left out in a read scope end at the time limit")
  func limited() throws {
    let vault = try Server.vault(schema, connection: streaming, timeLimit: .seconds(2))
    defer { vault.close() }
    let opened = try vault.opened()
    // Each row arrives in time, and all of them take 20 seconds.
    let sql = """
      SELECT repeat('x', 10000), pg_sleep(0.05) IS NULL
      FROM (SELECT n FROM generate_series(1, 400) AS n ORDER BY n OFFSET 0) AS numbers
      """
    try opened.readScope {
      let time = try ContinuousClock().measure {
        _ = try opened.read { session in try session.with(sql) { try $0.step() } }
      }
      #expect(time < .seconds(10))
      let error = #expect(throws: VaultError.self) {
        try opened.read { try $0.execute("SELECT 1") }
      }
      #expect(error?.code == .connectionLost)
    }
    let works = try vault.read { true }
    #expect(works)
  }

  @Test("the rows that are left out outside of a read scope do not keep their reader waiting")
  func left() throws {
    let vault = try Server.vault(schema, connection: streaming, timeLimit: .seconds(20))
    defer { vault.close() }
    func backend() throws -> Int {
      try vault.opened().read { session in
        try session.with("SELECT pg_backend_pid()::bigint") { try $0.count() }
      }
    }
    let first = try backend()
    // Rows that arrive slowly, and rows with many bytes.
    for (text, count, pause) in [(10_000, 400, "pg_sleep(0.05)"), (1 << 20, 2000, "n")] {
      let sql = """
        SELECT repeat('x', \(text)), \(pause) IS NULL
        FROM (SELECT n FROM generate_series(1, \(count)) AS n ORDER BY n OFFSET 0) AS numbers
        """
      let time = try ContinuousClock().measure {
        _ = try vault.opened().read { session in try session.with(sql) { try $0.step() } }
      }
      #expect(time < .seconds(5))
      #expect(try backend() == first)
    }
  }

  @Test("an error among the rows is thrown, and later queries work") func failure() throws {
    let description = ClassDescription(
      "Bag", properties: [PropertyDescription("tags", type: .json, isOptional: true)])
    let vault = try Server.vault(schema)
    defer { vault.close() }
    let store = try vault.store(of: description)
    try store.insert(
      contentsOf: (0..<3000).map { number in
        var bag = try DynamicObject(of: description)
        try bag.set("tags", to: .text(number == 2990 ? "[\"\\u0000\"]" : "[\"a\"]"))
        return bag
      })
    var count = 0
    let error = try #require(throws: VaultError.self) {
      try store.where("tags CONTAINS 'a'").forEach { _ in count += 1 }
    }
    #expect(error.code == .invalidValue)
    #expect(count <= 2990)
    #expect(try store.count() == 3000)
    #expect(try store.where("objectID < 2000 AND tags CONTAINS 'a'").all().count == 1999)
  }

  @Test("each iteration has a connection of its own, which ends with it")
  func connections() throws {
    let watching = try Server.vault(schema, connection: "watching").opened()
    func connections() throws -> Int {
      try watching.read { session in
        try session.with(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(streaming)'"
        ) { try $0.count() }
      }
    }
    var configuration = SharedVaultConfiguration()
    configuration.schema = schema
    configuration.maximumReaders = 2
    let vault = try SharedVault(
      at: "\(try #require(Server.address)) application_name=\(streaming)",
      configuration: configuration)
    defer { vault.close() }
    let store = try vault.store(of: Self.items)
    var item = try DynamicObject(of: Self.items)
    try item.set("name", to: .text("a"))
    try store.insert(item)
    func iterate(_ depth: Int) throws {
      if depth == 0 {
        // One more writes.
        #expect(try connections() == 6)
      } else {
        try store.forEach { _ in try iterate(depth - 1) }
      }
    }
    try iterate(5)
    let end = ContinuousClock.now + .seconds(20)
    while try connections() > 3, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.05) }
    #expect(try connections() == 3)
  }

  @Test("a query without rows returns none, again and again") func none() throws {
    let vault = try Server.vault(schema)
    defer { vault.close() }
    let store = try vault.store(of: Self.items)
    for _ in 0..<3 {
      #expect(try store.all().isEmpty)
      #expect(try store.where("name == 'x'").values(of: ["name"]).isEmpty)
    }
  }

  /// An object whose first row runs something.
  private struct HookedItem: StoredObject, GeneratesObjectID, Sendable {
    static let classDescription = ServerStreamTests.items
    static let hook = Mutex<(@Sendable () throws -> Void)?>(nil)

    var objectID: Int64?
    var name: String

    init(row: Row) throws {
      name = try row.value(at: 0)
      objectID = try row.value(at: 2)
      let hook = Self.hook.withLock { hook in
        defer { hook = nil }
        return hook
      }
      try hook?()
    }

    func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  }

  @Test("a list is read again if the connection is lost among its rows outside of a read scope")
  func lostList() throws {
    try withItems { vault, _ in
      let other = try Server.vault(schema, connection: "watching")
      defer { other.close() }
      let (opened, streaming) = (try other.opened(), streaming)
      let store = try vault.store(of: HookedItem.self)
      func endConnection() {
        HookedItem.hook.withLock { hook in
          hook = {
            try opened.read { session in
              try session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                  + "WHERE application_name = '\(streaming)' AND query LIKE '%ORDER BY%'")
            }
          }
        }
      }
      endConnection()
      #expect(try store.all().count == Self.count)
      let hasRun = HookedItem.hook.withLock { $0 == nil }
      #expect(hasRun)
      endConnection()
      let error = #expect(throws: VaultError.self) { try vault.read { try store.all().count } }
      #expect(error?.code == .connectionLost)
    }
  }

  @Test("a lost connection among the rows is an error that can be retried") func lost() throws {
    try withItems { vault, store in
      let other = try Server.vault(schema, connection: "watching")
      defer { other.close() }
      var count = 0
      let error = try #require(throws: VaultError.self) {
        try store.forEach { _ in
          count += 1
          guard count == 1 else { return }
          try other.opened().read { session in
            try session.execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                + "WHERE application_name = '\(streaming)' AND query LIKE '%ORDER BY%'")
          }
        }
      }
      #expect(error.code == .connectionLost)
      #expect(count < Self.count)
      #expect(try store.all().count == Self.count)
    }
  }
}
