import Foundation
import ObjectVaultCore
@testable import ObjectVaultSession
@testable import ObjectVaultFile
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

@Suite("The number of commits")
struct CommitCounterTests {
  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.raw([UInt8](repeating: 3, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  private func open(isReadOnly: Bool = false) throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.isReadOnly = isReadOnly
    return try Vault(at: path, key: key, configuration: configuration)
  }

  private struct Failure: Error {}

  @Test("is raised by one by every kind of write, and by nothing else")
  func everyKind() throws {
    let vault = try open()
    let people = try vault.store(of: Person.self)
    try people.insert(contentsOf: (0..<20).map { Person(name: "person \($0)", age: $0) })
    let first = try vault.commitCount()
    #expect(first == 1)
    var expected = first
    func expect(_ raise: Int, _ what: Comment, _ body: () throws -> Void) throws {
      try? body()
      expected += raise
      #expect(try vault.commitCount() == expected, what)
    }
    var li = Person(name: "Li", age: 20)
    try expect(1, "insert") { try people.insert(assigningIDTo: &li) }
    try expect(1, "insert several") {
      try people.insert(contentsOf: [Person(name: "a"), Person(name: "b")])
    }
    try expect(1, "update") {
      li.age = 21
      try people.update(li)
    }
    try expect(1, "update of some") { try people.update(li, only: "age") }
    try expect(1, "save") { try people.save(li) }
    try expect(1, "replace") { try people.replace(li) }
    try expect(1, "changed objectID") {
      try people.changeID(of: try #require(li.objectID), to: 500)
    }
    try expect(1, "remove") { try people.remove(id: 500) }
    try expect(1, "remove by condition") { try people.where("age < 3").remove() }
    try expect(1, "remove by a long list") {
      try people.where("age IN %@", (3...1500).map { $0 }).remove()
    }
    try expect(0, "remove of nothing") { try people.where("age == 999").remove() }
    try expect(1, "new class") { _ = try vault.store(of: Item.self) }
    try expect(0, "class that is there") { _ = try vault.store(of: Item.self) }
    try expect(1, "transaction") {
      try vault.transaction {
        try people.insert(Person(name: "c"))
        try vault.transaction { try people.insert(Person(name: "d")) }
        try people.insert(Person(name: "e"))
      }
    }
    try expect(0, "transaction rolled back") {
      try vault.transaction {
        try people.insert(Person(name: "f"))
        throw Failure()
      }
    }
    try expect(0, "transaction of which all was undone to a savepoint") {
      try vault.transaction {
        try? vault.transaction {
          try people.insert(Person(name: "g"))
          throw Failure()
        }
      }
    }
    try expect(1, "transaction of which a part was undone to a savepoint") {
      try vault.transaction {
        try? vault.transaction {
          try people.insert(Person(name: "h"))
          throw Failure()
        }
        try people.insert(Person(name: "i"))
      }
    }
    try expect(0, "transaction that only reads, with a temporary table") {
      try vault.transaction {
        _ = try people.where("age IN %@", (0...1500).map { $0 }).count()
      }
    }
    try expect(0, "refused insert") { try people.changeID(of: 1, to: 2) }
    try expect(0, "reading") {
      _ = try people.all()
      try vault.read { _ = try people.count() }
    }
    try expect(1, "all removed") { try people.removeAll() }
    try expect(1, "store removed") { try vault.removeStore(of: Person.self) }
  }

  @Test("is raised by who opened the file before anybody counted, handle or process")
  func otherConnection() throws {
    let vault = try open()
    let people = try vault.store(of: Person.self)
    try people.insert(contentsOf: (0..<5).map { Person(name: "p", age: $0) })
    // Its statements are compiled, and it knows that nobody counts.
    for number in 0..<3 { try people.insert(Person(name: "warm", age: number)) }
    try elsewhere { other, stack in
      try stack.begin(on: other)
      try CommitCounter.begin(on: other)
      _ = try stack.commit(on: other)
      try people.insert(Person(name: "counted"))
      #expect(try vault.commitCount() == 2)
      try people.insert(Person(name: "counted"))
      try vault.transaction { try people.insert(Person(name: "counted")) }
      #expect(try vault.commitCount() == 4)
      #expect(try people.count() == 11)
      // And the other one goes on where this one stopped.
      try stack.begin(on: other)
      try other.execute("DELETE FROM Person WHERE age = 1")
      _ = try stack.commit(on: other)
      #expect(try vault.commitCount() == 5)
    }
  }

  @Test(
    "is raised by the first statement after another process began to count, if it writes no row",
    arguments: [
      "CREATE TABLE rooms (a)", "ALTER TABLE visits ADD COLUMN b", "DROP TABLE visits", "ANALYZE",
      "REINDEX visits", "PRAGMA user_version = 7",
    ] as [SQLStatement])
  func otherConnectionBeforeSchema(statement: SQLStatement) throws {
    let vault = try open()
    _ = try vault.store(of: Person.self)
    try vault.execute(["CREATE TABLE visits (a UNIQUE)", "INSERT INTO visits VALUES (1)"])
    // Creates the tables of statistics. The connection knows then that no one counts.
    try vault.execute("ANALYZE")
    try elsewhere { other, stack in
      try stack.begin(on: other)
      try CommitCounter.begin(on: other)
      _ = try stack.commit(on: other)
    }
    try vault.execute(statement)
    #expect(try vault.commitCount() == 2)
  }

  /// Calls `body` with a connection of its own, as another process has it.
  private func elsewhere(_ body: (Session, inout TransactionStack) throws -> Void) throws {
    let held = try HeldFile.acquire(path, readOnly: true, creating: false).file
    defer { held.release() }
    let other = Session(
      try FileEncryption(
        examining: path, held: held, key: key.resolve(), recogniser: FormatRecogniser()
      ).connect(path, .readWrite))
    var stack = TransactionStack()
    stack.hooks = [CommitCounterHook()]
    try body(other, &stack)
    try other.engine.close()
  }

  @Test("costs a file without it nothing but the first look")
  func uncounted() throws {
    let vault = try open()
    let people = try vault.store(of: Person.self)
    for _ in 0..<3 { try people.insert(Person(name: "warm")) }
    let statements = Locked<[String]>([])
    try vault.file().withWriter { connection in
      connection.engine.trace = { text in statements.withLock { $0.append(text) } }
    }
    for _ in 0..<3 { try people.insert(Person(name: "measured")) }
    let texts = statements.withLock { $0 }
    #expect(texts.count { $0.hasPrefix("INSERT OR ABORT INTO") } == 3, "\(texts)")
    #expect(!texts.contains { $0.contains("objectvault_info") }, "\(texts)")
  }

  @Test("tells a file that was put back from an older copy")
  func olderCopy() throws {
    let vault = try open()
    let people = try vault.store(of: Person.self)
    _ = try vault.commitCount()
    try people.insert(Person(name: "early"))
    vault.close()
    let copy = try bytes(path)
    let again = try open()
    try again.store(of: Person.self).insert(Person(name: "late"))
    let count = try again.commitCount()
    #expect(try again.verify(expectingCommitCount: count).isSound)
    again.close()
    let file = try DatabaseFile(at: path, key: key)
    #expect(try file.verify(expectingCommitCount: count).isSound)
    #expect(try file.verify(expectingCommitCount: count - 1).isSound)

    try write(copy, to: path)
    let report = try file.verify(expectingCommitCount: count)
    #expect(report.commitCounter == count - 1)
    #expect(report.isOlderCopy)
    #expect(!report.isSound)
    #expect(report.badPages.isEmpty)
    #expect(try file.verify().isSound)
  }

  @Test("goes with the file through a rekey and a backup")
  func copies() throws {
    let vault = try open()
    _ = try vault.store(of: Person.self)
    _ = try vault.commitCount()
    let count = try vault.commitCount()
    try vault.rekey(to: key)
    #expect(try vault.commitCount() == count)
    try vault.store(of: Person.self).insert(Person(name: "after"))
    #expect(try vault.commitCount() == count + 1)
    try vault.backup(to: folder.file("copy.vault"))
    let copy = try DatabaseFile(at: folder.file("copy.vault"), key: key)
    #expect(try copy.verify().commitCounter == count + 1)
  }

  @Test("is refused inside a transaction, for another program's file, and to who may only read")
  func refusals() throws {
    let vault = try open()
    try vault.open()
    try vault.transaction { #expect(code { _ = try vault.commitCount() } == .invalidArgument) }
    let reader = try open(isReadOnly: true)
    #expect(code { _ = try reader.commitCount() } == .readOnly)
    #expect(try vault.commitCount() == 1)
    #expect(try reader.commitCount() == 1)

    let foreign = folder.file("foreign.db")
    _ = try CipherShell.run(
      foreign, ["PRAGMA key='\(passphrase)';", "CREATE TABLE t(id INTEGER PRIMARY KEY);"])
    let other = try Vault(at: foreign, key: .passphrase(passphrase))
    #expect(code { _ = try other.commitCount() } == .invalidArgument)
    // Which it can write all the same.
    let rows = try other.store(named: "t")
    var row = try DynamicObject(of: rows.classDescription)
    for number in 1...3 {
      try row.set("id", to: .integer(Int64(number)))
      try rows.insert(row)
    }
    #expect(try rows.count() == 3)
  }

  @Test("is raised although the engine's count of changed rows begins again at its lowest number")
  func wrappedCount() {
    let (last, lowest) = (Int(Int32.max), Int(Int32.min))
    var tally = ChangeTally()
    tally.begin(at: last - 1, isNested: false)
    #expect(!tally.hasChanges(at: last - 1))
    #expect(tally.hasChanges(at: lowest + 3))
    tally.begin(at: last - 1, isNested: true)
    tally.undo(at: lowest + 3)
    #expect(!tally.hasChanges(at: lowest + 3))
    tally.begin(at: lowest + 3, isNested: true)
    tally.keep()
    #expect(tally.hasChanges(at: lowest + 4))
  }
}
