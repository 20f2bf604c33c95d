import ConditionReference
import ObjectVaultSchema
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import Testing
import TestSupport

import ObjectVaultStores

@Suite("The SQL of conditions across associations") struct PathAgreementTests {
  private let folder: TemporaryFolder
  private let graph: GeneratedGraph
  private let connection: Connection
  private var random: SeededGenerator

  init() throws {
    folder = try TemporaryFolder()
    random = SeededGenerator(for: "agreement across associations")
    graph = GeneratedGraph(&random)
    connection = try graph.connection(at: folder.file("graph.vault"))
  }

  @Test(
    "agrees with the reference evaluator on generated conditions",
    arguments: [("Student", 6_000), ("Room", 6_000), ("Site", 6_000)])
  func agreesWithTheReferenceEvaluator(name: String, total: Int) throws {
    let description = GeneratedGraph.description(name)
    let checker = ConditionChecker(
      schema: GeneratedGraph.schema(of: description), folding: .standard)
    let sql = try TableStatements(description, dialect: SQLiteDialect())
    let objects = graph.objects(of: description)
    var generator = ConditionGenerator(try GeneratedGraph.subjects(of: description), random)
    let total = randomRounds(total)
    var selective = 0
    var disagreements: [String] = []
    for _ in 0..<total {
      let (condition, arguments) = generator.next()
      let text = condition.text
      let parsed = try Condition.parse(text)
      #expect(parsed == condition)
      let resolved = try checker.resolve(parsed, arguments: arguments, text: text)
      let made = try ConditionSQL(resolved, of: sql.queried)
      let chosen = try connection.chosen(made, from: sql.table)
      let expected = objects.indices.filter {
        resolved.holds(folding: .standard, of: objects[$0])
      }
      if !expected.isEmpty, expected.count < objects.count { selective += 1 }
      if chosen != expected {
        disagreements.append("\(text)\n\(made.text)\nSQL \(chosen), evaluator \(expected)")
      }
    }
    #expect(disagreements.isEmpty, "\(disagreements.count): \(disagreements.prefix(3))")
    #expect(selective * 20 >= total)
    #expect(generator.cells.allSatisfy { generator.count[$0, default: 0] >= total / 120 })
    #expect(generator.countOfWays.count == generator.ways.values.reduce(0) { $0 + $1.count })
  }

  @Test(
    "sorts by every value that a path leads to as the reference order does",
    arguments: ["Student", "Room", "Site"])
  func sortsAsTheReferenceOrder(name: String) throws {
    let description = GeneratedGraph.description(name)
    let checker = ConditionChecker(
      schema: GeneratedGraph.schema(of: description), folding: .standard)
    let sql = try TableStatements(description, dialect: SQLiteDialect())
    let objects = graph.objects(of: description)
    for subject in try GeneratedGraph.subjects(of: description) where subject.isOne {
      let value = try checker.value(named: subject.path.written)
      let values = objects.map { value.value(of: $0) }
      for isAscending in [true, false] {
        let key = SortKey(value, ascending: isAscending)
        let order = try key.sql(of: sql.queried)
        let statement = try connection.prepare(
          "SELECT rowid FROM \(sql.table) ORDER BY \(order), rowid")
        _ = statement.binder
        var found: [Int] = []
        while try statement.step() { found.append(Int(statement.row.integer(at: 0))) }
        let expected = objects.indices.sorted { a, b in
          let order = key.compare(values[a], values[b], folding: .standard)
          return order == 0 ? a < b : order < 0
        }
        #expect(found == expected, "\(subject.path.written)")
      }
    }
  }

  private func sql(_ text: String, on description: ClassDescription) throws -> ConditionSQL {
    let checker = ConditionChecker(
      schema: GeneratedGraph.schema(of: description), folding: .standard)
    let resolved = try checker.resolve(try Condition.parse(text), text: text)
    let sql = try TableStatements(description, dialect: SQLiteDialect())
    return try ConditionSQL(resolved, of: sql.queried)
  }

