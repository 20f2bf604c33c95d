import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

private struct Member: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var name: String
  static let classDescription = ClassDescription(
    "Member", properties: [PropertyDescription("name", String.self)])
  init(name: String) { self.name = name }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
}

/// The same class with other properties.
private struct LaterMember: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  static let classDescription = ClassDescription(
    "Member",
    properties: [
      PropertyDescription("fullName", String.self, renamedFrom: ["name"]),
      PropertyDescription("rank", Int.self, defaultValue: 1),
    ])
  init(row: Row) throws {}
  func encode(into binder: Binder) throws {}
}

/// The names of migrated classes, in order, by the path of the vault.
private let migrated = Mutex<[String: [String]]>([:])

private struct Whole: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  static let version = 2
  static let classDescription = ClassDescription("Whole", properties: [])
  init(row: Row) throws {}
  func encode(into binder: Binder) throws {}
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    migrated.withLock { $0[context.database.handle.location, default: []].append("Whole") }
  }
}

private struct Part: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  static let version = 2
  static let classDescription = ClassDescription(
    "Part", properties: [PropertyDescription("whole", Int64?.self)],
    references: [ReferenceDescription("whole", target: "Whole")])
  init(row: Row) throws {}
  func encode(into binder: Binder) throws {}
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    migrated.withLock { $0[context.database.handle.location, default: []].append("Part") }
  }
}

@Suite("The schema of a vault")
struct VaultSchemaTests {
  /// What was called, in order.
  private final class Calls: Sendable {
    let all = Mutex<[String]>([])
    func note(_ call: String) { all.withLock { $0.append(call) } }
  }

