import CPostgreSQL
import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Testing

import ObjectVaultServer

/// Connections to a server with a certificate, through a relay that sees what is sent.
@Suite("TLS to a PostgreSQL server", .enabled(if: OwnServer.isPossible))
struct ServerTLSTests {
  private static let notes = ClassDescription(
    "Note", properties: [PropertyDescription("text", String.self)])
  private static let marker = "a marker in a note"

  private let server: OwnServer
  private let certificates: Certificates
  private let relay: Relay

  init() throws {
    server = try OwnServer()
    certificates = try server.listenWithTLS(as: "localhost")
    relay = try Relay(to: server.port)
  }

  private func vault(
    trusting others: Certificates? = nil, host: String = "localhost",
    timeLimit: Duration = .seconds(20)
  ) throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.timeLimit = timeLimit
    return try SharedVault(
      at: "host=\(host) hostaddr=127.0.0.1 port=\(relay.port) user=vault dbname=postgres "
        + "sslrootcert=\((others ?? certificates).root)", configuration: configuration)
  }

  @Test("values are sent with TLS only") func stored() throws {
    let vault = try vault()
    defer { vault.close() }
    let store = try vault.store(of: Self.notes)
    var note = try DynamicObject(of: Self.notes)
    try note.set("text", to: .text(Self.marker))
    try store.insert(note)
    #expect(try store.all().map { try $0.value(of: "text") } == [.text(Self.marker)])
    #expect(!relay.openings.isEmpty)
    #expect(relay.openings.allSatisfy { $0 == .tls })
    #expect(relay.byteCount > 1000)
    #expect(!relay.contains(Self.marker))
  }

  @Test("another host name, another issuer and a server without TLS are rejected")
  func rejected() throws {
    let other = try Certificates(for: "localhost", in: "\(server.folder)/other")
    for vault in [
      try vault(host: "elsewhere.example"),
      try vault(trusting: other),
    ] {
      let error = try #require(throws: VaultError.self) { try vault.open() }
      #expect(error.code == .cannotOpen)
    }
    try server.execute("ALTER SYSTEM SET ssl TO off")
    try server.stop(.fast)
    try server.start()
    #expect(throws: VaultError.self) { try vault().open() }
    #expect(relay.openings == [.tls, .tls, .tls])
    #expect(!relay.contains("database"))
  }

  @Test("a request to cancel has TLS if the client library can do so") func cancelled() throws {
    let vault = try vault(timeLimit: .seconds(2))
    defer { vault.close() }
    _ = try vault.store(of: Self.notes)
    let error = try #require(throws: VaultError.self) {
      try vault.opened().read { try $0.execute("SELECT pg_sleep(600)") }
    }
    #expect(error.code == .connectionLost)
    let sleeping = "SELECT 1 / (1 - count(*)) FROM pg_stat_activity WHERE query LIKE '%(600)'"
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? server.execute(sleeping)) == nil {
      try #require(ContinuousClock.now < deadline, "The statement was not cancelled.")
      usleep(50_000)
    }
    let plain = relay.openings.filter { $0 != .tls }
    #expect(plain == (PQlibVersion() >= 170_000 ? [] : [.cancel]))
  }

  @Test("a cancelled iteration ends at the time limit if the server does not learn of it")
  func unreachable() throws {
    let vault = try vault(timeLimit: .seconds(2))
    defer { vault.close() }
    _ = try vault.store(of: Self.notes)
    // Each row arrives in time, and all of them take 20 seconds.
    let sql = """
      SELECT repeat('x', 10000), pg_sleep(0.05) IS NULL
      FROM (SELECT n FROM generate_series(1, 400) AS n ORDER BY n OFFSET 0) AS numbers
      """
    let opened = try vault.opened()
    let cancellation = Cancellation()
    let start = ContinuousClock.now
    let error = try #require(throws: VaultError.self) {
      try Cancellation.withCurrent(cancellation) {
        try opened.read { session in
          try session.with(sql) { statement in
            while try statement.step() {
              // A request to cancel needs a connection of its own.
              relay.stopAccepting()
              cancellation.cancel()
            }
          }
        }
      }
    }
    #expect(error.code == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
