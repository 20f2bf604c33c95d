import ObjectVaultCore
import TestSupport
import Testing

@Suite("Names in clauses", .covers("P3")) struct ClauseNameTests {
  /// The words of the language, as its documentation lists them, and some that only look like one.
  static let words = """
    ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN
    BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE
    CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP
    EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN
    FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER
    INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT
    NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING
    PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING
    RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER
    UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT true False
    name column_name _x x9 text integer rowid_ count
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  static let odd = [
    "first name", "9lives", "", "a.b", "a-b", "a;b", "a'b", "a\"b", "a`b", "`", "``", "a]b", "[a]",
    "Ünïcode", "名前", "a\u{301}", "--", "/*", "*/", "?", "?1", ":x", "$x", "a$b", "x y) --", "\n",
    "*",
    "x`) VALUES (1); DROP TABLE t; --", "%", "\u{200B}", "é", "e\u{301}",
  ]

  @Test("are names wherever they stand, whatever they are", arguments: words + odd)
  func everywhere(_ name: String) throws {
    let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
    let file = try ClauseFile(
      "CREATE TABLE \(quoted)(\(quoted), other)", "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
    let column = SQLExpression.column(name)
    try file.rows(Insert(into: name).columns(name, "other").values(1, 2).values(3, 4))
    try file.rows(Insert(into: name).values([name: 5, "other": 6]))
    try file.rows(Update(name, key: [name]).set(name, to: column + 1).ordered(by: column).limit(1))
    try file.rows(Update(name).set([name: 7]).where(column == 3))
    let table = SQLTable(name, as: name)
    let query = Select(column, column.as(name), table[name], SQLResultColumn.all(of: table))
      .from(table).where { $0[name] > 0 }.grouped(by: column).having(column > 0)
      .ordered(by: SQLOrder.descending(name))
    #expect(try file.column(query) == ["7", "5", "2"])
    // Newer engines do not name the column of a result so.
    if !["true", "False"].contains(name) {
      let outer = Select(SQLTable(name)[name]).from(query.as(name)).join(
        SQLTable(name, as: "b"), using: name)
      #expect(try file.column(outer).count == 3)
    }
    try file.rows(Delete(from: name, key: [name]).ordered(by: column).limit(1))
    if name != "*" {
      #expect(try file.column(Select(name).from(name).ordered(by: name)) == ["5", "7"])
    }
    #expect(try file.column(Select("x").from("t")) == ["1"])
  }

  @Test("are never taken for a text where nothing has them", arguments: words + odd)
  func missing(_ name: String) throws {
    let file = try ClauseFile("CREATE TABLE t(a, b)", "INSERT INTO t VALUES ('\("zz")', 1)")
    for column in [SQLExpression.column(name), .column(name, of: "t")] {
      #expect(throws: (any Error).self) { try file.rows(Select(column).from("t")) }
    }
    #expect(throws: (any Error).self) {
      try file.rows(Update("t").set("b", to: 2).where(.column(name) == name))
    }
    #expect(throws: (any Error).self) { try file.rows(Select().from(name)) }
    #expect(throws: (any Error).self) {
      try file.rows(Select(SQLExpression.function("zz" + name)).from("t"))
    }
    #expect(throws: (any Error).self) {
      try file.rows(Select(SQLExpression.column("a").collated(.init("zz" + name)) == "x").from("t"))
    }
    #expect(try file.column(Select("b").from("t")) == ["1"])
  }

  @Test("stand bare where they can")
  func bare() {
    #expect(
      written(Select("name", "Age_2", "_x").from("students"))
        == "SELECT name, Age_2, _x FROM students")
    #expect(
      written(Select("order", "first name", "2nd", "tRuE").from("group"))
        == "SELECT `order`, `first name`, `2nd`, `tRuE` FROM `group`")
  }
}
