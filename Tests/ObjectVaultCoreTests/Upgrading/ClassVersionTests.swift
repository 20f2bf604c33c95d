import ObjectVaultCondition
import Synchronization
import TestSupport
import Testing

import ObjectVaultCore

/// What a class is at one moment of a test's history; its requirements are those of a Swift type.
private protocol Edition: StoredObject, GeneratesObjectID {
  static var properties: [PropertyDescription] { get }
  init()
}

extension Edition {
  static var classDescription: ClassDescription {
    ClassDescription("Book", properties: properties)
  }
  init(row: Row) throws { self.init() }
  func encode(into binder: Binder) throws {}
}

/// The calls that migrations had, by test.
private let calls = Mutex<[String: [[Int]]]>([:])

private func note(_ database: any Database, _ old: Int, _ new: Int) {
  calls.withLock { $0[database.handle.location, default: []].append([old, new]) }
}

private struct First: Edition {
  var objectID: Int64?
  static let properties = [PropertyDescription("title", String?.self)]
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    note(context.database, old, new)
    if old < 1 { try context.execute("INSERT INTO Book (title) VALUES (?)", "first") }
  }
}

private struct Third: Edition {
  var objectID: Int64?
  static let version = 3
  static let properties = [
    PropertyDescription("name", String?.self),
    PropertyDescription("length", Int.self, defaultValue: 0),
  ]
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    note(context.database, old, new)
    guard old > 0 else { return }
    try context.execute("UPDATE Book SET name = upper(title), length = ?", 5)
    #expect(try context.rows("SELECT name FROM Book WHERE length = ?", 5) == [[.text("FIRST")]])
    #expect(try context.database.store(of: Third.self).count() == 1)
  }
}

/// Has another form than the third edition, and the same version.
private struct ThirdPrinting: Edition {
  var objectID: Int64?
  static let version = 3
  static let properties = Third.properties + [PropertyDescription("cover", String?.self)]
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    note(context.database, old, new)
  }
}

private struct Failing: Edition {
  var objectID: Int64?
  static let version = 2
  static let properties = [PropertyDescription("number", Int.self, defaultValue: 1)]
  struct Reason: Error {}
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    try context.execute("DELETE FROM Book")
    throw Reason()
  }
}

private struct Dangling: Edition {
  var objectID: Int64?
  static let version = 2
  static let properties = [PropertyDescription("title", String?.self)]
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    for statement in ["COMMIT", " /* so */ pragma foreign_keys = off", "ROLLBACK"] {
      #expect(code { try context.execute(statement) } == .invalidArgument, "\(statement)")
    }
    #expect(code { try context.execute("DELETE FROM Book WHERE title = ?") } == .invalidArgument)
    #expect(code { try context.execute("nonsense") } == .engineRefused)
  }
}

private struct Sized: Edition {
  var objectID: Int64?
  static let properties = [PropertyDescription("size", Int.self)]
  static let conversions = [
    PropertyConversion("size", from: String?.self) { text in
      switch text {
      case "large": 2
      case "small": 1
      case nil: 0
      default: throw Failing.Reason()
      }
    },
    PropertyConversion("size", from: Double.self) { Int($0.rounded()) },
  ]
}

/// Texts that become lists, and lists that become numbers.
private struct Listed: Edition {
  var objectID: Int64?
  static let properties = [
    PropertyDescription("title", [String].self), PropertyDescription("tags", Int.self),
    PropertyDescription("notes", [String: Int]?.self),
  ]
  static let conversions = [
    PropertyConversion("title", from: String.self) { $0.split(separator: " ").map(String.init) },
    PropertyConversion("tags", from: [String]?.self) { tags in tags?.count ?? -1 },
    PropertyConversion("notes", from: Int?.self) { number in number.map { ["n": $0] } },
  ]
}

@Suite("The version of a class")
struct ClassVersionTests {
  @Test(
    "is told to its migration once: 0 for new, else what the file has, in one call",
    .covers("J16", "A2", "A3", "A7", "A8", "A9", "A10", "J21"))
  func calledOnce() throws {
    let vault = try ChangingVault()
    #expect(try vault.vault.store(of: First.self).count() == 1)
    #expect(try vault.another().store(of: First.self).count() == 1)
    let later = try vault.reopened().vault
    _ = try later.store(of: Third.self)
    #expect(calls.withLock { $0[later.path] } == [[0, 1], [1, 3]])
    #expect(try later.classes().first?.version == 3)
    later.close()
    let last = try vault.another()
    #expect(try last.store(of: ThirdPrinting.self).count() == 1)
    #expect(try last.classes().first?.properties.last?.name == "cover")
    #expect(calls.withLock { $0[later.path] } == [[0, 1], [1, 3]])
    let other = try ChangingVault()
    _ = try other.vault.store(of: Third.self)
    #expect(calls.withLock { $0[other.vault.path] } == [[0, 3]])
  }

