import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Statements of clauses") struct ClauseStatementTests {
  private let students = SQLTable("students")
  private let names = Select("name").from("students").ordered(by: "id")
  private let courses = SQLTable("courses", as: "c")

  private func file() throws -> ClauseFile {
    let file = try ClauseFile(
      "CREATE TABLE students(id INTEGER PRIMARY KEY, name UNIQUE, age, note)",
      "CREATE TABLE courses(student, title)")
    try file.rows(
      Insert(into: "students").columns("name", "age")
        .values("Li", 20).values("Bo", 6).values("Al", 20).values("Cy", 7))
    try file.rows(
      Insert(into: "courses").columns("student", "title").values(1, "Art").values(1, "Law")
        .values(3, "Art"))
    return file
  }

  @Test("select all columns where none is chosen", .covers("P42", "P40", "P32"))
  func columns() throws {
    #expect(written(Select().from("students")) == "SELECT * FROM students")
    #expect(written(Select(from: "students")) == "SELECT * FROM students")
    #expect(written(Select("*").from("students")) == "SELECT * FROM students")
    #expect(
      written(
        Select(
          "name", students.age.as("years"), SQLResultColumn.all(of: courses),
          "\(1) + 1" as SQLStatement))
        == "SELECT name, students.age AS years, c.*, ? + 1 | 1")
    let statement = Select("name").from("students").where { $0.age >= 18 }.statement
    #expect(statement.sql == "SELECT name FROM students WHERE age >= ?")
    #expect(statement.values == [.integer(18)])
    #expect("\(Select("a").where { $0.a == "MARKER" })" == "SELECT a WHERE a = ?")
    #expect(try file().rows(Select(from: "students").limit(1))[0].count == 4)
  }

  @Test("read several tables, joined or not", .covers("P43"))
  func tables() throws {
    #expect(
      written(
        Select().from("students", "student_courses")
          .where { _ in students.id == SQLTable("student_courses").student_id })
        == "SELECT * FROM students, student_courses WHERE students.id = student_courses.student_id")
    #expect(
      written(
        Select(students.name).from(students).join(courses, on: students.id == courses.student)
          .leftJoin("rooms", using: "id", "name").crossJoin(SQLTable("days")).from("x"))
        == "SELECT students.name FROM students JOIN courses AS c ON students.id = c.student "
        + "LEFT JOIN rooms USING (id, name) CROSS JOIN days, x")
    #expect(
      written(Select().from("a").join("b", using: "x").leftJoin("c", on: .inline(1)))
        == "SELECT * FROM a JOIN b USING (x) LEFT JOIN c ON 1")
    let join = Select(students.name, courses.title).from(students)
      .leftJoin(courses, on: students.id == courses.student && courses.title == "Art")
      .ordered(by: students.id)
    #expect(
      try file().rows(join).map { "\($0[0]) \($0[1])" }.joined().filter { $0 != "\"" }
        == "text(Li) text(Art)text(Bo) nulltext(Al) text(Art)text(Cy) null")
    #expect(code { try Select().join("b", using: "x").statement.check() } == .invalidArgument)
  }

  @Test("read the results of queries, and ask them", .covers("P44"))
  func queries() throws {
    let grown = Select("name", "id").from("students").where { $0.age > 7 }
    #expect(
      written(Select().from(grown))
        == "SELECT * FROM (SELECT name, id FROM students WHERE age > ?) | 7")
    #expect(
      written(Select(from: grown.as("g")).where(SQLTable("g").name == "Li"))
        == "SELECT * FROM (SELECT name, id FROM students WHERE age > ?) AS g WHERE g.name = ? | 7, 'Li'"
    )
    let titles = Select(SQLExpression.count).from(courses).where(courses.student == students.id)
    let query = Select("name", titles.as("n")).from(students)
      .where(Select("title").from(courses).where(courses.student == students.id).exists)
      .where(SQLExpression(titles) == 2)
    #expect(
      written(query)
        == "SELECT name, (SELECT COUNT(*) FROM courses AS c WHERE c.student = students.id) AS n "
        + "FROM students WHERE EXISTS (SELECT title FROM courses AS c WHERE c.student = students.id) "
        + "AND (SELECT COUNT(*) FROM courses AS c WHERE c.student = students.id) = ? | 2")
    let file = try file()
    #expect(try file.column(query) == ["Li"])
    let without = Select("name").from("students")
      .where(Select().from(courses).where(courses.student == students.id).isEmpty)
    #expect(try file.column(without) == ["Bo", "Cy"])
    #expect(written(without).contains("WHERE NOT EXISTS (SELECT * FROM"))
    #expect(try file.column(Select("name").from(grown.as("g")).limit(1)) == ["Li"])
  }

  @Test("group, order and take a range, in whatever order it is said", .covers("P45", "P79"))
  func wholeSelect() throws {
    let query = Select("age", SQLExpression.count.as("n")).from("students")
      .limit(5).ordered(by: .descending("n")).offset(3).where { $0.age > 5 }
      .grouped(by: "age").having { $0.n >= 1 }.ordered(by: "age", students.name.ascending)
      .where { $0.name != "x" }.grouped(by: students.note).having("COUNT(*) < \(9)")
    #expect(
      written(query)
        == "SELECT age, COUNT(*) AS n FROM students WHERE age > ? AND name != ? "
        + "GROUP BY age, students.note HAVING n >= ? AND (COUNT(*) < ?) "
        + "ORDER BY n DESC, age, students.name ASC LIMIT 5 OFFSET 3 | 5, 'x', 1, 9")
    #expect(
      written(Select().from("users").where(.inline(1)).limit(5).offset(3))
        == "SELECT * FROM users WHERE 1 LIMIT 5 OFFSET 3")
    #expect(written(Select().from("t").offset(3)) == "SELECT * FROM t LIMIT -1 OFFSET 3")
    #expect(written(Select("a").from("t").distinct()) == "SELECT DISTINCT a FROM t")
    #expect(
      written(Select().from("t").ordered(by: students.name.collated(.noCase).descending))
        == "SELECT * FROM t ORDER BY students.name COLLATE NOCASE DESC")
    let file = try file()
    let counts = Select("age", SQLExpression.count.as("n")).from("students").grouped(by: "age")
      .having(.count < 2).ordered(by: .descending("age"))
    #expect(try file.column(counts) == ["7", "6"])
    #expect(
      try file.column(Select("name").from("students").ordered(by: "name").offset(2)) == [
        "Cy", "Li",
      ])
    #expect(try file.column(Select("name").from("students").limit(0)) == [])
    for wrong in [Select().from("t").limit(-1), Select().from("t").offset(-1)] {
      #expect(code { try wrong.statement.check() } == .invalidArgument)
      #expect(code { try Select().from(wrong).statement.check() } == .invalidArgument)
      #expect(code { try Select().from(wrong).union(wrong).statement.check() } == .invalidArgument)
    }
  }

  @Test("are put together with others, and are read as a whole afterwards", .covers("P32"))
  func compounds() throws {
    func ages(_ ages: Int...) -> Select<NamedColumns> {
      Select("age").from("students").where { $0.age.isIn(ages) }
    }
    let file = try file()
    #expect(
      written(ages(6).union(ages(7)).ordered(by: "age").limit(9))
        == "SELECT age FROM students WHERE age IN (?) UNION SELECT age FROM students "
        + "WHERE age IN (?) ORDER BY age LIMIT 9 | 6, 7")
    #expect(
      try file.column(ages(20).unionAll(ages(20, 6)).ordered(by: "age")) == [
        "6", "20", "20", "20", "20",
      ])
    #expect(try file.column(ages(6, 7).intersect(ages(7, 20))) == ["7"])
    #expect(try file.column(ages(6, 7).except(ages(7))) == ["6"])
    // From the left, unless the right one is put together itself.
    #expect(try file.column(ages(6).union(ages(7)).except(ages(6))) == ["7"])
    #expect(try file.column(ages(6).union(ages(6, 7).except(ages(6)))) == ["6", "7"])
    let first = ages(6, 7).ordered(by: .descending("age")).limit(1)
    #expect(try file.column(first.union(ages(20))) == ["7", "20"])
    #expect(try file.column(ages(20).union(first)) == ["7", "20"])
    #expect(
      written(first.union(ages(20)).where { $0.age > 1 })
        == "SELECT * FROM (SELECT * FROM (SELECT age FROM students WHERE age IN (?, ?) "
        + "ORDER BY age DESC LIMIT 1) AS students UNION SELECT age FROM students "
        + "WHERE age IN (?)) AS students WHERE age > ? | 6, 7, 20, 1")
    #expect(try file.column(ages(6).union(ages(7)).where(students.age > 6).columns("age")) == ["7"])
  }

  @Test("insert rows by columns, by names, and from queries", .covers("P47", "P48", "P49", "P50"))
  func inserts() throws {
    #expect(
      written(Insert(into: "users").columns("name", "age").values("Li", 20).values("Bo", 6))
        == "INSERT INTO users (name, age) VALUES (?, ?), (?, ?) | 'Li', 20, 'Bo', 6")
    #expect(
      written(Insert(into: "users").values(["name": "Li", "age": 20, "Zip": SQLExpression.null]))
        == "INSERT INTO users (Zip, age, name) VALUES (NULL, ?, ?) | 20, 'Li'")
    #expect(
      written(
        Insert(into: "users").columns("name", "age").values(["age": 1, "name": "x"]).values("y", 2))
        == "INSERT INTO users (name, age) VALUES (?, ?), (?, ?) | 'x', 1, 'y', 2")
    #expect(
      written(Insert(into: "a").columns("x").select(Select("y").from("b").where { $0.y > 1 }))
        == "INSERT INTO a (x) SELECT y FROM b WHERE y > ? | 1")
    #expect(
      written(Insert(into: "a").or(.replace).values(1, "x".sqlExpression.uppercased()))
        == "INSERT OR REPLACE INTO a VALUES (?, UPPER(?)) | 1, 'x'")
    #expect(written(Insert(into: "a").or(.ignore)) == "INSERT OR IGNORE INTO a DEFAULT VALUES")
    let file = try file()
    try file.rows(Insert(into: "students").or(.replace).values(["name": "Li", "age": 21]))
    try file.rows(Insert(into: "students").or(.ignore).values(["name": "Li", "age": 99]))
    try file.rows(Insert(into: "students"))
    try file.rows(
      Insert(into: "courses").columns("title").select(
        Select("name").from("students").where { $0.age == 21 }))
    #expect(try file.column(Select("age").from("students")) == ["6", "20", "7", "21", "NULL"])
    #expect(try file.column(Select("title").from("courses")) == ["Art", "Law", "Art", "Li"])
    let t = Insert(into: "t")
    for wrong in [
      t.columns("a"), t.columns("a").values(1, 2), t.values(1).values(1, 2), t.values(),
      t.values(["a": 1]).values(["b": 1]), t.values(1).select(Select("a")), t.values([:]),
      t.values(["a": 1]).values(["a": 1, "b": 1]),
    ] {
      #expect(code { try wrong.statement.check() } == .invalidArgument, "\(wrong)")
    }
  }

  @Test("update by values, names, expressions and texts, in their order", .covers("P50", "P51"))
  func updates() throws {
    #expect(
      written(
        Update("users").set(["name": "Li", "age": 20]).set("visits", to: students.visits + 1)
          .set("seen = \(5)").set(["a = b", "c = \(6)"]).set("d", to: nil).where { $0.id == 7 })
        == "UPDATE users SET age = ?, name = ?, visits = students.visits + ?, seen = ?, a = b, "
        + "c = ?, d = NULL WHERE id = ? | 20, 'Li', 1, 5, 6, 7")
    #expect(
      written(Update("users").or(.replace).set("name", to: "x"))
        == "UPDATE OR REPLACE users SET name = ? | 'x'")
    #expect(
      written(Update("users").set("a", to: students.b == students.c))
        == "UPDATE users SET a = students.b = students.c")
    #expect(
      written(Update("users").set("a", to: SQLExpression("1, b = 2" as SQLStatement)))
        == "UPDATE users SET a = (1, b = 2)")
    #expect(
      written(
        Update("users").set("a", to: 1).where { $0.b > 2 }.ordered(by: "c").limit(3, offset: 4))
        == "UPDATE users SET a = ? WHERE rowid IN (SELECT rowid FROM users WHERE b > ? ORDER BY c "
        + "LIMIT 3 OFFSET 4) | 1, 2")
    let file = try file()
    try file.rows(
      Update("students").set("note", to: "x").ordered(by: .descending("age"), "name").limit(1))
    try file.rows(Update("students").or(.replace).set("name", to: "Bo").where { $0.name == "Cy" })
    #expect(try file.column(Select("name").from("students").where { $0.note == "x" }) == ["Al"])
    #expect(try file.column(names) == ["Li", "Al", "Bo"])
    #expect(code { try Update("t").statement.check() } == .invalidArgument)
    #expect(
      code { try Update("t").set("a", to: 1).limit(-1).statement.check() } == .invalidArgument)
  }

  @Test("delete by condition, order and range", .covers("P52", "P79"))
  func deletes() throws {
    #expect(written(Delete(from: "users")) == "DELETE FROM users")
    #expect(written(Delete(from: "users").where(.inline(1))) == "DELETE FROM users WHERE 1")
    #expect(
      written(Delete(from: "users").where { $0.age < 7 }.where("x IS NULL"))
        == "DELETE FROM users WHERE age < ? AND (x IS NULL) | 7")
    #expect(
      written(Delete(from: "users", key: ["a", "b"]).ordered(by: "c").limit(2))
        == "DELETE FROM users WHERE (a, b) IN (SELECT a, b FROM users ORDER BY c LIMIT 2)")
    let file = try file()
    try file.rows(Delete(from: "students").where { $0.age == 20 }.ordered(by: "name").limit(1))
    #expect(try file.column(names) == ["Li", "Bo", "Cy"])
    try file.rows(Delete(from: "students").ordered(by: "id").limit(9, offset: 1))
    #expect(try file.column(Select("name").from("students")) == ["Li"])
    let keyed = try ClauseFile("CREATE TABLE k(a, b, c, PRIMARY KEY(a, b)) WITHOUT ROWID")
    try keyed.rows(Insert(into: "k").values(1, 1, 3).values(1, 2, 2).values(2, 1, 1))
    try keyed.rows(Delete(from: "k", key: ["a", "b"]).ordered(by: "c").limit(2))
    #expect(try keyed.column(Select("c").from("k")) == ["3"])
  }

  @Test("have as many values as the engine takes, and say so of more")
  func limits() throws {
    let file = try file()
    let many = Array(1...999)
    #expect(try file.column(Select("id").from("students").where { $0.id.isIn(many) }).count == 4)
    let more = Select("id").from("students").where { $0.id.isIn(many + [1000]) }
    #expect(code { try more.statement.check() } == .invalidArgument)
  }
}
