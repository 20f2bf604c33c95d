import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// The Swift of the guide "SQL when you need it", line by line as it stands there.
@Suite("The guide to SQL") struct SQLGuideTests {
  private struct Student: StoredObject, GeneratesObjectID, Sendable {
    var objectID: Int64?
    var name: String
    var age: Int
    var note: String?

    init(_ name: String, _ age: Int) { (self.name, self.age) = (name, age) }

    static let classDescription = ClassDescription(
      "Student",
      properties: [
        PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
        PropertyDescription("note", String?.self),
      ])
    static var propertyNames: [AnyKeyPath: String] {
      [\Self.name: "name", \Self.age: "age", \Self.note: "note"]
    }

    init(row: Row) throws {
      name = try row.value(at: 0)
      age = try row.value(at: 1)
      note = try row.value(at: 2)
      objectID = try row.value(at: 3)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(age, at: 1)
      try binder.bind(note, at: 2)
    }
  }

  private let test: TestVault
  private let vault: Vault
  private let students: ObjectStore<Student>

  init() throws {
    test = try TestVault()
    vault = test.vault
    students = try vault.store(of: Student.self)
    try students.insert(contentsOf: [
      Student("Li", 20), Student("Bob", 6), Student("Al", 20), Student("Carla", 7),
    ])
  }

  @Test("holds no line that is not here")
  func whole() throws {
    let tests = [
      "Tests/ObjectVaultCoreTests/SQL/SQLGuideTests.swift",
      "Tests/ObjectVaultCoreTests/SQL/Clauses/ClauseGuideTests.swift",
      "Tests/ObjectVaultCoreTests/SQL/Clauses/ClauseVaultTests.swift",
    ]
    #expect(try GuideSnippets.missing("Guides/SQL.md", inAnyOf: tests) == [])
    #expect(try GuideSnippets.lines(of: "Guides/SQL.md").count > 40)
  }

  private func print(_ values: Any...) {}

  @Test("says of statements what they do", .covers("P40"))
  func statements() throws {
    let (limit, chosen) = (10, "name")
    // swift-format-ignore
    do {
      let typed = "x'; DROP TABLE Student; --"
      let found = try vault.rows("SELECT * FROM \(Student.self) WHERE name = \(typed) OR age > \(limit)")
      #expect(found.count == 2)

      var statement: SQLStatement = "SELECT name FROM \(Student.self) WHERE \(column: \Student.age) >= \(18)"
      let filters: [SQLStatement] = ["name <> \("Bob")", "note IS NULL"]
      statement += " AND \(filters.joined(separator: " AND ")) ORDER BY \(name: chosen)"
      try vault.validate(statement)                                    // prepared, and not run
      print(statement.sql, statement.values.count)
      #expect(
        statement.sql == "SELECT name FROM `Student` WHERE `age` >= ? AND name <> ? AND note IS NULL ORDER BY `name`")
      #expect(statement.values == [.integer(18), .text("Bob")])
      #expect(try vault.rows(statement).map { $0[0] } == [.text("Al"), .text("Li")])
    }
  }

  @Test("says of rows what they have")
  func rows() async throws {
    try read()
    var count = 0
    func print(_ columns: Int) { count += 1 }
    for try await row in try vault.stream("SELECT * FROM \(Student.self)") { print(row.count) }
    #expect(count == 4)
  }

  private func read() throws {
    // swift-format-ignore
    do {
      let rows = try vault.rows("SELECT age, count(*) AS n FROM \(Student.self) GROUP BY age ORDER BY age")
      for row in rows { print(try row.value("age", as: Int.self), try row.value("n", as: Int.self)) }
      let first = try vault.row("SELECT * FROM \(Student.self) ORDER BY age")              // or nil
      let oldest = try vault.value("SELECT max(age) FROM \(Student.self)", as: Int?.self)  // one column
      #expect(first?["name"] == .text("Bob"))
      #expect(oldest == 20)

      struct Report: Decodable { var age: Int; var n: Int }
      let reports = try rows.map { try $0.decode(Report.self) }
      #expect(reports.map(\.n) == [1, 1, 2])
    }
  }

  @Test("says of objects what is chosen")
  func objects() throws {
    // swift-format-ignore
    do {
      let eldest = try students.objects(
        "SELECT * FROM \(Student.self) WHERE age = (SELECT max(age) FROM \(Student.self))")
      let pairs = try students.objectsWithRows(
        "SELECT s.*, f.name AS friend FROM \(Student.self) s JOIN \(Student.self) f ON f.age = s.age + 1")
      for (student, row) in pairs { print(student.name, try row.value("friend", as: String.self)) }
      let few = try students.where("note = nil").where(sql: "length(name) < \(3)").sorted(by: "name").all()
      #expect(eldest.map(\.name) == ["Li", "Al"])
      #expect(pairs.map(\.object.name) == ["Bob"])
      #expect(few.map(\.name) == ["Al", "Li"])
    }
  }

  @Test("says of writing what it does")
  func writing() throws {
    let student = 1
    // swift-format-ignore
    do {
      let changed = try vault.execute("UPDATE \(Student.self) SET age = age + 1 WHERE age < \(18)")
      try vault.execute([
        "CREATE TABLE visits (student INTEGER REFERENCES Student (objectID), day REAL)",
        "INSERT INTO visits VALUES (\(student), \(Date()))",
      ])                                                               // one transaction: all or none
      try vault.transaction {
        try vault.execute("DELETE FROM visits")
        try students.insert(Student("Bo", 9))
      }
      let kept = try vault.attempt {                                   // undone by a throw, and by false
        try vault.execute("DELETE FROM visits WHERE day < \(Date())") < 100
      }
      #expect(changed == 2 && kept)
    }
    #expect(try vault.rows("SELECT * FROM visits").isEmpty)
    #expect(try students.count() == 5)
  }
}
