import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

@testable import ObjectVaultServer

/// The tests with a PostgreSQL server, which Scripts/server starts.
@Suite("A shared vault on a PostgreSQL server", .enabled(if: Server.address != nil))
struct SharedVaultTests {
  private static let notes = ClassDescription(
    "Note",
    properties: [
      PropertyDescription("number", Int.self), PropertyDescription("text", String.self),
    ],
    objectID: ["number"],
    indexes: [IndexDescription(["text"], unique: true)])

  private func note(_ number: Int, _ text: String) throws -> DynamicObject {
    var note = try DynamicObject(of: Self.notes)
    try note.set("number", to: .integer(Int64(number)))
    try note.set("text", to: .text(text))
    return note
  }

  @Test("stores, finds, sorts, updates and removes objects") func objects() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    try notes.insert(contentsOf: [note(1, "b"), note(2, "a"), note(3, "c")])
    #expect(try notes.where("text > 'a'").sorted(by: .ascending("text")).all().count == 2)
    #expect(try notes.count() == 3)
    try notes.save(note(2, "d"))
    #expect(try notes.where("number == 2").first()?.value(of: "text") == .text("d"))
    try notes.where("number < 3").remove()
    #expect(try notes.count() == 1)
  }

  @Test("another handle and another connection see the same objects") func handles() throws {
    let (first, second) = try Server.twoVaults()
    defer {
      first.close()
      second.close()
    }
    try first.store(of: Self.notes).insert(note(1, "a"))
    let notes = try second.store(of: Self.notes)
    #expect(try notes.where("number == 1").count() == 1)
    #expect(notes.database === second)
    #expect(throws: VaultError.self) { try notes.vault }
  }

  @Test("names the property of a value that must be unique, and the value never") func unique()
    throws
  {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    try notes.insert(note(1, "a secret word"))
    let error = try #require(throws: VaultError.self) {
      try notes.insert(note(2, "a secret word"))
    }
    #expect(error.code == .duplicate)
    #expect(error.propertyNames == ["text"])
    #expect(!"\(error)".contains("secret"))
    #expect(!"\(String(describing: error.underlying))".contains("secret"))
  }

  @Test(
    "a time limit of the server is no cancellation",
    arguments: ["statement_timeout", "lock_timeout"])
  func timeLimit(setting: String) throws {
    let schema = Server.newSchema()
    let vault = try Server.vault(schema)
    let limited = try Server.vault(
      schema, connection: "limited options='-c \(setting)=300'", timeLimit: .seconds(60))
    defer {
      vault.close()
      limited.close()
    }
    let notes = try vault.store(of: Self.notes)
    let others = try limited.store(of: Self.notes)
    try notes.insert(contentsOf: [note(1, "a"), note(2, "b")])
    let error = try vault.transaction {
      try notes.update(note(1, "c"))
      return try #require(throws: VaultError.self) { try others.update(note(1, "d")) }
    }
    #expect(error.code == .busy)
    #expect(error.message.contains("'\(setting)'"), "\(error)")
    try others.update(note(1, "e"))
    #expect(try notes.where("text == 'e'").count() == 1)
  }

  @Test("a value that is too long for an index is rejected with the reason") func longIndexed()
    throws
  {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    // A server compresses texts that repeat themselves.
    let scalars = (0..<4000).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0x4E00..<0x9000)) }
    let error = try #require(throws: VaultError.self) {
      try notes.insert(note(1, String(String.UnicodeScalarView(scalars))))
    }
    #expect(error.code == .invalidValue)
    #expect(error.message.contains("index"), "\(error)")
  }

  @Test("a failed write leaves the transaction around it open") func failureInside() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    try vault.transaction {
      try notes.insert(note(1, "a"))
      #expect(throws: VaultError.self) { try notes.insert(note(1, "b")) }
      try notes.insert(note(2, "c"))
    }
    #expect(try notes.count() == 2)
  }

  @Test("a rollback undoes everything, and a nested one its own part") func rollback() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    try vault.transaction {
      try notes.insert(note(1, "a"))
      #expect(throws: OnPurpose.self) {
        try vault.transaction {
          try notes.insert(note(2, "b"))
          throw OnPurpose()
        }
      }
    }
    #expect(try notes.count() == 1)
    #expect(throws: OnPurpose.self) {
      try vault.transaction {
        try notes.where("number > 0").remove()
        throw OnPurpose()
      }
    }
    #expect(try notes.count() == 1)
  }

  @Test("after a rollback, an object gets a number that no other connection is using")
  func numbersAfterRollback() throws {
    let schema = Server.newSchema()
    let first = try Server.vault(schema)
    let second = try Server.vault(schema, connection: "other", timeLimit: .seconds(5))
    defer {
      first.close()
      second.close()
    }
    let transfers = try first.store(of: ServerTransfer.self)
    let others = try second.store(of: ServerTransfer.self)
    #expect(throws: OnPurpose.self) {
      try second.transaction {
        try others.insert(ServerTransfer(worker: 1, number: 1))
        throw OnPurpose()
      }
    }
    try first.transaction {
      try transfers.insert(ServerTransfer(worker: 2, number: 1))
      // It would wait for the end of this transaction.
      try others.insert(ServerTransfer(worker: 1, number: 2))
    }
    #expect(try transfers.count() == 2)
  }

  @Test("a read scope sees one snapshot while another connection writes") func snapshot() throws {
    let (first, second) = try Server.twoVaults()
    defer {
      first.close()
      second.close()
    }
    let (notes, others) = (
      try first.store(of: Self.notes), try second.store(of: Self.notes)
    )
    try notes.insert(note(1, "a"))
    try first.read {
      #expect(try notes.count() == 1)
      try others.insert(note(2, "b"))
      #expect(try notes.count() == 1)
    }
    #expect(try notes.count() == 2)
  }

  @Test("two connections that change the same object: one transaction runs again") func retry()
    throws
  {
    let (first, second) = try Server.twoVaults()
    defer {
      first.close()
      second.close()
    }
    let (notes, others) = (
      try first.store(of: Self.notes), try second.store(of: Self.notes)
    )
    try notes.insert(note(1, "0"))
    var runs = 0
    try first.transaction(retryingFor: .seconds(20)) {
      runs += 1
      let text = try notes.where("number == 1").first()?.value(of: "text")
      // The other one commits in between, once.
      if runs == 1 { try others.save(note(1, "1")) }
      guard case .text(let number)? = text, let number = Int(number) else { throw OnPurpose() }
      try notes.save(note(1, String(number + 10)))
    }
    #expect(runs == 2)
    #expect(try others.where("number == 1").first()?.value(of: "text") == .text("11"))
  }

  @Test("without a retry, the conflict has its own code and nothing is stored") func conflict()
    throws
  {
    let (first, second) = try Server.twoVaults()
    defer {
      first.close()
      second.close()
    }
    let (notes, others) = (
      try first.store(of: Self.notes), try second.store(of: Self.notes)
    )
    try notes.insert(note(1, "0"))
    let error = try #require(throws: VaultError.self) {
      try first.transaction {
        _ = try notes.where("number == 1").first()
        try others.save(note(1, "1"))
        try notes.save(note(1, "2"))
      }
    }
    #expect(error.code == .conflict)
    #expect(try notes.where("number == 1").first()?.value(of: "text") == .text("1"))
  }

  @Test("a text with a NUL character is refused before it is stored") func nul() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    let error = try #require(throws: VaultError.self) { try notes.insert(note(1, "a\0b")) }
    #expect(error.code == .invalidValue)
    #expect(try notes.count() == 0)
  }

  @Test("a class that needs what the server lacks is refused with its name") func refused() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    var searched = Self.notes
    searched.search = SearchDescription(["text"])
    let error = try #require(throws: VaultError.self) { try vault.store(of: searched) }
    #expect(error.code == .invalidClass)
    #expect(error.message.contains("full-text"))
  }

  @Test("an address without a server is an error with the address, but without the password")
  func noServer() throws {
    let vault = try SharedVault(at: "host=/nowhere user=vault password=hidden dbname=school")
    let error = try #require(throws: VaultError.self) { try vault.open() }
    #expect(error.code == .cannotOpen)
    #expect(error.message.contains("/nowhere"))
    #expect(!"\(error)".contains("hidden"))
  }

  @Test(
    "an address with a sign in its password that must be escaped is an error without the password",
    arguments: [
      "postgresql://app:geh@eim@db.invalid/registry",
      "postgresql://app:geh/eim@db.invalid/registry",
      "postgres://app:12/eim@db.invalid/registry",
      "postgresql://me@corp:geheim@db.invalid/registry",
    ])
  func unescapedPassword(address: String) throws {
    let error = try #require(throws: VaultError.self) { try SharedVault(at: address) }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("'%40'"))
    #expect(!"\(error)".contains("geh") && !"\(error)".contains("eim"))
  }

  @Test(
    "an escaped password and a list of servers are accepted",
    arguments: [
      ("postgresql://app:geh%40e%2Fim@a.invalid:1,b.invalid:2/registry", "a.invalid,b.invalid"),
      ("postgresql://app@%40abstract/registry", "@abstract"),
      ("host=a.invalid password=geh@e/im dbname=x@y", "a.invalid"),
    ])
  func escapedPassword(address: String, hosts: String) throws {
    let parsed = try ServerAddress(address, schema: "public", security: .verified)
    #expect(parsed.name.hasPrefix("postgresql://\(hosts)/"))
    #expect(!parsed.name.contains("geh"))
  }

  @Test("a host is contacted only with a verified certificate") func verified() throws {
    let vault = try SharedVault(
      at: "host=127.0.0.1 port=1 sslmode=disable user=vault connect_timeout=2")
    #expect(throws: VaultError.self) { try vault.open() }
    #expect(
      try ServerAddress("host=db.example sslmode=disable", schema: "public", security: .verified)
        .setting("sslmode") == "verify-full")
    #expect(
      try ServerAddress("host=db.example sslmode=disable", schema: "public", security: .unprotected)
        .setting("sslmode") == "disable")
    // A network address can be added by a service file. A socket ignores the setting.
    let local = try ServerAddress("host=/run/postgresql", schema: "public", security: .verified)
    #expect(local.setting("sslmode") == "verify-full")
    // Kerberos would come before TLS, and checks no certificate.
    #expect(local.setting("gssencmode") == "disable")
    // The client library has a setting that the environment and service files can make stricter.
    #expect(local.setting("channel_binding") == nil)
  }

  @Test(
    "an address that is none, and settings out of range, are refused",
    arguments: ["postgresql://[", "host", "host=a\0b"])
  func invalid(address: String) throws {
    let error = try #require(throws: VaultError.self) { try SharedVault(at: address) }
    #expect(error.code == .invalidArgument)
    var configuration = SharedVaultConfiguration()
    configuration.maximumReaders = 0
    #expect(throws: VaultError.self) {
      try SharedVault(at: "host=/tmp", configuration: configuration)
    }
  }

  @Test("an interval out of range is refused before the server is contacted") func intervals()
    throws
  {
    for setting in [
      \SharedVaultConfiguration.observationInterval, \.replicaTimeLimit, \.timeLimit,
    ] {
      for seconds in [-1, 86_401, Int64.max, .min] {
        var configuration = SharedVaultConfiguration()
        configuration[keyPath: setting] = .seconds(seconds)
        let error = try #require(throws: VaultError.self) {
          try SharedVault(at: "host=/tmp", configuration: configuration)
        }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("86,400"))
      }
    }
    var configuration = SharedVaultConfiguration()
    configuration.observationInterval = .zero
    #expect(throws: VaultError.self) {
      try SharedVault(at: "host=/tmp", configuration: configuration)
    }
    configuration.observationInterval = .milliseconds(10)
    #expect(throws: Never.self) {
      try SharedVault(at: "host=/tmp", configuration: configuration)
    }
  }

  @Test("a server that does not answer in time ends the call") func timeLimit() throws {
    let schema = Server.newSchema()
    let patient = try Server.vault(schema)
    defer { patient.close() }
    _ = try patient.store(of: Self.notes)
    let vault = try Server.vault(schema, connection: "impatient", timeLimit: .seconds(2))
    defer { vault.close() }
    let error = try #require(throws: VaultError.self) {
      try vault.opened().read { try $0.execute("SELECT pg_sleep(600)") }
    }
    #expect(error.code == .connectionLost)
    // The next call has another connection.
    #expect(try vault.store(of: Self.notes).count() == 0)
  }

  @Test("a plan has the table, the index and no values") func plan() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let notes = try vault.store(of: Self.notes)
    try notes.insert(contentsOf: (0..<2000).map { try note($0, "text \($0)") })
    try vault.opened().withWriter { try $0.execute("ANALYZE") }
    let found = try notes.where("text == 'text 7'").explain()
    #expect(found.plan.map(\.kind) == [.search, .temporarySort])
    #expect(found.plan[0].table == "Note")
    #expect(found.plan[0].terms == "text=?")
    guard case .index = found.plan[0].access else {
      Issue.record("The plan uses \(found.plan[0].access).")
      return
    }
    #expect(found.estimatedRows == 1)
    #expect(found.bindings == [.text])
    #expect(!found.description.contains("text 7"))
    let one = try notes.where("number == 7").explain()
    #expect(one.plan.map(\.access) == [.objectID])
    let all = try notes.where("text CONTAINS 'x'").sorted(by: "text").range(length: 5).explain()
    #expect(all.estimatedRows ?? 0 > 0)
    #expect(all.isCostly)
    #expect(!one.isCostly)
    // The query still runs, also where it is explained in a transaction.
    let (plan, count) = try vault.transaction {
      let query = notes.where("text == 'text 7'")
      return (try query.explain().plan, try query.count())
    }
    #expect(plan == found.plan)
    #expect(count == 1)
  }

  @Test("observers are told of the commits of other connections") func observers() async throws {
    let (first, second) = try Server.twoVaults()
    defer {
      first.close()
      second.close()
    }
    let notes = try await first.store(of: Self.notes)
    let others = try await second.store(of: Self.notes)
    var seen: [Int] = []
    for try await count in notes.where("number > 0").observeCount() {
      seen.append(count)
      if count == 0 { try await others.insert(note(1, "a")) }
      if count == 1 { break }
    }
    #expect(seen.last == 1)
  }
}