  @Test(
    "says what was asked with subqueries, and nothing but parameters",
    arguments: [
      (
        "room.floor >= 2",
        "(SELECT ov_1.\"floor\" FROM \"Room\" AS ov_1 "
          + "WHERE ov_1.\"the \"\"name\"\"\" = \"Student\".\"in\") >= ?"
      ),
      ("room.name == 'x'", "\"Student\".\"in\" = ?"),
      ("room == nil", "\"Student\".\"in\" IS NULL"),
      ("friend.objectID IN {1, 2}", "\"Student\".\"friend\" IN (?, ?)"),
      (
        "room.site.rating < 1",
        "(SELECT ov_2.\"rating\" FROM \"Room\" AS ov_1 CROSS JOIN \"Site\" AS ov_2 "
          + "WHERE ov_1.\"the \"\"name\"\"\" = \"Student\".\"in\" "
          + "AND ov_2.\"country\" = ov_1.\"site_country\" "
          + "AND ov_2.\"code\" = ov_1.\"site_code\") < ?"
      ),
      (
        "ANY admirers.age < 7",
        "EXISTS (SELECT 1 FROM \"Student\" AS ov_1 "
          + "WHERE ov_1.\"friend\" = \"Student\".\"objectID\" AND ov_1.\"age\" < ?)"
      ),
      (
        "ALL admirers.age < age",
        "NOT EXISTS (SELECT 1 FROM \"Student\" AS ov_1 "
          + "WHERE ov_1.\"friend\" = \"Student\".\"objectID\" AND (ov_1.\"age\" IS NULL "
          + "OR \"Student\".\"age\" IS NULL OR ov_1.\"age\" >= \"Student\".\"age\"))"
      ),
      (
        "admirers.@count > 3",
        "(SELECT count(*) FROM \"Student\" AS ov_1 "
          + "WHERE ov_1.\"friend\" = \"Student\".\"objectID\") > ?"
      ),
      (
        "admirers.@max.fee > 3",
        "(SELECT max(ov_1.\"fee\" COLLATE ov_decimal) FROM \"Student\" AS ov_1 "
          + "WHERE ov_1.\"friend\" = \"Student\".\"objectID\") COLLATE ov_decimal > ?"
      ),
    ])
  func saysWhatWasAsked(text: String, expected: String) throws {
    #expect(try sql(text, on: GeneratedGraph.student).text == expected)
  }

  @Test(
    "has the index of a reference serve quantifiers, aggregates and paths",
    arguments: [
      ("ANY students.age < 7", "ov_Student__in"), ("NONE students.name == 'x'", "ov_Student__in"),
      ("students.@count > 3", "ov_Student__in"), ("students.@sum.age > 3", "ov_Student__in"),
      ("teacher.name == 'x'", "ov_Teacher__room"),
      ("site.rating > 3", "sqlite_autoindex_Site_1"),
      ("ANY students.admirers.age < 7", "ov_Student__friend"),
    ])
  func indexes(text: String, index: String) throws {
    let made = try sql(text, on: GeneratedGraph.room)
    let plan = try connection.prepare(
      "EXPLAIN QUERY PLAN SELECT rowid FROM \"Room\" WHERE \(made.text)")
    _ = plan.binder
    var detail: [String] = []
    while try plan.step() { detail.append(plan.row.text(at: 3) ?? "") }
    // Only the class that is asked is read as a whole, and no index is made for the statement.
    #expect(detail.contains { $0.contains(" \(index) (") }, "\(detail)")
    #expect(detail.filter { $0.contains("SCAN") }.count == 1, "\(detail)")
    #expect(!detail.contains { $0.contains("AUTOMATIC") }, "\(detail)")
  }

  @Test("serves the widest and the deepest conditions with quantifiers in them")
  func widestAndDeepest() throws {
    let term = "ANY room.students.friend.room.floor > 1"
    let wide = Array(repeating: term, count: 1_000).joined(separator: "||")
    var deep = term
    for level in 0..<95 { deep = "!(\(deep) \(level % 2 == 0 ? "&&" : "||") \(term))" }
    let long = String(repeating: "friend.", count: 7) + "room.floor != 1"
    for text in [wide, deep, long, "ANY \(String(repeating: "admirers.", count: 8))age > 1"] {
      let made = try sql(text, on: GeneratedGraph.student)
      #expect(throws: Never.self) { try connection.chosen(made, from: "\"Student\"") }
    }
  }
}

extension PropertyPath {
  /// As `%K` and sorts take it.
  fileprivate var written: String {
    (names + [aggregate?.rawValue].compactMap { $0 }).joined(separator: ".")
  }
}
