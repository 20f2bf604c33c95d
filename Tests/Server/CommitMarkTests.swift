import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

@testable import ObjectVaultServer

/// The marks by which a transaction is found whose commit lost its answer.
@Suite("The marks of transactions on a PostgreSQL server", .enabled(if: Server.address != nil))
struct CommitMarkTests {
  private let schema = Server.newSchema()

  private func count(_ sql: String, _ vault: SharedVault) throws -> Int {
    try vault.opened().withWriter { session in try session.with(sql) { try $0.count() } }
  }

  private func isIndexed(_ vault: SharedVault) throws -> Bool {
    try count(
      "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() "
        + "AND tablename = 'objectvault_commits' AND indexdef LIKE '%(at)'", vault) == 1
  }

  @Test("are removed in parts of limited size, the oldest first, and those of a day remain")
  func cleaning() throws {
    let vault = try Server.vault(schema)
    defer { vault.close() }
    try vault.opened().withWriter { session in
      try session.execute(
        "INSERT INTO objectvault_commits SELECT 'old ' || n, now() - interval '2 days' "
          + "+ n * interval '1 second' FROM generate_series(1, 2500) AS n")
      try session.execute("INSERT INTO objectvault_commits VALUES ('settled', '-infinity')")
      try session.execute("INSERT INTO objectvault_commits VALUES ('new', now())")
    }
    let database = try ServerDatabase.of(vault)
    var counts: [Int] = []
    for _ in 0..<4 {
      try vault.transaction { try database.withWriter { try database.clean($0) } }
      counts.append(try count("SELECT count(*) FROM objectvault_commits", vault))
      if counts.count == 1 {
        #expect(
          try count("SELECT count(*) FROM objectvault_commits WHERE mark = 'settled'", vault) == 0)
      }
    }
    #expect(counts == [1502, 502, 1, 1])
    #expect(try count("SELECT count(*) FROM objectvault_commits WHERE mark = 'new'", vault) == 1)
  }

  @Test("are found by an index, which an older schema gets from its owner") func index() throws {
    let vault = try Server.vault(schema)
    defer { vault.close() }
    #expect(try isIndexed(vault))
    try vault.opened().withWriter { session in
      try session.execute("DROP INDEX objectvault_commits_at")
    }
    let role = "reader_\(schema)"
    try vault.opened().withWriter { session in
      try session.execute("CREATE ROLE \(role) LOGIN")
      try session.execute("GRANT USAGE ON SCHEMA \(schema), objectvault TO \(role)")
      try session.execute(
        "GRANT ALL ON ALL TABLES IN SCHEMA \(schema), objectvault TO \(role)")
    }
    // Another user opens it without the index.
    let other = try Server.vault(schema, connection: "other user=\(role)")
    try other.transaction(retryingFor: .seconds(10)) {}
    #expect(try !isIndexed(other))
    other.close()
    // So does the owner while another transaction uses the table.
    let impatient = try Server.vault(schema, connection: "impatient", timeLimit: .seconds(2))
    defer { impatient.close() }
    try vault.transaction(retryingFor: .seconds(10)) {
      try ServerDatabase.of(vault).leave(UUID())
      #expect(try !isIndexed(impatient))
    }
    let next = try Server.vault(schema, connection: "next")
    defer { next.close() }
    #expect(try isIndexed(next))
    try vault.opened().withWriter { session in
      try session.execute("DROP OWNED BY \(role)")
      try session.execute("DROP ROLE \(role)")
    }
  }
}
