import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

/// Commits whose outcome is unknown, with servers of the tests' own.
@Suite("A commit whose outcome is unknown", .enabled(if: OwnServer.isPossible), .serialized)
struct UnknownCommitTests {
  private static let cancelling = """
    SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
    """

  private static let ending = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
    """

  private func account(_ number: Int) -> Account { Account(number: number, balance: 1) }

  /// Returns a vault on a server with two objects. The next ones are committed with their statement.
  private func vault(_ server: OwnServer) throws -> (SharedVault, ObjectStore<Account>) {
    let vault = try SharedVault(at: server.address)
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(account(1))
    try accounts.insert(account(2))
    return (vault, accounts)
  }

  /// Makes the commits of a server wait for a replica that does not exist.
  private func waitForNobody(_ server: OwnServer) throws {
    try server.waitForReplica("nobody")
    Thread.sleep(forTimeInterval: 0.2)
  }

  /// Ends the waits for a replica for some time, as an administrator does.
  private func endWaits(_ server: OwnServer) {
    Thread.detachNewThread {
      for _ in 0..<40 {
        Thread.sleep(forTimeInterval: 0.1)
        try? server.execute(Self.cancelling)
      }
    }
  }

  @Test("is not called cancelled when its task is cancelled", .timeLimit(.minutes(2)))
  func cancelled() async throws {
    let server = try OwnServer()
    let vault = try SharedVault(at: server.address)
    defer { vault.close() }
    let accounts = try await vault.store(of: Account.self)
    // The next ones are committed with their statement.
    try await accounts.insert(account(1))
    try await accounts.insert(account(2))
    try waitForNobody(server)
    let task = Task { try await accounts.insert(account(3)) }
    try await Task.sleep(for: .seconds(1))
    task.cancel()
    let error = await #expect(throws: VaultError.self) { try await task.value }
    #expect(error?.code == .commitUnknown)
    #expect(try await accounts.count() == 3)
  }

  @Test("is not that of a transaction whose connection ended before", .timeLimit(.minutes(2)))
  func endedBefore() throws {
    let server = try OwnServer()
    let (vault, accounts) = try vault(server)
    defer { vault.close() }
    let error = #expect(throws: VaultError.self) {
      try vault.transaction {
        try accounts.insert(account(3))
        try server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            + "WHERE state = 'idle in transaction'")
        // The application ignores the error.
        _ = try? accounts.find(1)
      }
    }
    #expect([.connectionLost, .transactionAborted].contains(error?.code))
    #expect(try accounts.count() == 2)
  }

  @Test("is looked for on the primary", .timeLimit(.minutes(2))) func replica() throws {
    let primary = try OwnServer()
    let replica = try OwnServer(replicaOf: primary)
    var configuration = SharedVaultConfiguration()
    configuration.readPreference = .replica
    let vault = try SharedVault(
      at: "host=\(primary.folder),\(replica.folder) user=vault dbname=postgres",
      configuration: configuration)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(account(1))
    #expect(try accounts.count() == 1)
    try replica.execute("SELECT pg_wal_replay_pause()")
    try waitForNobody(primary)
    endWaits(primary)
    let error = try #require(throws: VaultError.self) { try accounts.insert(account(2)) }
    #expect(error.code == .commitUnknown)
    #expect(try accounts.find(2) != nil)
    // Each later commit is known again, and replicas are asked once they have it.
    try primary.waitForReplica(nil)
    try replica.execute("SELECT pg_wal_replay_resume()")
    Thread.sleep(forTimeInterval: 0.2)
    try accounts.insert(account(3))
    #expect(try accounts.count() == 3)
  }

  @Test("is found although the role hides warnings", .timeLimit(.minutes(2))) func hidden() throws {
    let server = try OwnServer()
    try server.execute("ALTER ROLE vault SET client_min_messages TO 'error'")
    let vault = try SharedVault(at: server.address)
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(account(1))
    try waitForNobody(server)
    endWaits(server)
    let error = try #require(throws: VaultError.self) { try accounts.insert(account(2)) }
    #expect(error.code == .commitUnknown)
    #expect(try accounts.count() == 2)
  }

  @Test("is a commit like any other if the retry finds it stored", .timeLimit(.minutes(2)))
  func settled() throws {
    let server = try OwnServer()
    let vault = try SharedVault(at: server.address)
    defer { vault.close() }
    let memos = try vault.store(of: Memo.self)
    try memos.insert(Memo("first"))
    try waitForNobody(server)
    let memo = Memo("second")
    var runs = 0
    var commits = 0
    let found = try vault.transaction(retryingFor: .seconds(60)) {
      runs += 1
      // The commit is stored, waits for a replica, and loses its connection.
      Thread.detachNewThread {
        for _ in 0..<20 {
          Thread.sleep(forTimeInterval: 0.1)
          try? server.execute(Self.ending)
        }
        try? server.waitForReplica(nil)
      }
      let sessions = try vault.opened().sessions
      sessions.afterCommit { commits += 1 }
      return try memos.insert(memo)
    }
    #expect(runs == 1)
    #expect(commits == 1)
    #expect(found === memo)
    let id = try #require(memo.objectID)
    #expect(try memos.find(id)?.text == "second")
    memo.text = "changed"
    try memos.save(memo)
    #expect(try memos.count() == 2)
    #expect(try memos.find(id)?.text == "changed")
  }

  @Test("stays unknown if the task that settles it is cancelled", .timeLimit(.minutes(2)))
  func cancelledSettling() async throws {
    let server = try OwnServer()
    let vault = try SharedVault(at: server.address)
    defer { vault.close() }
    let accounts = try await vault.store(of: Account.self)
    try waitForNobody(server)
    let task = Task {
      try await vault.transaction(retryingFor: .seconds(60)) { try accounts.insert(account(1)) }
    }
    try await Task.sleep(for: .seconds(1))
    try server.execute(Self.ending)
    // Storing the mark waits for the replica, too.
    try await Task.sleep(for: .seconds(1))
    let start = ContinuousClock.now
    task.cancel()
    let error = await #expect(throws: VaultError.self) { try await task.value }
    #expect(error?.code == .commitUnknown)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("is not one that the server refused") func refused() throws {
    let server = try OwnServer()
    let (vault, accounts) = try vault(server)
    defer { vault.close() }
    try vault.opened().withWriter { session in
      try session.execute("SET default_transaction_read_only TO on")
    }
    let error = try #require(throws: VaultError.self) { try accounts.insert(account(3)) }
    #expect(error.code == .connectionLost)
    #expect(try accounts.count() == 2)
  }

  @Test("is not one that failed at its end", .timeLimit(.minutes(2))) func failedAtEnd() throws {
    let server = try OwnServer()
    let (vault, accounts) = try vault(server)
    defer { vault.close() }
    // With observers, a notification is sent with the statement.
    let other = try SharedVault(at: "\(server.address) application_name=observer")
    defer { other.close() }
    let token = try other.store(of: Account.self).where("number > 0")
      .observeCount(onError: { _ in }, onChange: { _ in })
    defer { token.cancel() }
    try server.execute(
      """
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''40001''; END'
      """)
    try server.execute(
      """
      CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON "Account" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail()
      """)
    Thread.sleep(forTimeInterval: 1.5)
    for number in 3...5 {
      let error = try #require(throws: VaultError.self) { try accounts.insert(account(number)) }
      #expect(error.code == .conflict)
    }
    #expect(try accounts.count() == 2)
  }
}

/// An instance with a generated object ID.
private final class Memo: StoredObject, GeneratesObjectID {
  static let classDescription = ClassDescription(
    "Memo", properties: [PropertyDescription("text", String.self)])

  var objectID: Int64?
  var text: String

  init(_ text: String) { self.text = text }

  init(row: Row) throws {
    text = try row.value(at: 0)
    objectID = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
}
