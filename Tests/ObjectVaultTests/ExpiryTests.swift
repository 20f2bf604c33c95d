import Foundation
import ObjectVault
import Synchronization
import TestSupport
import Testing

@Suite("Objects that expire") struct ExpiryTests {
  @Stored
  struct Login {
    @ObjectID var name: String
    @Indexed var validUntil: Date?
    @Owned(by: \Token.login) var tokens: [Token]?
  }

  @Stored
  struct Token {
    var text: String
    var created: Date = Date(timeIntervalSince1970: 0)
    @Reference(onDelete: .cascade) var login: Ref<Login>?
  }

  let folder: TemporaryFolder
  let path: String
  let key = VaultKey.raw([UInt8](1...32))
  let now = Date(timeIntervalSince1970: 1_000_000)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  /// Returns a vault with logins that are valid until 10 seconds before now, now, 10 seconds after,
  /// and for ever.
  private func filled(_ configuration: VaultConfiguration = VaultConfiguration()) throws -> Vault {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let logins = [("past", -10.0), ("now", 0), ("future", 10), ("always", nil)].map {
      Login(
        name: $0, validUntil: $1.map { now.addingTimeInterval($0) },
        tokens: [Token(text: "of \($0)")])
    }
    try vault.store(of: Login.self).insert(contentsOf: logins)
    return vault
  }

  private func names(_ vault: Vault) throws -> [String] {
    try vault.store(of: Login.self).all().map(\.name).sorted()
  }

