import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Expressions of clauses") struct ClauseExpressionTests {
  private let col1 = SQLExpression.column("col1")
  private let col2 = SQLExpression.column("col2")

  @Test("take functions, with whole numbers written out or values bound", .covers("P33", "P46"))
  func functions() {
    #expect(
      written(.function("substr", .column("column_name"), .inline(5)))
        == "SUBSTR(column_name, 5)")
    #expect(written(.function("substr", col1, 5)) == "SUBSTR(col1, ?) | 5")
    #expect(written(.function("random")) == "RANDOM()")
    #expect(written(.count) == "COUNT(*)")
    #expect(written(col1.count()) == "COUNT(col1)")
    #expect(written(col1.count(distinct: true)) == "COUNT(DISTINCT col1)")
    #expect(written(col1.sum() + col2.average()) == "SUM(col1) + AVG(col2)")
    #expect(written(col1.max() - col2.min()) == "MAX(col1) - MIN(col2)")
    #expect(written(col1.uppercased()) == "UPPER(col1)")
    #expect(written(col1.lowercased()) == "LOWER(col1)")
    #expect(written(col1.absolute() > col2.length()) == "ABS(col1) > LENGTH(col2)")
    #expect(written(col1.trimmed()) == "TRIM(col1)")
    #expect(written(col1.total()) == "TOTAL(col1)")
    #expect(written(col1.rounded()) == "ROUND(col1, 0)")
    #expect(written(col1.ifNull("x")) == "IFNULL(col1, ?) | 'x'")
    #expect(written(col1.substring(from: 2)) == "SUBSTR(col1, ?) | 2")
    #expect(written(col1.substring(from: 2, length: col2)) == "SUBSTR(col1, ?, col2) | 2")
    #expect(written(col1.replacing("a", with: "b")) == "REPLACE(col1, ?, ?) | 'a', 'b'")
    #expect(written(col1.joined(separator: "; ")) == "GROUP_CONCAT(col1, ?) | '; '")
    #expect(written((col1 + 1).cast(to: .text)) == "CAST(col1 + ? AS TEXT) | 1")
    #expect(written(.function("f\" (", .null)) == "`F\" (`(NULL)")
  }

  @Test("work on bits, which bind looser than sums and tighter than comparisons", .covers("P37"))
  func bits() {
    #expect(written(col1 & 4) == "col1 & ? | 4")
    #expect(written((col1 & 4) != 0) == "col1 & ? != ? | 4, 0")
    #expect(written((col1 | col2) & 1) == "col1 | col2 & ? | 1")
    #expect(written((col1 + 1) << (col2 - 1)) == "col1 + ? << col2 - ? | 1, 1")
    #expect(written((col1 << 1) + 1) == "(col1 << ?) + ? | 1, 1")
    #expect(written(col1 < (col2 >> 1)) == "col1 < col2 >> ? | 1")
    #expect(written(col1 & (col2 | 1)) == "col1 & (col2 | ?) | 1")
    #expect(written(~col1 >> 2) == "~col1 >> ? | 2")
    #expect(written(~(col1 + col2)) == "~(col1 + col2)")
    #expect(written(~(~col1)) == "~~col1")
    #expect(written(~(-col1)) == "~-col1")
    #expect(written(-(~col1)) == "-~col1")
    #expect(written((col1 & col2).concatenated(with: "x")) == "(col1 & col2) || ? | 'x'")
  }

  @Test("put parentheses where they are needed, and nowhere else", .covers("P34", "P32"))
  func parentheses() {
    let either = col1 != 1 || col1 != 2
    let both = col2 == 3 || col2 > 4
    #expect(
      written(either && both)
        == "(col1 != ? OR col1 != ?) AND (col2 = ? OR col2 > ?) | 1, 2, 3, 4")
    #expect(written(col1 == 1 && col2 == 2 && either).hasPrefix("col1 = ? AND col2 = ? AND ("))
    #expect(written(col1 == 1 || (col2 == 2 && either)).hasPrefix("col1 = ? OR col2 = ? AND ("))
    #expect(written(!(col1 == 1)) == "NOT col1 = ? | 1")
    #expect(written(!(col1 == 1) && col2 == 2) == "NOT col1 = ? AND col2 = ? | 1, 2")
    #expect(written(!(col1 == 1 && col2 == 2)) == "NOT (col1 = ? AND col2 = ?) | 1, 2")
    #expect(written((col1 + 1) * 2) == "(col1 + ?) * ? | 1, 2")
    #expect(written(col1 - (col2 - 1)) == "col1 - (col2 - ?) | 1")
    #expect(written(col1 - col2 - 1) == "col1 - col2 - ? | 1")
    #expect(written(-(-col1)) == "-(-col1)")
    #expect(written(col1 - SQLExpression.inline(-2)) == "col1 - -2")
    #expect(written(-SQLExpression.inline(-2)) == "-(-2)")
    #expect(written(-SQLExpression.inline(0)) == "-0")
    #expect(written((col1 < 1).isNull) == "col1 < ? IS NULL | 1")
    #expect(written((col1 == 1) < 2) == "(col1 = ?) < ? | 1, 2")
    #expect(written(col1 == (col2 == 1)) == "col1 = (col2 = ?) | 1")
    #expect(written(col1.is(!col2)) == "col1 IS (NOT col2)")
    #expect(
      written(col1.concatenated(with: col2).collated(.noCase) == "x")
        == "(col1 || col2) COLLATE NOCASE = ? | 'x'")
    #expect(
      written(col1.concatenated(with: col2.collated(.noCase))) == "col1 || col2 COLLATE NOCASE")
    #expect(
      written(col1.isBetween(1, and: col2 == 1)) == "col1 BETWEEN ? AND (col2 = ?) | 1, 1")
    #expect(
      written(.all(of: [col1 == 1, either, col2 == 2]))
        == "col1 = ? AND (col1 != ? OR col1 != ?) AND col2 = ? | 1, 1, 2, 2")
    #expect(written(.any(of: [])) == "0" && written(.all(of: [])) == "1")
  }

  @Test("ask for members of lists and queries, and of an empty list", .covers("P35"))
  func lists() throws {
    #expect(written(col1.isIn([1, 2, 3])) == "col1 IN (?, ?, ?) | 1, 2, 3")
    #expect(written(col1.isNotIn([1])) == "col1 NOT IN (?) | 1")
    #expect(written(col1.isIn([Int]())) == "col1 IN ()")
    let query = Select("id").from("t").where { $0.n > 5 }
    #expect(written(col1.isIn(query)) == "col1 IN (SELECT id FROM t WHERE n > ?) | 5")
    #expect(written(col1.isNotIn(query)) == "col1 NOT IN (SELECT id FROM t WHERE n > ?) | 5")
    #expect(written(col1.isIn("SELECT \(7)")) == "col1 IN (SELECT ?) | 7")
    #expect(written(col1.isIn("\(list: [7, 8])")) == "col1 IN (? , ?) | 7, 8")
    #expect(written(col1.isIn("(1), (2)")) == "col1 IN ((1), (2))")
    let file = try ClauseFile(
      "CREATE TABLE t(id, n)", "INSERT INTO t VALUES (1, 4), (2, 6), (NULL, 7)")
    let t = SQLTable("t")
    func ids(_ condition: SQLExpression) throws -> [String] {
      try file.column(Select("n").from(t).where(condition))
    }
    #expect(try ids(t.id.isIn([Int]())) == [])
    #expect(try ids(t.id.isNotIn([Int]())) == ["4", "6", "7"])
    #expect(try ids(t.id.isIn("\(list: [Int]())")) == [])
    #expect(try ids(t.id.isIn([2, 3])) == ["6"])
    #expect(try ids(t.id.isIn(Select("id").from("t").where { $0.n > 5 })) == ["6"])
  }

  @Test("choose between values", .covers("P36"))
  func choices() throws {
    let byValue = SQLCase(SQLExpression.column("col")).when(1, then: "one").when(2, then: "two")
    #expect(
      written(byValue.else("many").sqlExpression)
        == "CASE col WHEN ? THEN ? WHEN ? THEN ? ELSE ? END | 1, 'one', 2, 'two', 'many'")
    #expect(
      written(byValue.sqlExpression)
        == "CASE col WHEN ? THEN ? WHEN ? THEN ? END | 1, 'one', 2, 'two'")
    // A comparison is an expression here, not an answer of Swift.
    let searched = SQLCase().when(col1 == col2, then: col1).else(col2 + 1)
    #expect(
      written(searched.sqlExpression) == "CASE WHEN col1 = col2 THEN col1 ELSE col2 + ? END | 1")
    #expect(
      written(Select(searched.as("x")).ordered(by: searched))
        == "SELECT CASE WHEN col1 = col2 THEN col1 ELSE col2 + ? END AS x "
        + "ORDER BY CASE WHEN col1 = col2 THEN col1 ELSE col2 + ? END | 1, 1")
    #expect(
      code { try SQLCase(col1).else(1).sqlExpression.statement.check() } == .invalidArgument)
  }

  @Test("compare with values and with nil", .covers("P37"))
  func comparisons() {
    let (some, none): (Int?, Int?) = (1, nil)
    #expect(written(col1 == some && col1 != none) == "col1 IS ? AND col1 IS NOT ? | 1, nil")
    #expect(
      written(SQLExpression.value(none) == col1 && SQLExpression.value(none) != col1)
        == "? IS col1 AND ? IS NOT col1 | nil, nil")
    #expect(written(SQLExpression.value(1) == col1) == "? = col1 | 1")
    #expect(written(col1 == nil && col2 != nil) == "col1 IS NULL AND col2 IS NOT NULL")
    #expect(written(col1 < 1 || col1 <= 2.5) == "col1 < ? OR col1 <= ? | 1, 2.5")
    #expect(written(col1 > "a" || col1 >= true) == "col1 > ? OR col1 >= ? | 'a', 1")
    #expect(written(col1.isNot(col2)) == "col1 IS NOT col2")
    #expect(written(col1.isNotBetween(1, and: 2)) == "col1 NOT BETWEEN ? AND ? | 1, 2")
    #expect(written(col1.like("alex%")) == "col1 LIKE ? | 'alex%'")
    #expect(written(col1.notLike("a!%", escape: "!")) == "col1 NOT LIKE ? ESCAPE '!' | 'a!%'")
    #expect(written(col1.like("a", escape: "'")) == "col1 LIKE ? ESCAPE '''' | 'a'")
    #expect(written(col1.hasPrefix("5%_\\")) == "col1 LIKE ? ESCAPE '\\' | '5\\%\\_\\\\%'")
    #expect(written(col1.hasSuffix("x")) == "col1 LIKE ? ESCAPE '\\' | '%x'")
    #expect(written(col1.contains("x")) == "col1 LIKE ? ESCAPE '\\' | '%x%'")
    #expect(code { try col1.like("a", escape: "👩‍👧").statement.check() } == .invalidArgument)
  }

  @Test("take texts with values, and close them against what stands around")
  func texts() throws {
    let raw: SQLStatement = "a = \(1) OR b = \(2)"
    #expect(written(SQLExpression(raw)) == "a = ? OR b = ? | 1, 2")
    #expect(written(SQLExpression(raw) && col1 == 3) == "(a = ? OR b = ?) AND col1 = ? | 1, 2, 3")
    #expect(written(col1 == raw) == "col1 = (a = ? OR b = ?) | 1, 2")
    #expect(written(col1 == 3 && "x > \(4)") == "col1 = ? AND (x > ?) | 3, 4")
    #expect(written(col1 == 3 || "x -- y") == "col1 = ? OR (x) | 3")
    #expect(
      written("\(col1 + 1) * \(Select("n").from("t"))" as SQLStatement)
        == "(col1 + ?) * (SELECT n FROM t) | 1")
    for text: SQLStatement in ["a) OR (1", "a OR (b", "a) --", ")("] {
      #expect(code { try (col1 == 1 && text).statement.check() } == .invalidArgument)
    }
    // Parentheses in texts and names do not count.
    let quoted = col1 == 1 && "x = ')' OR \(name: "(") IS NULL"
    try quoted.statement.check()
  }

  @Test("are values: equal where text and values are, and shown without values")
  func values() throws {
    #expect((col1 == 1) as SQLExpression != (col1 == 2) as SQLExpression)
    #expect(Set([col1 == 1, col1 == 1, col1 == 2] as [SQLExpression]).count == 2)
    #expect("\(col1 == "MARKER")" == "col1 = ?")
    var dumped = ""
    dump(Select("a").from("t").where { $0.a == "MARKER" }, to: &dumped)
    dump(Insert(into: "t").values("MARKER"), to: &dumped)
    dump(Update("t").set("a", to: "MARKER").where { $0.a == "MARKER" }, to: &dumped)
    dump(Delete(from: "t").where { $0.a == "MARKER" }, to: &dumped)
    dump(SQLCase(col1).when("MARKER", then: "MARKER"), to: &dumped)
    #expect(!dumped.contains("MARKER") && dumped.contains("a = ?"))
    #expect(code { try (col1 == Double.nan).statement.check() } == .invalidValue)
    #expect(code { try (col1 == UInt64.max).statement.check() } == .invalidValue)
  }
}
