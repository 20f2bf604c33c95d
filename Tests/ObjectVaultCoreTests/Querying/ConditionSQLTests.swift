import ConditionReference
import Foundation
import ObjectVaultStores
import ObjectVaultSchema
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("The SQL of one condition", .covers("S32", "X34", "P35", "P38")) struct ConditionSQLTests {
  let table = GeneratedTable()
  let checker: ConditionChecker

  init() { checker = ConditionChecker(schema: table, folding: .standard) }

  private func sql(_ text: String, _ arguments: ConditionArgument...) throws -> ConditionSQL {
    let resolved = try checker.resolve(
      try Condition.parse(text), arguments: arguments, text: text)
    return try ConditionSQL(
      resolved, of: QueriedTable(name: "t", columns: table.columns, dialect: SQLiteDialect()))
  }

  @Test(
    "says what was asked with nothing but parameters",
    arguments: [
      ("int > 18", "t.\"int\" > ?"), ("!(int > 18)", "t.\"int\" <= ?"),
      ("int != 1", "t.\"int\" <> ?"),
      (
        "`int or \"nil\"` != 1",
        "(t.\"int or \"\"nil\"\"\" IS NULL OR t.\"int or \"\"nil\"\"\" <> ?)"
      ),
      (
        "!(`int or \"nil\"` < 1)",
        "(t.\"int or \"\"nil\"\"\" IS NULL OR t.\"int or \"\"nil\"\"\" >= ?)"
      ),
      ("int == nil", "t.\"int\" IS NULL"), ("int != nil", "t.\"int\" IS NOT NULL"),
      ("bool && (int == 1 || int == 2)", "(t.\"bool\" = ? AND (t.\"int\" = ? OR t.\"int\" = ?))"),
      ("!(bool || int == 2)", "(t.\"bool\" <> ? AND t.\"int\" <> ?)"),
      ("int IN {1, 2}", "t.\"int\" IN (?, ?)"), ("int NOT IN {1}", "t.\"int\" NOT IN (?)"),
      ("int IN {}", "0"), ("int NOT IN {}", "1"), ("TRUEPREDICATE", "1"),
      ("string BEGINSWITH 'ab'", "(t.\"string\" >= ? AND t.\"string\" < ?)"),
      ("string BEGINSWITH ''", "t.\"string\" IS NOT NULL"),
      ("string BEGINSWITH '\u{10FFFF}'", "t.\"string\" >= ?"),
      ("string LIKE 'a%'", "ov_like(t.\"string\", ?, 0)"),
      ("string CONTAINS 'a'", "ifnull(instr(t.\"string\", ?), 0) > 0"),
      ("string ==[c] 'a'", "ov_fold(t.\"string\", 1) = ?"),
      ("decimal < 5", "t.\"decimal\" COLLATE ov_decimal < ?"),
      ("decimal == int", "t.\"decimal\" COLLATE ov_decimal = CAST(t.\"int\" AS TEXT)"),
    ])
  func saysWhatWasAskedWithNothing(text: String, expected: String) throws {
    #expect(try sql(text).text == expected)
  }

  @Test("binds the values in the order of the parameters") func bindsTheValuesInTheOrder() throws {
    let made = try sql(
      "string BEGINSWITH 'a\u{D7FF}' && int IN {3, '4'} || string == %@",
      .value(.text("' OR 1"), .string))
    #expect(
      made.values == [
        .text("a\u{D7FF}"), .text("a\u{E000}"), .integer(3), .integer(4), .text("' OR 1"),
      ])
    #expect(made.text.filter { $0 == "?" }.count == made.values.count)
    #expect(try sql("string BEGINSWITH 'ab'").values == [.text("ab"), .text("ac")])
  }

  private func rows(_ count: Int) -> [[StoredValue]] {
    var random = SeededGenerator(seed: 7)
    var rows = table.rows(count, &random)
    let place = table.property(named: "int")?.position ?? 0
    for row in rows.indices { rows[row][place] = .integer(Int64(row)) }
    return rows
  }

  /// Runs the SQL and the evaluator, expects them to agree, and returns the rows.
  private func agreed(
    _ condition: Condition, _ arguments: [ConditionArgument], _ rows: [[StoredValue]],
    _ connection: Connection
  ) throws -> [Int] {
    let resolved = try checker.resolve(condition, arguments: arguments)
    let made = try ConditionSQL(resolved, of: table.queried)
    #expect(made.values.count <= 900)
    let chosen = try connection.chosen(made)
    #expect(
      chosen
        == rows.indices.filter { row in
          resolved.holds(folding: .standard) { rows[row][$0] }
        })
    try made.emptyLists(on: connection)
    return chosen
  }

  @Test("serves lists and values beyond the parameters through temporary tables")
  func servesListsAndValuesBeyond() throws {
    let folder = try TemporaryFolder()
    let rows = rows(60)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let members = (0..<5_000).map { ConditionArgument.value(.integer(Int64($0 * 2)), .int) }
    let list = ConditionArgument.composite(members: members, json: { "" })
    #expect(
      try agreed(try Condition.parse("int IN %@ && int >= 10"), [list], rows, connection)
        == stride(from: 10, to: 60, by: 2).map { $0 })
    #expect(try agreed(try Condition.parse("int NOT IN %@"), [list], rows, connection).count == 30)
    let texts = ConditionArgument.composite(
      members: (0..<1_000).map { .value(.text("t\($0)"), .string) } + [
        .value(.text("Bob"), .string)
      ],
      json: { "" })
    _ = try agreed(
      try Condition.parse("string IN %@ || int IN %@"), [texts, list], rows, connection)
    let decimals = ConditionArgument.composite(
      members: (0..<1_000).map { .value(.text("\($0)"), .decimal) }, json: { "" })
    _ = try agreed(try Condition.parse("decimal IN %@"), [decimals], rows, connection)
    let many = (0..<1_500).map { "int == \($0 + 40)" }.joined(separator: " || ")
    #expect(try agreed(try Condition.parse(many), [], rows, connection).count == 20)
  }

  @Test("serves the widest and the deepest conditions that can be read")
  func servesTheWidestAndTheDeepest() throws {
    let folder = try TemporaryFolder()
    let rows = rows(20)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let wide = (0..<5_000).map { _ in "int<9" }.joined(separator: "||")
    #expect(try agreed(try Condition.parse(wide), [], rows, connection).count == 9)
    // A chain to the right, a chain to the left, and both under negations.
    var right = "int == 3"
    var left = "int == 3"
    var both = "int == 3"
    for level in 0..<95 {
      let (op, inverse) = level % 2 == 0 ? ("||", "&&") : ("&&", "||")
      right = "int < \(level % 7) \(op) (\(right))"
      left = "(\(left)) \(inverse) int > \(level % 11)"
      if level < 60 { both = "!((\(both)) \(op) int != \(level % 5))" }
    }
    for text in [right, left, both] {
      _ = try agreed(try Condition.parse(text), [], rows, connection)
    }
    var bushy = "int > 3"
    for level in 0..<11 { bushy = "(\(bushy)) \(level % 2 == 0 ? "&&" : "||") !(\(bushy))" }
    _ = try agreed(try Condition.parse(bushy), [], rows, connection)
  }

  @Test("fills a long list in one transaction, also inside of another")
  func fillsALongList() throws {
    let folder = try TemporaryFolder()
    let connection = try table.connection(with: rows(20), at: folder.file("sample.vault"))
    let members = (0..<2_000).map { ConditionArgument.value(.integer(Int64($0)), .int) }
    let resolved = try checker.resolve(
      try Condition.parse("int IN %@"),
      arguments: [.composite(members: members, json: { "" })], text: "int IN %@")
    let list = try ConditionSQL(resolved, of: table.queried)
    #expect(list.lists.count == 1)
    _ = try connection.chosen(list)
    let statements = Locked<[String]>([])
    connection.trace = { text in statements.withLock { $0.append(text) } }
    let chosen = try connection.chosen(list)
    connection.trace = nil
    let texts = statements.withLock { $0 }
    let start = try #require(texts.firstIndex(of: "SAVEPOINT ov_fill"))
    let end = try #require(texts.lastIndex(of: "RELEASE ov_fill"))
    #expect(texts.count(where: { $0.hasPrefix("INSERT") }) == 2_000)
    #expect(texts[start...end].count(where: { $0.hasPrefix("INSERT") }) == 2_000)
    try connection.execute("BEGIN")
    #expect(try connection.chosen(list) == chosen)
    #expect(connection.isInTransaction)
    try connection.execute("COMMIT")
    #expect(!connection.isInTransaction)
  }

  @Test("lets an index serve prefixes, ranges and lists") func letsAnIndexServePrefixesRanges()
    throws
  {
    let folder = try TemporaryFolder()
    let connection = try table.connection(with: rows(5), at: folder.file("sample.vault"))
    try connection.execute("CREATE INDEX \"by text\" ON \"sample\" (\"string\")")
    try connection.execute("CREATE INDEX \"by int\" ON \"sample\" (\"int\")")
    for text in [
      "string BEGINSWITH 'a'", "string == 'a'", "string IN {'a', 'b'}", "int > 5.5",
      "!(int > 5)", "int BETWEEN {1, 2}",
    ] {
      let made = try sql(text)
      let plan = try connection.prepare(
        "EXPLAIN QUERY PLAN SELECT * FROM \"sample\" AS t WHERE \(made.text)")
      _ = plan.binder
      var detail = ""
      while try plan.step() { detail += plan.row.text(at: 3) ?? "" }
      #expect(detail.contains("USING INDEX by "), "\(text): \(detail)")
    }
  }

  @Test(
    "sorts as the reference order does", .covers("S40", "S41"), arguments: PropertyType.allCases,
    [true, false])
  func sortsAsTheReferenceOrder(type: PropertyType, ascending: Bool) throws {
    let names = table.properties.filter { $0.type == type }
    guard !names.isEmpty else { return }
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 11)
    let rows = table.rows(60, &random)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let options: [TextOptions] =
      type == .string ? [[], .caseBlind, [.caseBlind, .diacriticBlind]] : [[]]
    for property in names {
      for (options, isNilFirst) in options.flatMap({ options in
        ([nil, true, false] as [Bool?]).map { (options, $0) }
      }) {
        let key = SortKey(
          ValueShape(property), ascending: ascending, options: options, isNilFirst: isNilFirst)
        let term = try key.sql(of: table.queried)
        let statement = try connection.prepare(
          "SELECT rowid FROM \"sample\" ORDER BY \(term), rowid")
        _ = statement.binder
        var order: [Int] = []
        while try statement.step() { order.append(Int(statement.row.integer(at: 0))) }
        let expected = rows.indices.sorted { a, b in
          let order = key.compare(
            rows[a][property.position], rows[b][property.position], folding: .standard)
          return order == 0 ? a < b : order < 0
        }
        #expect(order == expected)
      }
    }
  }

  @Test("works on the small stack of a thread at the greatest depth") func worksOnTheSmallStack()
    throws
  {
    let text =
      String(repeating: "!(int == 1 || ", count: 100) + "int == 2"
      + String(repeating: ")", count: 100)
    let checker = checker
    let columns = table.columns
    let done = DispatchSemaphore(value: 0)
    let count = Box()
    let thread = Thread {
      if let tree = try? Condition.parse(text), let again = try? Condition.parse(tree.text),
        let resolved = try? checker.resolve(again),
        let made = try? ConditionSQL(
          resolved, of: QueriedTable(name: "\"sample\"", columns: columns, dialect: SQLiteDialect())
        )
      {
        _ = resolved.holds(folding: .standard) { _ in .integer(1) }
        count.value = made.values.count
      }
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    #expect(count.value == 101)
  }

  private final class Box: @unchecked Sendable { var value = 0 }
}