/// The error that a test throws on purpose.
private struct OnPurpose: Error {}

/// The server of the tests.
enum Server {
  /// The address; `nil` if Scripts/server does not run the tests.
  static let address = ProcessInfo.processInfo.environment["OBJECTVAULT_SERVER"]

  private static let lastSchema = Atomic<Int>(0)

  static func newSchema() -> String {
    let number = lastSchema.add(1, ordering: .relaxed).newValue
    return "test_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
  }

  /// Returns two vaults in one new schema that share no connections.
  static func twoVaults() throws -> (SharedVault, SharedVault) {
    let schema = newSchema()
    return (try vault(schema), try vault(schema, connection: "other"))
  }

  /// Returns a vault in a schema.
  ///
  /// Vaults with different names of the connection do not share connections.
  static func vault(
    _ schema: String = newSchema(), connection: String = "tests",
    timeLimit: Duration = .seconds(30), observationInterval: Duration = .milliseconds(50),
    sealingKeys: SealingKeys? = nil, erasableKeys: ErasableKeys? = nil
  ) throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.schema = schema
    configuration.timeLimit = timeLimit
    configuration.observationInterval = observationInterval
    configuration.sealingKeys = sealingKeys
    configuration.erasableKeys = erasableKeys
    return try SharedVault(
      at: "\(try #require(address)) application_name=\(connection)", configuration: configuration)
  }
}