  @Test("whose migration fails leaves the file as it was", .covers("A11", "P23"))
  func failing() throws {
    let vault = try ChangingVault()
    _ = try vault.vault.store(of: First.self)
    let before = try vault.schema()
    let later = try vault.reopened()
    #expect(throws: Failing.Reason.self) { _ = try later.vault.store(of: Failing.self) }
    #expect(try later.schema() == before)
    #expect(try later.rows("SELECT title FROM Book") == [[.text("first")]])
    let empty = try ChangingVault()
    #expect(throws: Failing.Reason.self) { _ = try empty.vault.store(of: Failing.self) }
    #expect(try empty.vault.classes().isEmpty)
  }

  @Test("that is newer in the file is read, but not written to", .covers("J17", "P25", "J15"))
  func newer() throws {
    let vault = try ChangingVault()
    _ = try vault.vault.store(of: Third.self)
    try vault.run("INSERT INTO Book (name) VALUES ('x')", "ALTER TABLE Book ADD COLUMN title TEXT")
    let older = try vault.reopened()
    let error = #expect(throws: VaultError.self) { _ = try older.vault.store(of: First.self) }
    #expect(error?.code == .newerSchema)
    #expect(error?.message.contains("version 3") == true && error?.message.contains(" 1 ") == true)
    var reading = VaultConfiguration()
    reading.isReadOnly = true
    #expect(try older.reopened(reading).vault.store(of: First.self).count() == 1)
  }

  @Test("counts from 1", .covers("P21"))
  func atLeastOne() throws {
    let vault = try ChangingVault()
    var description = ClassDescription("A", properties: [.init("x", Int.self)])
    description.version = 0
    #expect(code { _ = try vault.vault.store(of: description) } == .invalidClass)
  }

  @Test("does not let its migration end the transaction, nor speak nonsense")
  func refusedStatements() throws {
    let vault = try ChangingVault()
    _ = try vault.vault.store(of: Dangling.self)
    #expect(try vault.vault.classes().first?.version == 2)
  }

  @Test(
    "values become others as the class says, and a conversion that throws refuses the upgrade",
    .covers("P2"))
  func conversions() throws {
    let vault = try ChangingVault()
    let texts = ClassDescription("Book", properties: [.init("size", String?.self)])
    try vault.insert(texts, [.text("large")], [.null], [.text("small")])
    _ = try vault.vault.store(of: Sized.self)
    #expect(
      try vault.rows("SELECT size, typeof(size) FROM Book").map { $0[0] }
        == [.integer(2), .integer(0), .integer(1)])
    let other = try ChangingVault()
    try other.insert(texts, [.text("small")], [.text("huge")])
    let error = #expect(throws: VaultError.self) { _ = try other.vault.store(of: Sized.self) }
    #expect(error?.code == .upgradeRefused)
    #expect(error?.message.contains("object 2 ") == true)
    let numbers = try ChangingVault()
    try numbers.insert(
      ClassDescription("Book", properties: [.init("size", Double.self)]), [.real(1.6)])
    _ = try numbers.vault.store(of: Sized.self)
    #expect(try numbers.rows("SELECT size FROM Book") == [[.integer(2)]])
  }

  @Test("lists become other values, and others lists, as the class says", .covers("P2"))
  func compositeConversions() throws {
    let vault = try ChangingVault()
    let before = ClassDescription(
      "Book",
      properties: [
        .init("title", String.self), .init("tags", [String]?.self), .init("notes", Int?.self),
      ])
    try vault.insert(
      before, [.text("a b"), .text("[\"x\",\"y\"]"), .integer(7)], [.text(""), .null, .null])
    _ = try vault.vault.store(of: Listed.self)
    #expect(
      try vault.rows("SELECT title, tags, notes FROM Book") == [
        [.text("[\"a\",\"b\"]"), .integer(2), .text("{\"n\":7}")],
        [.text("[]"), .integer(-1), .null],
      ])
    let wrong = try ChangingVault()
    try wrong.insert(before, [.text("a"), .text("[1]"), .null])
    #expect(code { _ = try wrong.vault.store(of: Listed.self) } == .upgradeRefused)
    #expect(try wrong.rows("SELECT tags FROM Book") == [[.text("[1]")]])
  }
}
