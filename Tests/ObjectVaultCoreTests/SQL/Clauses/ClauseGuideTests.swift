import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The guide's chapter on clauses") struct ClauseGuideTests {
  private typealias Room = School.Room
  private typealias Student = School.Student

  @Test("says what runs")
  func runs() throws {
    let file = try ClauseFile(
      "CREATE TABLE students(id INTEGER PRIMARY KEY, name UNIQUE, age, note, seat)",
      "CREATE TABLE marks(student, points)", "CREATE TABLE names(name)",
      "CREATE TABLE Student(name, age, note, room, fee)", "CREATE TABLE Room(name, floor)")
    let adults = Select("name", "age").from("students").where { $0.age >= 18 }
    let page = adults.ordered(by: .descending("age"), "name").limit(5).offset(3)
    print(page.statement.sql)
    print(page.statement.values)
    #expect(
      written(page) == "SELECT name, age FROM students WHERE age >= ? ORDER BY age DESC, name "
        + "LIMIT 5 OFFSET 3 | 18")
    // swift-format-ignore
    let students = SQLTable("students"), marks = SQLTable("marks", as: "m")
    let chosen = (students.age < 7 || students.note == nil) && students.name.hasPrefix("L")
    let grade = SQLCase(marks.points).when(10, then: "full").else(marks.points.cast(to: .text))
    let best = Select(students.name, marks.points.max().as("best"), grade.as("grade"))
      .from(students).leftJoin(marks, on: marks.student == students.id)
      .where(chosen).grouped(by: students.id).having(SQLExpression.count > 1)
    let none = Select("id").from("students").except(Select("student").from("marks"))
    let idle = Select("name").from("students").where(students.id.isIn(none))
    let odd = adults.where("seat % \(2) = 1")
    let grown = Select(from: Student.self).where { $0.age >= 18 && $0.note != "x" }.columns(\.name)
    // swift-format-ignore
    let s = ClassTable(Student.self, as: "s"), r = ClassTable(Room.self, as: "r")
    // swift-format-ignore
    let rooms = Select(s.name, r.floor).from(s).join(r, on: s.room == r.name).where(s.matches { $0.fee > 9 })
    let new = Insert(into: "students").columns("name", "age").values("Li", 20).values("Bo", 6)
    let one = Insert(into: "students").or(.replace).values(["name": "Li", "age": 21])
    let copied = Insert(into: "names").columns("name").select(idle)
    // swift-format-ignore
    let older = Update("students").set("age", to: students.age + 1).set(["note": "late"]).where { $0.age < 7 }
    let gone = Delete(from: "students").where { $0.age > 90 }.ordered(by: "age").limit(10)
    try file.rows(new)
    try file.rows(one)
    try file.rows(Insert(into: "marks").values(3, 10).values(3, 4))
    #expect(try file.column(adults.columns("name")) == ["Li"])
    #expect(try file.rows(best) == [[.text("Li"), .integer(10), .text("full")]])
    #expect(try file.column(idle) == ["Bo"])
    #expect(try file.column(odd) == [])
    #expect(try file.rows(grown).isEmpty && file.rows(rooms).isEmpty)
    try file.rows(copied)
    #expect(try file.column(Select().from("names")) == ["Bo"])
    try file.rows(older)
    try file.rows(gone)
    #expect(
      try file.rows(Select("age", "note").from("students").limit(1)) == [
        [.integer(7), .text("late")]
      ])
  }
}
