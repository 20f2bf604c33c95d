import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Clauses over classes", .covers("P39", "P32")) struct ClauseTypedTests {
  private typealias Room = School.Room
  private typealias Student = School.Student

  private func file() throws -> ClauseFile {
    try ClauseFile(
      "CREATE TABLE Room(name TEXT PRIMARY KEY NOT NULL, floor INTEGER)",
      "INSERT INTO Room VALUES ('1a', 1), ('2a', 2)",
      """
      CREATE TABLE Student(name TEXT, age INTEGER, note TEXT, score REAL, tags TEXT, isActive INTEGER,
      isTall INTEGER, born REAL, code TEXT, level INTEGER, fee TEXT, photo BLOB, seat INTEGER, room TEXT,
      friend INTEGER, objectID INTEGER PRIMARY KEY)
      """,
      """
      INSERT INTO Student(name, age, note, fee, level, room) VALUES ('Ann', 6, 'x', '10', 1, '2a'),
      ('Bo', 20, NULL, '9.5', 2, '1a'), ('Cy', 20, 'y', '100', 3, NULL)
      """)
  }

  @Test(
    "take conditions that the compiler checks, with the meaning they have in queries of objects")
  func conditions() throws {
    let adults = Select(from: Student.self).where { $0.age >= 18 }
    #expect(written(adults) == "SELECT * FROM Student WHERE Student.age >= ? | 18")
    #expect(
      written(adults.where { $0.age == 1 || $0.age == 2 })
        == "SELECT * FROM Student WHERE Student.age >= ? AND (Student.age = ? OR Student.age = ?) | 18, 1, 2"
    )
    let file = try file()
    func names(_ query: Select<Student>) throws -> [String] {
      try file.column(query.columns(\.name).ordered(by: \.name))
    }
    #expect(try names(adults) == ["Bo", "Cy"])
    // nil differs from every value, and decimals are numbers.
    #expect(try names(Select(from: Student.self).where { $0.note != "x" }) == ["Bo", "Cy"])
    #expect(try names(Select(from: Student.self, as: "s").where { $0.fee > 9.6 }) == ["Ann", "Cy"])
    #expect(try names(Select(from: Student.self).where { $0.level == .second }) == ["Bo"])
    #expect(try names(Select(from: Student.self).where { $0.room.floor >= 2 }) == ["Ann"])
    #expect(
      try names(
        Select().from(Student.self).where(try ObjectCondition("age > %@ && room == nil", 6)))
        == ["Cy"])
    let rooms = Select(from: Room.self, as: "r").where { !$0.students.any { $0.age < 18 } }
    #expect(try file.column(rooms.columns(\.name)) == ["1a"])
    #expect(
      try file.column(Select(from: Student.self).columns(\.name).ordered(by: \.fee.descending))
        == ["Cy", "Ann", "Bo"])
    #expect(
      try file.rows(
        Select(from: Student.self).columns(\.age).columns(SQLExpression.count).grouped(by: \.age))
        == [[.integer(6), .integer(1)], [.integer(20), .integer(2)]])
    let long = Array(1...950)
    #expect(try names(Select(from: Student.self).where { $0.age.isIn(long) }).count == 3)
  }

  @Test("join classes by members, under other names")
  func joins() throws {
    let s = ClassTable(Student.self, as: "s")
    let r = ClassTable(Room.self, as: "r")
    let query = Select(s.name, r.floor.as("floor")).from(s).join(r, on: s.room == r.name)
      .where(s.matches { $0.age > 7 || $0.note == nil } && r.floor < 9)
    #expect(
      written(query)
        == "SELECT s.name, r.floor AS floor FROM Student AS s JOIN Room AS r ON s.room = r.name "
        + "WHERE (s.age > ? OR s.note IS NULL) AND r.floor < ? | 7, 9")
    #expect(try file().column(query) == ["Bo"])
    #expect(code { try s.matches { $0.room.name == "x" }.statement.check() } == nil)
    #expect(
      code { try s.matches(ObjectCondition("nme == 'x'")).statement.check() } == .noSuchProperty)
    let error = #expect(throws: VaultError.self) {
      try s.matches(ObjectCondition("name MATCHES 'x'")).statement.check()
    }
    #expect(error?.message.contains("A clause of a statement cannot use MATCHES.") == true)
  }

  @Test("change and remove by members")
  func changes() throws {
    let update = Update(Student.self).set(\.age, to: 7).set(\.level, to: .third).set(
      \.note, to: nil
    )
    .set(\.seat, to: SQLTable("Student").age + 1).where { $0.name == "Bo" }
    #expect(
      written(update)
        == "UPDATE Student SET age = ?, level = ?, note = ?, seat = Student.age + ? "
        + "WHERE Student.name = ? | 7, 3, nil, 1, 'Bo'")
    let removal = Delete(from: Student.self).where { $0.age == 20 }.ordered(by: "name").limit(1)
    #expect(
      written(removal)
        == "DELETE FROM Student WHERE objectID IN (SELECT objectID FROM Student "
        + "WHERE Student.age = ? ORDER BY name LIMIT 1) | 20")
    let file = try file()
    try file.rows(update)
    try file.rows(removal)
    #expect(try file.column(Select(from: Student.self).columns(\.seat)) == ["NULL", "21"])
    #expect(
      written(Insert(into: Room.self).values("x", 1)) == "INSERT INTO Room VALUES (?, ?) | 'x', 1")
  }
}