  private func configuration(_ schema: VaultSchema, readOnly: Bool = false) -> VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.schema = schema
    configuration.isReadOnly = readOnly
    return configuration
  }

  @Test(
    "makes every table of a new vault, fills it, and calls no step",
    .covers("J19", "J21", "P20", "P22", "P27", "J14"))
  func new() throws {
    let calls = Calls()
    let schema = VaultSchema(version: 3, classes: [Member.self])
      .creating { context in
        calls.note("create")
        try context.database.store(of: Member.self).insert(Member(name: "first"))
      }
      .step(from: 1) { _ in calls.note("1") }
    let vault = try ChangingVault(configuration(schema))
    try vault.vault.open()
    #expect(calls.all.withLock { $0 } == ["create"])
    #expect(try vault.rows("SELECT name FROM Member") == [[.text("first")]])
    let again = try vault.reopened(configuration(schema))
    try again.vault.open()
    #expect(calls.all.withLock { $0 } == ["create"])
  }

  @Test("is rejected if one of its steps would never run")
  func repeatedStep() throws {
    let schema = VaultSchema(version: 3, classes: [Member.self])
    for schema in [
      schema.step(from: 2) { _ in }.step(from: 1) { _ in }.step(from: 2) { _ in },
      schema.creating { _ in }.creating { _ in },
    ] {
      #expect(code { _ = try ChangingVault(configuration(schema)) } == .invalidArgument)
    }
    let vault = try ChangingVault(
      configuration(schema.creating { _ in }.step(from: 1) { _ in }.step(from: 2) { _ in }))
    try vault.vault.open()
  }

  @Test("migrates a class after the classes that it refers to")
  func order() throws {
    for classes: [any StoredObject.Type] in [[Part.self, Whole.self], [Whole.self, Part.self]] {
      let vault = try ChangingVault(configuration(VaultSchema(version: 1, classes: classes)))
      try vault.vault.open()
      #expect(migrated.withLock { $0[vault.vault.path] } == ["Whole", "Part"])
    }
  }

  @Test(
    "calls each step from the vault's version on once, then brings the classes along",
    .covers("J18", "J20", "P19", "P24", "P26", "A9"))
  func steps() throws {
    let vault = try ChangingVault()
    try vault.vault.store(of: Member.self).insert(Member(name: "Li"))
    let calls = Calls()
    let schema = VaultSchema(version: 4, classes: [LaterMember.self], mirrorsUserVersion: true)
      .creating { _ in calls.note("create") }
      .step(from: 1) { context in
        calls.note("1")
        try context.execute("UPDATE Member SET name = name || ?", "!")
      }
      .step(from: 3) { context in
        calls.note("3")
        // The vault can be used, and its classes are as they were.
        let count = try context.database.store(named: "Member").where("name == 'Li!'").count()
        #expect(count == 1)
        #expect(
          code { try context.database.transaction { throw VaultError.cancelled } } == .cancelled)
      }
    let later = try vault.reopened(configuration(schema))
    try later.vault.open()
    try later.checkSettings()
    #expect(calls.all.withLock { $0 } == ["1", "3"])
    #expect(try later.rows("SELECT fullName, rank FROM Member") == [[.text("Li!"), .integer(1)]])
    #expect(try later.rows("PRAGMA user_version") == [[.integer(4)]])
    // With nothing to do, nothing is called and not a byte of the file is written.
    later.vault.close()
    let file = URL(fileURLWithPath: later.vault.path)
    let before = try Data(contentsOf: file)
    let last = try later.another(configuration(schema))
    try last.open()
    last.close()
    #expect(try Data(contentsOf: file) == before)
    #expect(calls.all.withLock { $0 } == ["1", "3"])
  }

  @Test("whose step fails leaves the vault as it was, and unopened", .covers("P23", "A11"))
  func failing() throws {
    struct Reason: Error {}
    let vault = try ChangingVault()
    try vault.vault.store(of: Member.self).insert(Member(name: "Li"))
    let before = try vault.schema()
    let schema = VaultSchema(version: 3, classes: [LaterMember.self])
      .step(from: 1) { try $0.execute("DELETE FROM Member") }
      .step(from: 2) { _ in throw Reason() }
    let later = try vault.reopened(configuration(schema))
    #expect(throws: Reason.self) { try later.vault.open() }
    #expect(throws: Reason.self) { try later.vault.open() }
    let last = try later.reopened()
    #expect(try last.schema() == before)
    #expect(try last.rows("SELECT name FROM Member") == [[.text("Li")]])
  }

  @Test(
    "that is newer in the file is read, and not written to", .covers("P25", "J17", "J15", "D10"))
  func newer() throws {
    let vault = try ChangingVault(configuration(VaultSchema(version: 5, classes: [Member.self])))
    try vault.vault.open()
    let older = try vault.reopened(configuration(VaultSchema(version: 2, classes: [Member.self])))
    let error = #expect(throws: VaultError.self) { try older.vault.open() }
    #expect(error?.code == .newerSchema)
    #expect(error?.message.contains("version 5") == true)
    #expect(error?.message.contains("this program has version 2") == true)
    let reading = try older.reopened(
      configuration(VaultSchema(version: 2, classes: [Member.self]), readOnly: true))
    #expect(try reading.vault.store(of: Member.self).count() == 0)
  }

  @Test("begins at what user_version says, where that is asked for", .covers("P24"))
  func fromUserVersion() throws {
    let vault = try ChangingVault()
    _ = try vault.vault.store(of: Member.self)
    try vault.run("PRAGMA user_version = 2")
    let calls = Calls()
    let schema = VaultSchema(version: 3, mirrorsUserVersion: true)
      .step(from: 1) { _ in calls.note("1") }.step(from: 2) { _ in calls.note("2") }
    try vault.reopened(configuration(schema)).vault.open()
    #expect(calls.all.withLock { $0 } == ["2"])
  }

  @Test("leaves tables alone that no class is for", .covers("P30"))
  func orphans() throws {
    let vault = try ChangingVault()
    try vault.insert(ClassDescription("Orphan", properties: [.init("x", Int.self)]), [.integer(1)])
    let later = try vault.reopened(configuration(VaultSchema(version: 2, classes: [Member.self])))
    #expect(try later.vault.classes().map(\.name) == ["Member", "Orphan"])
    #expect(try later.rows("SELECT x FROM Orphan") == [[.integer(1)]])
  }

  @Test("counts from 1, and has no step that leads nowhere", .covers("P21"))
  func invalid() throws {
    for schema in [
      VaultSchema(version: 0), VaultSchema(version: -1),
      VaultSchema(version: 2).step(from: 2) { _ in },
      VaultSchema(version: 2).step(from: 0) { _ in },
    ] {
      #expect(code { _ = try ChangingVault(configuration(schema)) } == .invalidArgument)
    }
  }

  @Test("is there wholly or not at all where who waits for it is cancelled on the way")
  func cancelled() async throws {
    let vault = try ChangingVault()
    try await vault.vault.store(of: Member.self).insert(Member(name: "Li"))
    let before = try vault.schema()
    let calls = Calls()
    let schema = VaultSchema(version: 2, classes: [LaterMember.self])
      .step(from: 1) { context in
        try context.execute("UPDATE Member SET name = name || ?", "!")
        calls.note("1")
        while calls.all.withLock({ $0.count < 2 }) { usleep(1_000) }
      }
    let later = try vault.reopened(configuration(schema))
    let work = Task { try await later.vault.store(of: LaterMember.self) }
    while calls.all.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    work.cancel()
    calls.note("cancelled")
    let isToldDone = await (try? work.value) != nil
    let last = try later.reopened()
    try last.checkSettings()
    if try last.schema() == before {
      #expect(!isToldDone)
      #expect(try last.rows("SELECT name FROM Member") == [[.text("Li")]])
    } else {
      #expect(try last.rows("SELECT fullName, rank FROM Member") == [[.text("Li!"), .integer(1)]])
      #expect(try last.rows("PRAGMA foreign_key_check").isEmpty)
    }
  }

  @Test("cannot be upgraded inside a transaction or read scope, and the error says so")
  func insideScope() throws {
    let vault = try ChangingVault()
    try vault.vault.store(of: Member.self).insert(Member(name: "Li"))
    let schema = VaultSchema(version: 2, classes: [Member.self]).step(from: 1) { context in
      try context.database.store(of: Member.self).removeAll()
    }
    func expectRejection(_ scope: String) throws {
      let later = try vault.another(configuration(schema))
      let error = #expect(throws: VaultError.self) { try later.open() }
      #expect(error?.code == .upgradeInTransaction)
      #expect(error?.message.contains("with the schema before the \(scope) begins") == true)
    }
    try vault.vault.transaction { try expectRejection("transaction") }
    try vault.vault.read {
      try expectRejection("read scope")
      #expect(try vault.vault.store(of: Member.self).count() == 1)
    }
    let later = try vault.another(configuration(schema))
    try later.open()
    #expect(try vault.vault.store(of: Member.self).count() == 0)
    // A handle whose schema needs no upgrade opens everywhere.
    try vault.vault.transaction { try vault.another(configuration(schema)).open() }
    try vault.vault.read { try vault.another(configuration(schema)).open() }
  }

  @Test("is brought about by one thread while the others wait")
  func threads() async throws {
    let vault = try ChangingVault()
    try await vault.vault.store(of: Member.self).insert(Member(name: "Li"))
    let calls = Calls()
    let schema = VaultSchema(version: 2, classes: [LaterMember.self])
      .step(from: 1) { _ in calls.note("1") }
    let later = try vault.reopened(configuration(schema))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await later.vault.store(of: LaterMember.self).count() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 8))
    #expect(calls.all.withLock { $0 } == ["1"])
  }

  @Test(
    "is not upgraded from a version that no program writes", .timeLimit(.minutes(1)),
    arguments: ["0", "-2", "", "two", "9223372036854775808", "-9223372036854775808"])
  func damaged(text: String) throws {
    let schema = VaultSchema(version: 2, classes: [Member.self]).step(from: 1) { _ in }
    let vault = try ChangingVault(configuration(schema))
    try vault.vault.open()
    try vault.run(
      "UPDATE objectvault_info SET \"value\" = '\(text)' WHERE \"key\" = 'schema_version'")
    let later = try vault.reopened(configuration(schema))
    let error = #expect(throws: VaultError.self) { try later.vault.open() }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("schema version") == true)
  }
}
