import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

@testable import ObjectVaultServer

/// A server that stops, restarts, freezes or fails, with servers of the tests' own.
@Suite("A server that fails", .enabled(if: OwnServer.isPossible), .serialized)
struct LossTests {
  /// An error on purpose.
  private struct OnPurpose: Error {}

  private func account(_ number: Int) -> Account { Account(number: number, balance: 1) }

  private func vault(
    _ address: String, timeLimit: Duration = .seconds(30)
  ) throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.timeLimit = timeLimit
    return try SharedVault(at: address, configuration: configuration)
  }

  /// Returns the time that `body` takes.
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }

  @Test("restarts between calls without an error for reads and transactions") func restart() throws
  {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    for (number, way) in OwnServer.Stop.allCases.enumerated() {
      try accounts.insert(account(number))
      #expect(try accounts.count() == number + 1)
      try server.stop(way)
      try server.start()
      // The statements are prepared again.
      #expect(try accounts.count() == number + 1)
      #expect(try accounts.find(number) != nil)
      #expect(try vault.read { try accounts.count() } == number + 1)
      try vault.transaction { try accounts.update(account(number)) }
    }
  }

  @Test("a transaction is retried if one inside it lost the connection and undid itself")
  func lostInside() throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    for isUsedAfterwards in [true, false] {
      var runs = 0
      try vault.transaction(retryingFor: .seconds(30)) {
        runs += 1
        try accounts.save(account(1))
        let isFirst = runs == 1
        try? vault.transaction {
          try accounts.insert(account(2))
          if isFirst { try server.endConnections() }
          throw OnPurpose()
        }
        if isUsedAfterwards { try accounts.save(account(3)) }
      }
      #expect(runs == 2)
      #expect(try accounts.find(1) != nil)
      #expect(try accounts.find(2) == nil)
    }
    func giveUp() throws {
      try vault.transaction(retryingFor: .zero) {
        try? vault.transaction {
          try accounts.insert(account(2))
          try server.endConnections()
          throw OnPurpose()
        }
        try accounts.save(account(3))
      }
    }
    let late = #expect(throws: VaultError.self) { try giveUp() }
    #expect(late?.code == .connectionLost)
  }

  @Test(
    "the time limit among the rest of an iteration is reported as such", .timeLimit(.minutes(2)))
  func timeLimitInIteration() throws {
    let server = try OwnServer()
    let vault = try vault(server.address, timeLimit: .seconds(1))
    defer { vault.close() }
    let texts = try vault.store(of: LongText.self)
    try texts.insert(
      contentsOf: (0..<200).map { _ in LongText(text: String(repeating: "a", count: 100_000)) })
    for isEnd in [false, true] {
      var seen = 0
      func iterate() throws {
        try vault.read {
          try texts.forEach { _ in
            seen += 1
            guard seen == 1 else { return }
            server.freeze()
            defer { server.thaw() }
            // The rest of the rows is read into memory first, which the server does not send.
            let error = #expect(throws: VaultError.self) { try texts.count() }
            #expect(error?.engineCode == SQLState.timedOut)
            #expect(error?.message.contains("time limit") == true)
            if isEnd, let error { throw error }
          }
        }
      }
      let error = #expect(throws: VaultError.self) { try iterate() }
      #expect(error?.engineCode == SQLState.timedOut)
    }
    #expect(try texts.count() == 200)
  }

  @Test("while it is stopped, calls throw one code at once, and a retried transaction waits")
  func stopped() throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    #expect(try accounts.count() == 0)
    try server.stop(.fast)
    let time = try seconds {
      for _ in 0..<3 {
        let reading = try #require(throws: VaultError.self) { try accounts.count() }
        #expect(reading.code == .connectionLost)
        let writing = try #require(throws: VaultError.self) { try accounts.insert(account(1)) }
        #expect(writing.code == .connectionLost)
      }
      let late = try #require(throws: VaultError.self) {
        try vault.transaction(retryingFor: .milliseconds(500)) { try accounts.insert(account(1)) }
      }
      #expect(late.code == .connectionLost)
    }
    #expect(time < 5)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.5)
      try? server.start()
    }
    try vault.transaction(retryingFor: .seconds(30)) { try accounts.insert(account(1)) }
    #expect(try accounts.count() == 1)
  }

  @Test("while it is stopped, a cancelled transaction ends and lets others write")
  func cancelled() async throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try await vault.store(of: Account.self)
    try server.stop(.fast)
    let start = ContinuousClock.now
    let task = Task {
      try await vault.transaction(retryingFor: .seconds(60)) { try accounts.insert(account(1)) }
    }
    try await Task.sleep(for: .milliseconds(500))
    task.cancel()
    let error = await #expect(throws: VaultError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    try server.start()
    try await accounts.insert(account(2))
    #expect(try await accounts.count() == 1)
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test(
    "an observer that never writes learns of commits after its connections were ended",
    .timeLimit(.minutes(2)))
  func observing() async throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try await vault.store(of: Account.self)
    try await accounts.insert(account(1))
    for try await count in accounts.observeCount() {
      if count == 2 { break }
      // The observer has polled before.
      try await Task.sleep(for: .seconds(2))
      try server.endConnections()
      // This program sends no notification.
      try server.execute("INSERT INTO \"Account\" (\"number\", \"balance\") VALUES (2, 1)")
    }
    #expect(try await accounts.count() == 2)
  }

  @Test("frozen, it ends reads, transactions and long values at the time limit") func frozen()
    throws
  {
    let server = try OwnServer()
    let vault = try vault(server.address, timeLimit: .seconds(2))
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    let texts = try vault.store(of: LongText.self)
    try accounts.insert(account(1))
    #expect(try accounts.count() == 1)
    server.freeze()
    // The connection for writing exists, so this one fills the buffers of the system.
    for call: () throws -> Void in [
      { try texts.insert(LongText(text: String(repeating: "a", count: 50_000_000))) },
      { _ = try accounts.count() },
      { try vault.transaction { try accounts.update(account(1)) } },
      { try vault.transaction(retryingFor: .seconds(1)) { try accounts.update(account(1)) } },
    ] {
      let time = try seconds {
        let error = try #require(throws: VaultError.self) { try call() }
        #expect(error.code == .connectionLost)
      }
      // The limit, and at most that to find that there is no new connection.
      #expect(time < 6)
    }
    server.thaw()
    #expect(try accounts.count() == 1)
    try vault.transaction { try accounts.update(account(1)) }
    #expect(try texts.count() == 0)
  }

  @Test("frozen, a first call ends although its address sets no limit", .timeLimit(.minutes(2)))
  func frozenAtFirst() throws {
    let server = try OwnServer()
    server.freeze()
    defer { server.thaw() }
    for limit in ["0", "-1"] {
      let vault = try vault("\(server.address) connect_timeout=\(limit)", timeLimit: .seconds(4))
      defer { vault.close() }
      let time = try seconds {
        let error = try #require(throws: VaultError.self) { try vault.open() }
        #expect(error.code == .cannotOpen)
      }
      #expect(time < 10)
    }
  }

  @Test("a read scope never continues with another snapshot", arguments: [false, true])
  func readScope(isIteration: Bool) throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(contentsOf: (1...5000).map(account))
    try vault.read {
      #expect(try accounts.count() == 5000)
      func loseConnection() throws {
        try server.endConnections()
        try server.execute("DELETE FROM \"Account\" WHERE number <= 2")
      }
      if isIteration {
        // The loss among the rows that are left out is not an error of the iteration.
        try? accounts.where("number > 0").sorted(by: .ascending("number")).forEach { _ in
          try loseConnection()
          throw OnPurpose()
        }
      } else {
        try loseConnection()
        _ = try? accounts.find(1)
      }
      for _ in 0..<2 {
        let error = #expect(throws: VaultError.self) { try accounts.count() }
        #expect(error?.code == .connectionLost)
        let other = #expect(throws: VaultError.self) { try accounts.find(4) }
        #expect(other?.code == .connectionLost)
      }
    }
    #expect(try accounts.count() == 4998)
  }

  @Test("a transaction is settled only when the former one has ended", arguments: [true, false])
  func settling(commits: Bool) throws {
    let server = try OwnServer()
    let (first, second) = (
      try vault(server.address), try vault("\(server.address) application_name=second")
    )
    defer {
      first.close()
      second.close()
    }
    let accounts = try first.store(of: Account.self)
    let mark = UUID()
    let began = DispatchSemaphore(value: 0)
    let isSettled = Mutex(false)
    Thread.detachNewThread {
      try? first.transaction {
        try accounts.insert(Account(number: 1, balance: 1))
        try ServerDatabase.of(first).leave(mark)
        began.signal()
        Thread.sleep(forTimeInterval: 0.5)
        // It would be run again at this time, although it is not over.
        #expect(isSettled.withLock { !$0 })
        if !commits { throw OnPurpose() }
      }
    }
    began.wait()
    let database = try ServerDatabase.of(second)
    #expect(database.settle(mark, until: .now + .seconds(20)) == commits)
    isSettled.withLock { $0 = true }
    // A second attempt finds the same.
    #expect(database.settle(mark, until: .now + .seconds(20)) == commits)
    #expect(try accounts.count() == (commits ? 1 : 0))
  }

  @Test("a commit that gave up waiting for replicas is unknown, and is settled once they have it")
  func replicasMissing() throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try server.waitForReplica("nobody")
    let cancelling = """
      SELECT pg_sleep(0.2), pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE wait_event = 'SyncRep'
      """
    // Waits until the commit waits for the replica.
    @Sendable func cancel() {
      for _ in 0..<20 {
        try? server.execute(cancelling)
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      cancel()
      done.signal()
    }
    let error = try #require(throws: VaultError.self) { try accounts.insert(account(1)) }
    #expect(error.code == .commitUnknown)
    #expect(try accounts.count() == 1)
    done.wait()

    Thread.detachNewThread {
      cancel()
      // From now on, the server does not wait.
      try? server.waitForReplica(nil)
      done.signal()
    }
    var runs = 0
    try vault.transaction(retryingFor: .seconds(30)) {
      runs += 1
      try accounts.insert(account(2))
    }
    done.wait()
    #expect(runs == 1)
    #expect(try accounts.count() == 2)
    // The notifications of this connection are known as the vault's own.
    let database = try ServerDatabase.of(vault)
    let writer = try database.withWriter { session in
      try session.with("SELECT pg_backend_pid()") { try $0.count() }
    }
    #expect(Int(database.route.writer) == writer)
  }

  @Test("a server that refuses to write is left for the primary") func readOnly() throws {
    let server = try OwnServer()
    let vault = try vault(server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    func demote() throws {
      try vault.opened().withWriter { session in
        try session.execute("SET default_transaction_read_only TO on")
      }
    }
    try demote()
    let error = try #require(throws: VaultError.self) { try accounts.insert(account(1)) }
    #expect(error.code == .connectionLost)
    try accounts.insert(account(1))
    try demote()
    try vault.transaction(retryingFor: .seconds(10)) { try accounts.insert(account(2)) }
    #expect(try accounts.count() == 2)
  }

  @Test("frozen, it is replaced by the replica that was promoted", .timeLimit(.minutes(2)))
  func failover() throws {
    let primary = try OwnServer()
    let replica = try OwnServer(replicaOf: primary)
    let vault = try vault(
      "host=\(primary.folder),\(replica.folder) user=vault dbname=postgres",
      timeLimit: .seconds(4))
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(account(1))
    #expect(try accounts.count() == 1)
    primary.freeze()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 1)
      try? replica.promote()
    }
    let time = try seconds {
      _ = try vault.transaction(retryingFor: .seconds(60)) { try accounts.insert(account(2)) }
    }
    #expect(time < 20)
    // The frozen server is tried last.
    let next = try seconds {
      let count = try accounts.count()
      #expect(count == 2)
    }
    #expect(next < 1)
    primary.thaw()
    #expect(try accounts.count() == 2)
  }
}

/// An object with a long text.
private struct LongText: StoredObject, GeneratesObjectID, Sendable {
  static let classDescription = ClassDescription(
    "LongText", properties: [PropertyDescription("text", String.self)])

  var objectID: Int64?
  var text: String

  init(text: String) { self.text = text }

  init(row: Row) throws {
    text = try row.value(at: 0)
    objectID = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
}