  @Test(
    "An object expires at its date, and what it owns is removed with it", .covers("F4"),
    arguments: [1, 2, 1_000])
  func removal(batch: Int) throws {
    let vault = try filled()
    let rules = [try ExpiryRule(Login.self, at: \.validUntil)]
    #expect(rules[0].className == "Login" && rules[0].property == "validUntil")
    let earlier = now.addingTimeInterval(-11)
    #expect(try vault.removeExpired(by: rules, at: earlier, batch: batch) == 0)
    #expect(try vault.removeExpired(by: rules, at: now, batch: batch) == 2)
    #expect(try names(vault) == ["always", "future"])
    #expect(
      try vault.store(of: Token.self).all().map(\.text).sorted() == ["of always", "of future"])
    #expect(try vault.removeExpired(by: rules, at: now, batch: batch) == 0)
    // Now is the default.
    #expect(try vault.removeExpired(by: rules) == 1)
    #expect(try names(vault) == ["always"])
  }

  @Test("A delay counts from the date, and rules apply one after the other", .covers("F4"))
  func delay() throws {
    let vault = try filled()
    let rules = [
      try ExpiryRule(Login.self, at: "validUntil", after: .seconds(5)),
      try ExpiryRule(Token.self, at: \.created, after: .seconds(2_000_000)),
    ]
    #expect(try vault.removeExpired(by: rules, at: now) == 1)
    #expect(try names(vault) == ["always", "future", "now"])
    #expect(try vault.removeExpired(by: [rules[1]], at: now.addingTimeInterval(1e6)) == 3)
    #expect(try vault.store(of: Token.self).count() == 0)
  }

  @Stored
  struct Visit {
    var name: String = ""
    @Indexed var until: Date
  }

  @Test("An index on the date finds the expired objects", .covers("F4"))
  func index() throws {
    let lines = Mutex<[String]>([])
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { text in lines.withLock { $0.append(text) } }
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let visits = try vault.store(of: Visit.self)
    try visits.insert(contentsOf: (0..<50).map { Visit(until: now.addingTimeInterval(Double($0))) })
    let rule = try ExpiryRule(Visit.self, at: \.until)
    #expect(try vault.removeExpired(by: [rule], at: now.addingTimeInterval(4)) == 5)
    #expect(try visits.sorted(by: "until").first()?.until == now.addingTimeInterval(5))
    lines.withLock { $0.removeAll() }
    #expect(try vault.removeExpired(by: [rule], at: now.addingTimeInterval(4)) == 0)
    // It waits for no writer if nothing has expired.
    #expect(!lines.withLock { $0.contains { $0.hasPrefix("BEGIN IMMEDIATE") } })
    #expect(try vault.removeExpired(by: [rule], at: now.addingTimeInterval(5)) == 1)
    let removal = try #require(
      lines.withLock { $0.first { $0.hasPrefix("DELETE FROM \"Visit\"") } })
    let sql = "EXPLAIN QUERY PLAN " + removal.replacing(/\?\d*/, with: "0")
    let plan = try vault.rows(SQLStatement(stringLiteral: sql)).map { "\($0.values)" }
    #expect(plan.contains { $0.contains("USING") && $0.contains("until<") }, "\(plan)")
  }

  @Test("Observers are notified of each batch", .covers("F4"))
  func observers() async throws {
    let vault = try await onOwnThread { try filled() }
    let logins = try await vault.store(of: Login.self)
    var iterator = logins.query.observeCount().makeAsyncIterator()
    #expect(try await iterator.next() == 4)
    let rules = [try ExpiryRule(Login.self, at: \.validUntil)]
    _ = try await vault.transaction { [now] in try vault.removeExpired(by: rules, at: now) }
    #expect(try await iterator.next() == 2)
  }

  @Test("Opening a vault removes what has expired by its configuration", .covers("F5"))
  func opening() throws {
    try filled().close()
    var configuration = VaultConfiguration()
    configuration.expiry = [try ExpiryRule(Login.self, at: \.validUntil)]
    configuration.isReadOnly = true
    let reader = try Vault(at: path, key: key, configuration: configuration)
    #expect(try names(reader).count == 4)
    reader.close()
    configuration.isReadOnly = false
    let vault = try Vault(at: path, key: key, configuration: configuration)
    #expect(try names(vault) == ["always"])
    try vault.store(of: Login.self).insert(Login(name: "later", validUntil: now))
    #expect(try vault.removeExpired() == 1)
    vault.close()
  }

  @Test("A rehearsal of a migration removes no expired object", .covers("F5"))
  func rehearsal() throws {
    try filled().close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    var configuration = VaultConfiguration()
    configuration.expiry = [try ExpiryRule(Login.self, at: \.validUntil)]
    let rehearsal = try Vault(at: path, key: key, configuration: configuration)
      .rehearseMigration(of: [Login.self])
    #expect(rehearsal.before.map(\.rows) == [4, 4] && rehearsal.after == rehearsal.before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("A removal that fails does not prevent the opening", .covers("F5"))
  func failure() throws {
    let vault = try filled()
    try vault.execute(
      "CREATE TRIGGER stay BEFORE DELETE ON Login BEGIN SELECT RAISE(ABORT, 'stay'); END")
    vault.close()
    var configuration = VaultConfiguration()
    configuration.expiry = [try ExpiryRule(Login.self, at: \.validUntil)]
    let opened = try Vault(at: path, key: key, configuration: configuration)
    #expect(try names(opened).count == 4)
    #expect(throws: VaultError.self) { try opened.removeExpired() }
  }

  @Test("A rule that fails does not prevent the others", .covers("F4"))
  func failureOfOneRule() throws {
    let vault = try filled()
    try vault.execute(
      "CREATE TRIGGER stay BEFORE DELETE ON Login BEGIN SELECT RAISE(ABORT, 'stay'); END")
    try vault.store(of: Note.self).insert(contentsOf: [Note(seen: now), Note(seen: .distantFuture)])
    let rules = [
      try ExpiryRule(Login.self, at: \.validUntil), try ExpiryRule(Note.self, at: \.seen),
      try ExpiryRule(Token.self, at: \.created),
    ]
    let error = #expect(throws: VaultError.self) { try vault.removeExpired(by: rules, at: now) }
    #expect(error?.code == .constraint)
    #expect(try names(vault).count == 4)
    #expect(try vault.store(of: Note.self).count() == 1)
    #expect(try vault.store(of: Token.self).count() == 0)
  }

  @Test("An object that another one holds does not keep those that expired after it")
  func heldObject() throws {
    let vault = try Vault(at: path, key: key)
    let parcels = try vault.store(of: Parcel.self)
    let numbers = try parcels.insert(
      contentsOf: (0..<7).map { Parcel(until: now.addingTimeInterval(Double($0) - 20)) })
    for held in [0, 3] {
      try vault.store(of: Receipt.self).insert(Receipt(parcel: .init(id: numbers[held])))
    }
    let rules = [try ExpiryRule(Parcel.self, at: \.until)]
    for batch in [4, 1] {
      let error = #expect(throws: VaultError.self) {
        try vault.removeExpired(by: rules, at: now, batch: batch)
      }
      #expect(error?.code == .removalDenied)
      #expect(try parcels.all().map(\.objectID) == [numbers[0], numbers[3]])
    }
    try vault.store(of: Receipt.self).removeAll()
    #expect(try vault.removeExpired(by: rules, at: now) == 2)
  }

  @Stored
  struct Parcel {
    var until: Date
  }

  @Stored
  struct Receipt {
    @Reference(onDelete: .deny) var parcel: Ref<Parcel>
  }

  @Stored
  struct Note {
    var seen: Date
  }

  @Stored
  struct Pass {
    var name: String
    @Sealed var until: Date?
  }

  @Test("A sealed date, which no condition reads, is rejected")
  func sealed() throws {
    let error = #expect(throws: VaultError.self) { try ExpiryRule(Pass.self, at: \.until) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("sealed") == true)
  }

  @Test("A property that is missing or no date, and an empty batch, are rejected")
  func invalid() throws {
    let missing = #expect(throws: VaultError.self) { try ExpiryRule(Login.self, at: "validTo") }
    #expect(missing?.code == .noSuchProperty)
    let text = #expect(throws: VaultError.self) { try ExpiryRule(Login.self, at: \.name) }
    #expect(text?.code == .invalidArgument)
    let vault = try filled()
    let rules = [try ExpiryRule(Login.self, at: \.validUntil)]
    let empty = #expect(throws: VaultError.self) { try vault.removeExpired(by: rules, batch: 0) }
    #expect(empty?.code == .invalidArgument)
    #expect(try names(vault).count == 4)
  }
}
