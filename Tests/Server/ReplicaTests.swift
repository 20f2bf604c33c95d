import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

@testable import ObjectVaultServer

/// Reads on a replica, with servers of the tests' own.
@Suite("Reads on a replica", .enabled(if: OwnServer.isPossible), .serialized)
struct ReplicaTests {
  private func account(_ number: Int) -> Account { Account(number: number, balance: 1) }

  private func vault(_ servers: [OwnServer], name: String = "replicas") throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.readPreference = .replica
    configuration.replicaTimeLimit = .seconds(2)
    let hosts = servers.map(\.folder).joined(separator: ",")
    return try SharedVault(
      at: "host=\(hosts) user=vault dbname=postgres application_name=\(name)",
      configuration: configuration)
  }

  /// Returns whether a replica answers the next read.
  private func isReplica(_ vault: SharedVault) throws -> Bool {
    try vault.opened().read { session in
      try session.with("SELECT pg_is_in_recovery()") { try $0.holds() }
    }
  }

  private func isolation(_ vault: SharedVault) throws -> String? {
    try vault.opened().read { session in
      try session.with("SELECT current_setting('transaction_isolation')") { statement in
        try statement.step() ? statement.row.text(at: 0) : nil
      }
    }
  }

  @Test("a replica answers with every commit of this process, and the primary stores") func writes()
    throws
  {
    let primary = try OwnServer()
    let replica = try OwnServer(replicaOf: primary)
    let vault = try vault([primary, replica])
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    for number in 1...100 {
      try accounts.insert(account(number))
      #expect(try accounts.count() == number)
    }
    #expect(try isReplica(vault))
    let inside = try vault.read { (try accounts.count(), try isReplica(vault)) }
    #expect(inside == (100, true))
    try vault.transaction {
      let answers = try isReplica(vault)
      #expect(!answers)
      try accounts.where("number == 1").remove()
    }
    #expect(try accounts.count() == 99)
  }

  @Test("a replica that is behind serves others, and the primary serves the one that wrote")
  func behind() throws {
    let primary = try OwnServer()
    let replica = try OwnServer(replicaOf: primary)
    let (writer, reader) = (
      try vault([primary, replica]), try vault([primary, replica], name: "reader")
    )
    defer {
      writer.close()
      reader.close()
    }
    let (own, other) = (try writer.store(of: Account.self), try reader.store(of: Account.self))
    #expect(try own.count() == 0)
    #expect(try other.count() == 0)
    try replica.execute("SELECT pg_wal_replay_pause()")
    try own.insert(account(1))
    // This is the documented staleness.
    #expect(try other.count() == 0)
    #expect(try isReplica(reader))
    #expect(try own.count() == 1)
    #expect(try !isReplica(writer))
    try replica.execute("SELECT pg_wal_replay_resume()")
    let end = ContinuousClock.now + .seconds(20)
    while try other.count() == 0, ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(try other.count() == 1)
    #expect(try isReplica(reader))
  }

  @Test(
    "an observer reads each commit of others that it learns of", .timeLimit(.minutes(2)),
    arguments: [true, false])
  func observing(isNotified: Bool) async throws {
    let primary = try OwnServer()
    let replica = try OwnServer(replicaOf: primary)
    let writer = try SharedVault(at: primary.address)
    defer { writer.close() }
    let others = try await writer.store(of: Account.self)
    try await others.insert(account(1))
    let vault = try vault([primary, replica])
    defer { vault.close() }
    let accounts = try await vault.store(of: Account.self)
    var isInserted = false
    for try await count in accounts.observeCount() {
      if count == 2 { break }
      if isInserted { continue }
      // The observer listens and has polled.
      try await Task.sleep(for: .seconds(2))
      try replica.execute("SELECT pg_wal_replay_pause()")
      if isNotified {
        try await others.insert(account(2))
      } else {
        try primary.execute("INSERT INTO \"Account\" (\"number\", \"balance\") VALUES (2, 1)")
      }
      isInserted = true
    }
    #expect(try await accounts.count() == 2)
  }

  @Test("without a replica, and after the loss of one, the primary answers") func missing() throws {
    let primary = try OwnServer()
    let alone = try vault([primary], name: "alone")
    defer { alone.close() }
    try alone.store(of: Account.self).insert(account(1))
    #expect(try alone.store(of: Account.self).count() == 1)
    #expect(try !isReplica(alone))

    let replica = try OwnServer(replicaOf: primary)
    let vault = try vault([primary, replica])
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    #expect(try accounts.count() == 1)
    #expect(try isReplica(vault))
    try replica.stop(.immediate)
    #expect(try accounts.count() == 1)
    #expect(try !isReplica(vault))
    try accounts.insert(account(2))
    #expect(try accounts.count() == 2)
  }

  @Test("a replica answers again after a read scope lost its connection") func lostScope() throws {
    let primary = try OwnServer()
    let replica = try OwnServer(replicaOf: primary)
    let vault = try vault([primary, replica])
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    #expect(try accounts.count() == 0)
    try vault.read {
      try replica.endConnections()
      let error = #expect(throws: VaultError.self) { try accounts.count() }
      #expect(error?.code == .connectionLost)
    }
    #expect(try accounts.count() == 0)
    #expect(try isReplica(vault))
  }

  @Test("a read that a replica cannot answer moves to the primary") func refused() throws {
    let primary = try OwnServer()
    // Replicas reject serializable transactions.
    try primary.execute(
      "ALTER DATABASE postgres SET default_transaction_isolation TO 'serializable'")
    let replica = try OwnServer(replicaOf: primary)
    let vault = try vault([primary, replica])
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(account(1))
    #expect(try accounts.count() == 1)
    #expect(try vault.read { try accounts.count() } == 1)
    #expect(try isReplica(vault))
    // A serializable read of the primary would conflict with writes.
    let alone = try self.vault([primary], name: "alone")
    defer { alone.close() }
    for reader in [vault, alone] { #expect(try isolation(reader) == "read committed") }
    #expect(try alone.transaction { try isolation(alone) } == "serializable")
    try vault.opened().read { session in
      try session.execute("CREATE TEMPORARY TABLE IF NOT EXISTS list (value bigint)")
      try session.execute("INSERT INTO list VALUES (1)")
    }
    #expect(try !isReplica(vault))
  }

  @Test("classes are created and upgraded while all tables are published") func published() throws {
    let primary = try OwnServer()
    try primary.execute("CREATE PUBLICATION everything FOR ALL TABLES")
    let note = ClassDescription("Note", properties: [PropertyDescription("text", String.self)])
    var longer = note
    longer.properties.append(PropertyDescription("number", Int?.self))
    for description in [note, longer] {
      let vault = try vault([primary], name: "vault\(description.properties.count)")
      defer { vault.close() }
      let store = try vault.store(of: description)
      try store.insert(DynamicObject(of: description, ["text": .text("x")]))
      try store.where("objectID == 1").update(set: ["text": "y"])
      // Earlier versions created tables without a primary key.
      try primary.execute("DROP PUBLICATION everything")
      for (table, name) in [
        ("objectvault_schema_changes", "objectvault_schema_changes_pkey"),
        ("objectvault.functions", "functions_pkey"),
      ] {
        try primary.execute("ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS \(name)")
      }
      try primary.execute("UPDATE objectvault.functions SET version = 8")
      try primary.execute("CREATE PUBLICATION everything FOR ALL TABLES")
    }
  }

  /// The loss of a connection to a replica around a read that the replica ends.
  enum Loss: CaseIterable {
    case none, afterRead, amongRows
  }

  @Test(
    "after a replica ended a read among its rows, the primary answers, also if the link is lost",
    arguments: Loss.allCases)
  func ended(loss: Loss) throws {
    let primary = try OwnServer()
    try primary.execute("ALTER SYSTEM SET max_standby_streaming_delay TO 0")
    let replica = try OwnServer(replicaOf: primary)
    let vault = try vault([primary, replica])
    defer { vault.close() }
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(contentsOf: (1...20_000).map { account($0) })
    #expect(try accounts.count() == 20_000)
    #expect(try isReplica(vault))
    let error = try #require(throws: VaultError.self) {
      try vault.opened().read { session in
        try session.with(
          "SELECT repeat('x', 10000), number FROM \"Account\" ORDER BY number"
        ) { statement in
          _ = try statement.step()
          try primary.execute("DELETE FROM \"Account\" WHERE number > 10")
          if loss == .amongRows {
            try replica.endConnections()
          } else {
            try primary.execute("VACUUM \"Account\"")
          }
          Thread.sleep(forTimeInterval: 1)
          while try statement.step() {}
        }
      }
    }
    #expect(error.code == .connectionLost, "\(error)")
    if loss == .afterRead { try replica.endConnections() }
    // A link that was used recently is not examined, and a read would meet the loss and run again.
    Thread.sleep(forTimeInterval: 0.02)
    #expect(try !isReplica(vault))
    #expect(try accounts.all().count == 10)
  }

  @Test("a position after the header of a page is the end of the page before") func positions() {
    let page = 0x300_0000 + 8192
    #expect(ServerRoute.end(ofRecordsBefore: Int64(page + 24)) == Int64(page))
    #expect(ServerRoute.end(ofRecordsBefore: 0x400_0028) == 0x400_0000)
    for position in [page + 40, page + 48, page, page + 8000] {
      #expect(ServerRoute.end(ofRecordsBefore: Int64(position)) == Int64(position))
    }
  }

  @Test("names the servers of an address in the order in which they are tried") func hosts() throws
  {
    func hosts(_ text: String) throws -> [ServerHost] {
      try ServerAddress(text, schema: "public", security: .unprotected).hosts
    }
    let both = [
      ServerHost(host: "a", address: nil, port: "1"),
      ServerHost(host: "b", address: nil, port: "2"),
    ]
    #expect(try hosts("postgresql://app@a:1,b:2/db") == both)
    #expect(try hosts("host=a,b port=1,2") == both)
    #expect(try hosts("dbname=db") == [ServerHost(host: nil, address: nil, port: nil)])
    #expect(ServerHost.settings(both) == ["host": "a,b", "port": "1,2"])
    #expect(
      try hosts("host=a,b port=5")
        == ["a", "b"].map { ServerHost(host: $0, address: nil, port: "5") })
    #expect(try hosts("hostaddr=127.0.0.1,::1").map(\.address) == ["127.0.0.1", "::1"])
    // The client library rejects these.
    #expect(try hosts("host=a,b port=1,2,3").count == 1)
  }
}
