import Dispatch
import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("SQL beside the objects") struct SQLTests {
  private let test: TestVault
  private let vault: Vault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    vault = test.vault
    people = try vault.store(of: Person.self)
    try people.insert(contentsOf: [
      Person(name: "Ann", age: 30), Person(name: "Bob", age: 7, note: "b"),
      Person(name: "Cleo", age: 7),
    ])
  }

  @Test("the functions of conditions give nothing if they get too few values")
  func fewArguments() throws {
    for (name, count) in [("ov_member", 1), ("ov_member_count", 0), ("ov_has_element", 3)] {
      for given in 0...count {
        let values = Array(repeating: "0", count: given).joined(separator: ", ")
        let found = try vault.row(SQLStatement(unchecked: "SELECT \(name)(\(values))"))
        #expect([.null, .integer(0)].contains(try #require(found)[0]), "\(name) \(given)")
      }
    }
    try vault.execute(
      "CREATE TRIGGER calls AFTER INSERT ON Person BEGIN SELECT ov_member(); END")
    try people.insert(Person(name: "Dan", age: 1))
  }

  // MARK: Reading

  @Test("rows have values by name and position, in the statement's order", .covers("A43", "X49"))
  func rows() throws {
    let rows = try vault.rows(
      "SELECT age, count(*) AS n, group_concat(name) FROM \(Person.self) WHERE age < \(50) "
        + "GROUP BY age ORDER BY age")
    #expect(rows.map { $0["n"] } == [.integer(2), .integer(1)])
    #expect(try rows.map { try $0.value("AGE", as: Int.self) } == [7, 30])
    #expect(rows[0].values == [.integer(7), .integer(2), .text("Bob,Cleo")])
    #expect(rows[1][2] == .text("Ann"))
    #expect(rows[0].columnNames == ["age", "n", "group_concat(name)"])
    #expect(try vault.row("SELECT name FROM Person WHERE age > \(1000)") == nil)
    #expect(try vault.row("SELECT name FROM Person ORDER BY name")?["name"] == .text("Ann"))
  }

  @Test("a statement gives one value, of one column; no row gives nil", .covers("A22"))
  func oneValue() throws {
    #expect(try vault.value("SELECT count(*) FROM \(Person.self)", as: Int.self) == 3)
    #expect(
      try vault.value("SELECT note FROM Person WHERE name = \("Ann")", as: String?.self)
        == .some(nil))
    #expect(try vault.value("SELECT name FROM Person WHERE age = \(99)", as: String.self) == nil)
    #expect(
      code { _ = try vault.value("SELECT name, age FROM Person", as: String.self) }
        == .invalidArgument)
    #expect(code { _ = try vault.value("DELETE FROM Person", as: String.self) } == .invalidArgument)
    #expect(
      code { _ = try vault.value("SELECT note FROM Person", as: String.self) } == .invalidValue)
    #expect(try people.count() == 3)
  }

  @Test("SQL chooses objects of a class, whatever order its columns come in", .covers("A20"))
  func objects() throws {
    let children: SQLStatement =
      "SELECT objectID, note, 1 AS more, age, name FROM Person WHERE age < \(18) ORDER BY name DESC"
    let all = try people.all()
    #expect(try people.objects(children) == [all[2], all[1]])
    #expect(try people.objects("SELECT * FROM \(Person.self)") == all)
    #expect(try people.objects("SELECT * FROM Person WHERE age IN \(list: [Int]())").isEmpty)
    #expect(code { _ = try people.objects("SELECT name FROM Person") } == .notLoaded)
    #expect(code { _ = try people.objects("SELECT name FROM Person WHERE 0") } == .notLoaded)
    #expect(
      code { _ = try people.objects("SELECT objectID, note, name, 2.5 AS age FROM Person") }
        == .invalidValue)
    #expect(
      code { _ = try people.objects("SELECT objectID, note, name, NULL AS age FROM Person") }
        == .invalidValue)
    let store = try vault.store(named: "Person")
    let dynamic = try store.objects(children)
    #expect(try dynamic.map { try $0.value(of: "name") } == [.text("Cleo"), .text("Bob")])
  }

  @Test("the columns of a join are read beside the object", .covers("A48"))
  func joins() throws {
    let items = try vault.store(of: Item.self)
    try items.insert(contentsOf: [Item("Ann", price: 2.5), Item("Bob", price: 3)])
    let found = try people.objectsWithRows(
      "SELECT p.*, i.price AS cost FROM \(Person.self) p JOIN \(Item.self) i ON i.code = p.name ORDER BY cost DESC"
    )
    #expect(found.map(\.object.name) == ["Bob", "Ann"])
    #expect(try found.map { try $0.row.value("cost", as: Double.self) } == [3, 2.5])
  }

  // MARK: Writing

  @Test("a statement tells how many rows it changed", .covers("X49", "P78"))
  func execute() throws {
    #expect(try vault.execute("UPDATE \(Person.self) SET age = age + \(1) WHERE age = \(7)") == 2)
    #expect(try vault.execute("DELETE FROM Person WHERE name = \("nobody")") == 0)
    #expect(try vault.execute("SELECT * FROM Person") == 0)
    #expect(try vault.execute("CREATE TABLE log (line TEXT)") == 0)
    #expect(try vault.execute("INSERT INTO log VALUES (\("a")), (\("b"))") == 2)
    #expect(try people.all().map(\.age) == [30, 8, 8])
    let reading = try test.another(VaultConfiguration.reading)
    #expect(code { try reading.execute("DELETE FROM Person") } == .readOnly)
    #expect(code { try reading.execute([]) } == .readOnly)
    #expect(try reading.rows("SELECT 1 FROM Person").count == 3)
    #expect(try people.count() == 3)
  }

  @Test("all rows of a table without rowids are counted when they are removed", .covers("X49"))
  func withoutRowIDs() throws {
    try vault.execute("CREATE TABLE plain (name TEXT PRIMARY KEY) WITHOUT ROWID")
    let plain = try vault.store(named: "plain")
    let count = try vault.commitCount()
    let removals: [() throws -> Int] = [
      { try vault.execute("DELETE FROM plain") }, { try plain.removeAll() },
      { try plain.query.remove() },
    ]
    for remove in removals {
      try vault.execute("INSERT INTO plain VALUES ('a'), ('b')")
      #expect(try remove() == 2)
      #expect(try plain.count() == 0)
    }
    #expect(try vault.commitCount() == count + 6)
    try vault.execute("CREATE TABLE other (name TEXT PRIMARY KEY) WITHOUT ROWID")
    try vault.execute("DROP TABLE other")
    #expect(code { try vault.execute("DELETE FROM other") } == .engineRefused)
    #expect(try vault.execute("DELETE FROM Person") == 3)
  }

  @Test("many statements are one transaction: all or none", .covers("A44", "X49"))
  func batch() throws {
    let inserts = (0..<3000).map { n -> SQLStatement in
      "INSERT INTO \(Person.self) (name, age) VALUES (\("n\(n)"), \(n))"
    }
    #expect(try vault.execute(inserts) == 3000)
    #expect(try people.count() == 3003)
    #expect(try vault.execute([SQLStatement]()) == 0)
    #expect(
      code { try vault.execute(["DELETE FROM Person", "INSERT INTO Person (name) VALUES (NULL)"]) }
        == .constraint)
    #expect(
      code {
        try vault.execute([
          "DELETE FROM Person", "INSERT INTO Person (name) VALUES (\(Double.nan))",
        ])
      }
        == .invalidValue)
    #expect(try people.count() == 3003)
  }

  @Test("statements of a batch that are canonically equivalent store their own texts")
  func equivalentTexts() throws {
    try vault.execute(
      ["\u{E9}", "e\u{301}", "\u{E9}"].map {
        SQLStatement(unchecked: "INSERT INTO Person (name, age) VALUES ('\($0)', 99)")
      })
    let texts = try people.where("age == 99").sorted(by: "objectID").all().map {
      Array($0.name.utf8)
    }
    #expect(texts == [[0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xC3, 0xA9]])
  }

  @Test("statements belong to the transaction and the read scope around them", .covers("A45"))
  func transactions() throws {
    struct Undo: Error {}
    #expect(throws: Undo.self) {
      try vault.transaction {
        try vault.execute("DELETE FROM Person")
        #expect(try vault.value("SELECT count(*) FROM Person", as: Int.self) == 0)
        #expect(try people.count() == 0)
        throw Undo()
      }
    }
    #expect(try people.count() == 3)
    try vault.transaction {
      try vault.execute("DELETE FROM Person WHERE age = \(7)")
      #expect(code { try vault.execute("INSERT INTO Person (name) VALUES (NULL)") } == .constraint)
      try people.insert(Person(name: "Dora"))
    }
    #expect(try people.all().map(\.name) == ["Ann", "Dora"])
    try vault.read {
      let before = try vault.rows("SELECT 1 FROM Person")
      #expect(before.count == 2)
      let (vault, done) = (vault, DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        _ = try? vault.execute("DELETE FROM Person")
        done.signal()
      }
      done.wait()
      let after = try vault.rows("SELECT 1 FROM Person")
      #expect(after == before)
    }
    #expect(try vault.rows("SELECT 1 FROM Person").isEmpty)
  }

  @Test("a transaction is kept where its closure answers yes, and undone where no", .covers("A45"))
  func attempts() throws {
    let kept = try vault.attempt {
      try people.insert(Person(name: "Dora"))
      // Inside, too, only what said no is undone.
      let inner = try vault.attempt {
        try people.removeAll()
        return false
      }
      return try !inner && people.count() == 4
    }
    #expect(try kept && people.count() == 4)
    let undone = try vault.attempt { try vault.execute("DELETE FROM Person") == 0 }
    #expect(try !undone && people.count() == 4)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try vault.attempt {
        try people.removeAll()
        throw Failure()
      }
    }
    #expect(try people.count() == 4)
  }

  @Test("so is one that is awaited", .covers("A45"))
  func awaitedAttempts() async throws {
    let people = people
    let kept = try await onOwnThread {
      try vault.attempt {
        try people.removeAll()
        return false
      }
    }
    let left = try await people.count()
    #expect(!kept && left == 3)
    let done = try await onOwnThread { try vault.attempt { try people.removeAll() == 3 } }
    let gone = try await people.count()
    #expect(done && gone == 0)
  }

  @Test("the asynchronous forms do the same")
  func asynchronous() async throws {
    #expect(try await onOwnThread { try vault.rows("SELECT 1 FROM Person").count } == 3)
    #expect(
      try await onOwnThread { try vault.row("SELECT name FROM Person WHERE age = \(30)")?["name"] }
        == .text("Ann"))
    #expect(
      try await onOwnThread { try vault.value("SELECT max(age) FROM Person", as: Int.self) } == 30)
    #expect(
      try await onOwnThread { try vault.execute("DELETE FROM Person WHERE age = \(30)") } == 1)
    #expect(
      try await onOwnThread { try vault.execute(["DELETE FROM Person", "DELETE FROM Person"]) } == 2
    )
    try await onOwnThread { try vault.validate("SELECT 1") }
    #expect(try await onOwnThread { try people.objects("SELECT * FROM Person").isEmpty })
  }

  @Test("a long statement ends when its task is cancelled")
  func cancellation() async throws {
    let vault = vault
    let task = Task<Void, any Error> {
      _ = try await vault.read {
        try vault.rows(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
      }
    }
    task.cancel()
    #expect(try await code(of: task) == .cancelled)
    #expect(try await onOwnThread { try vault.value("SELECT 1", as: Int.self) } == 1)
  }

  @Test("a statement is checked without being run", .covers("P41"))
  func validate() throws {
    try vault.validate("DELETE FROM Person WHERE age = \(7)")
    #expect(try people.count() == 3)
    #expect(code { try vault.validate("DELETE FRM Person") } == .engineRefused)
    #expect(code { try vault.validate("SELECT \(name: "no such") FROM Person") } == .engineRefused)
    #expect(code { try vault.validate("SELECT 1 FROM nowhere") } == .engineRefused)
    #expect(code { try vault.validate("SELECT ?") } == .invalidArgument)
    #expect(code { try vault.validate("PRAGMA key = 'x'") } == .invalidArgument)
    try test.another(VaultConfiguration.reading).validate("DELETE FROM Person")
  }

  // MARK: Streams

  @Test("rows come in batches, in memory that does not grow with their number")
  func stream() async throws {
    let numbers: SQLStatement =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(100_000)) SELECT i FROM n"
    var sum: Int64 = 0
    for try await row in try vault.stream(numbers) {
      if case .integer(let number)? = row[0] { sum += number }
    }
    #expect(sum == 5_000_050_000)
    // Without end: what is not asked for is not read.
    let endless: SQLStatement =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    var first: [SQLRow] = []
    for try await row in try vault.stream(endless, batchSize: 3) {
      first.append(row)
      if first.count == 5 { break }
    }
    #expect(first.map { $0[0] } == (1...5).map { .integer($0) })
    #expect(code { _ = try vault.stream(endless, batchSize: 0) } == .invalidArgument)
    var names = 0
    for try await _ in try vault.stream("SELECT name FROM Person", batchSize: .max) { names += 1 }
    #expect(names == 3)
    let ours = vault
    for (statement, expected) in [
      ("DELETE FROM Person", .invalidArgument), ("SELECT", .engineRefused),
      ("SELECT \(Double.nan)", .invalidValue),
    ] as [(SQLStatement, VaultError.Code)] {
      let task = Task<Void, any Error> { for try await _ in try ours.stream(statement) {} }
      #expect(try await code(of: task) == expected)
    }
    let task = Task<Void, any Error> {
      for try await _ in try ours.stream(endless) { withUnsafeCurrentTask { $0?.cancel() } }
    }
    #expect(try await code(of: task) == .cancelled)
    #expect(try await people.count() == 3)
  }

  // MARK: Observers, schema and end

  @Test("what SQL writes reaches those who observe, and foreign keys hold")
  func observing() async throws {
    var lists = people.where("age > 10").observe().makeAsyncIterator()
    #expect(try await lists.next()?.map(\.name) == ["Ann"])
    try await onOwnThread {
      try vault.execute("UPDATE Person SET age = \(50) WHERE name = \("Bob")")
    }
    #expect(try await lists.next()?.map(\.name) == ["Ann", "Bob"])
    try await onOwnThread {
      try vault.execute([
        "CREATE TABLE tag (person INTEGER REFERENCES Person(objectID))",
        "INSERT INTO tag SELECT max(objectID) FROM Person",
      ])
    }
    #expect(code { try vault.execute("INSERT INTO tag VALUES (\(999))") } == .danglingReference)
    #expect(code { try vault.execute("DELETE FROM Person") } == .danglingReference)
  }

  @Test("commits by SQL are counted")
  func counted() throws {
    let before = try vault.commitCount()
    try vault.execute("DELETE FROM Person")
    #expect(try vault.commitCount() == before + 1)
  }

  @Test("commits by SQL are counted also if they change only the schema or a setting")
  func countedSchema() throws {
    try vault.execute(["CREATE TABLE visits (a)", "INSERT INTO visits VALUES (1)"])
    var count = try vault.commitCount()
    let changes: [SQLStatement] = [
      "CREATE TABLE rooms (a)", "CREATE INDEX visited ON visits (a)",
      "ALTER TABLE rooms ADD COLUMN b", "CREATE VIEW seen AS SELECT a FROM visits",
      "CREATE TRIGGER t AFTER INSERT ON visits BEGIN SELECT 1; END", "ANALYZE", "ANALYZE",
      "REINDEX visited", "PRAGMA user_version = 7", "PRAGMA USER_VERSION(8)", "DROP TABLE visits",
    ]
    for change in changes {
      #expect(try vault.execute(change) == 0, "\(change.sql)")
      count += 1
      #expect(try vault.commitCount() == count, "\(change.sql)")
    }
    #expect(try vault.value("PRAGMA user_version", as: Int.self) == 8)
    // Nothing remains of these.
    try vault.transaction {
      _ = try vault.attempt {
        try vault.execute(["CREATE TABLE gone (a)", "PRAGMA user_version = 9"])
        return false
      }
    }
    #expect(try vault.commitCount() == count)
    // Tables and rows together are one commit.
    try vault.execute(["CREATE TABLE more (a)", "INSERT INTO more VALUES (1)"])
    #expect(try vault.commitCount() == count + 1)
  }

  @Test("a store of a table that SQL dropped says so, and a new one makes it again")
  func dropping() throws {
    try vault.execute("ALTER TABLE Person ADD COLUMN extra")
    #expect(try people.count() == 3)
    #expect(code { try vault.execute("ALTER TABLE Person RENAME TO Other") } == .invalidArgument)
    #expect(try people.count() == 3)
    try vault.execute("DROP TABLE person")
    #expect(code { _ = try people.count() } == .invalidated)
    #expect(try vault.classes().isEmpty)
    #expect(try vault.store(of: Person.self).count() == 0)
    try vault.execute("CREATE TABLE plain (id INTEGER PRIMARY KEY, t)")
    let plain = try vault.store(named: "plain")
    #expect(try plain.count() == 0)
    try vault.execute("ALTER TABLE plain RENAME TO other")
    #expect(code { _ = try plain.count() } == .invalidated)
    #expect(try vault.store(named: "other").count() == 0)
  }

  @Test("a table or an index can be made again after SQL dropped it") func madeAgain() throws {
    for (kind, rest) in [("TABLE", "(id INTEGER PRIMARY KEY)"), ("INDEX", "ON Person (name)")] {
      try vault.execute(SQLStatement(unchecked: "CREATE \(kind) again \(rest)"))
      // The connection that reads knows it now.
      _ = try vault.rows("SELECT count(*) FROM Person")
      try vault.execute(SQLStatement(unchecked: "DROP \(kind) again"))
      let again = SQLStatement(unchecked: "CREATE \(kind) again \(rest)")
      try vault.validate(again)
      try vault.execute(again)
      #expect(throws: (any Error).self) { try vault.execute(again) }
      try vault.execute(SQLStatement(unchecked: "DROP \(kind) again"))
    }
  }

  @Test("after the vault is closed nothing runs, and rows stay what they were")
  func closed() throws {
    let row = try #require(try vault.row("SELECT name FROM Person"))
    vault.close()
    #expect(code { _ = try vault.rows("SELECT 1") } == .closed)
    #expect(code { try vault.execute("SELECT 1") } == .closed)
    #expect(code { try vault.validate("SELECT 1") } == .closed)
    #expect(try row.value("name", as: String.self) == "Ann")
  }

  // MARK: Conditions

  @Test("a condition written as SQL stands beside the others, its values bound", .covers("J32"))
  func fragments() throws {
    let marked = people.where(sql: "age < \(18) --\u{301}").sorted(by: .descending("name"))
    #expect(try marked.range(length: 1).all().map(\.name) == ["Cleo"])
    let children = people.where("name != %@", "Cleo").where(sql: "age < \(18) -- young")
    #expect(try children.all().map(\.name) == ["Bob"])
    #expect(try children.count() == 1)
    #expect(
      try people.where(sql: "age = 7 OR age = \(30)").where("note = nil").sorted(by: "name").all()
        .map(\.name) == ["Ann", "Cleo"])
    #expect(try people.where("age > 0").and(people.where(sql: "name > \("B")")).count() == 2)
    #expect(try people.where(sql: "name = \("x' OR 1 --")").count() == 0)
    #expect(code { try people.where(sql: "agee < \(18)").validate() } == .engineRefused)
    #expect(code { try people.where(sql: "`agee` < \(18)").validate() } == .engineRefused)
    #expect(code { try people.where(sql: "age < ?").validate() } == .invalidArgument)
    // Numbers and names would count the values of the whole statement.
    for parameter in ["?1", ":age", "@age", "$age"] {
      let young = SQLStatement(unchecked: "age < \(parameter)", values: [.integer(18)])
      #expect(
        code { try people.where(sql: young).validate() } == .invalidArgument, "\(parameter)")
    }
    let quoted = SQLStatement(unchecked: "name <> '?1' AND age < ? -- :age", values: [.integer(18)])
    #expect(try people.where("name != %@", "Bob").where(sql: quoted).count() == 1)
    #expect(
      code { try people.where(sql: "1); DELETE FROM Person; --").validate() } == .invalidArgument)
    #expect(
      code { try people.where(sql: "age IN \(list: Array(0..<501))").validate() }
        == .invalidArgument)
    #expect(code { try people.where(sql: "age = 7").not().validate() } == .invalidArgument)
    #expect(
      code { try people.where("age = 7").or(people.where(sql: "1")).validate() } == .invalidArgument
    )
    #expect(try people.where(sql: "age = \(7)").remove() == 2)
    #expect(try people.all().map(\.name) == ["Ann"])
  }
}

extension VaultConfiguration {
  /// For reading only.
  fileprivate static var reading: VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    return configuration
  }
}
