import ConditionReference
import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSchema
import ObjectVaultStores
import TestSupport
import Testing

@Suite("The SQL of elements and members") struct CollectionAgreementTests {
  private static let values = [
    "\"a\"", "\"A\"", "\"é\"", "\"\"", "\"say \\\"a\\\"\"", "\"]}\"", "\"1\"", "1", "-3", "2.5",
    "1e+16", "9007199254740993", "true", "false", "null", "[]", "{}", "[\"a\",1]",
    "{\"a\":\"b\"}",
  ]
  private static let keys = ["a", "b", "a b", "x\\\"y", "length", "é"]

  private let table = CollectionTable()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func json(_ random: inout SeededGenerator, depth: Int) -> String {
    if depth == 0 || random.oneIn(3) { return random.pick(values) }
    let count = random.pick([0, 1, 2, 3])
    if random.oneIn(2) {
      return "[" + (0..<count).map { _ in json(&random, depth: depth - 1) }.joined(separator: ",")
        + "]"
    }
    let members = keys.shuffled(using: &random).prefix(count).map {
      "\"\($0)\":\(json(&random, depth: depth - 1))"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test("agrees with the reference evaluator on generated JSON", .covers("S73"))
  func agree() throws {
    var random = SeededGenerator(for: "agreement of collections")
    let rows: [[StoredValue]] = (0..<60).map { row in
      [
        row % 12 == 0 ? .null : .text(Self.json(&random, depth: 3)),
        random.oneIn(4) ? .null : .text(random.pick(["a", "A", "é", "1"])),
        .integer(random.pick([-3, 1, 2])),
      ]
    }
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let checker = ConditionChecker(schema: table, folding: .standard)
    let total = randomRounds(4_000)
    var selective = 0
    var disagreements: [String] = []
    for _ in 0..<total {
      let text = Self.condition(&random)
      let parsed = try Condition.parse(text)
      #expect(try Condition.parse(parsed.text) == parsed, "\(text)")
      let resolved = try checker.resolve(parsed, text: text)
      let sql = try ConditionSQL(resolved, of: table.queried)
      let chosen = try connection.chosen(sql)
      let expected = rows.indices.filter { row in
        resolved.holds(folding: .standard) { rows[row][$0] }
      }
      if !expected.isEmpty, expected.count < rows.count { selective += 1 }
      if chosen != expected {
        disagreements.append("\(text)\n\(sql.text)\nSQL \(chosen), evaluator \(expected)")
      }
    }
    #expect(disagreements.isEmpty, "\(disagreements.count): \(disagreements.prefix(3))")
    #expect(selective * 5 > total)
  }

  private static func condition(_ random: inout SeededGenerator) -> String {
    let value = random.pick(["'a'", "'é'", "''", "'1'", "1", "2.5", "-3.0", "TRUE", "nil"])
    let ordered = random.pick(["'a'", "'B'", "1", "2.5", "1e16", "number", "text"])
    let part = random.pick([
      "json", "json.a", "json['b']", "json['a b'].a", "json.length", "json.é", "json['x\"y']",
    ])
    let member = part == "json" ? "json.a" : part
    let order = random.pick(["<", "<=", ">", ">="])
    let condition = random.pick([
      "json CONTAINS \(value)", "json NOT CONTAINS \(ordered)", "\(value) IN json",
      "json CONTAINS[c] 'a'", "text IN json", "ANY \(part) == \(value)", "ALL \(part) != \(value)",
      "NONE \(part) == \(value)", "ANY \(part) \(order) \(ordered)",
      "ALL \(part) \(order) \(ordered)", "ANY \(part) CONTAINS[d] 'e'", "ALL \(part) LIKE 'a%'",
      "ANY \(part) IN {1, 'a', nil}", "\(part).@count > 1", "\(part).@count != 2",
      "\(member) == \(value)", "\(member) != \(value)", "\(member) \(order) \(ordered)",
      "\(member) IS NULL", "\(member)", "\(member) IN {1, 'a', nil, TRUE}",
      "\(member) NOT BETWEEN {0, 3}", "lowercase(\(member)) == 'a'", "\(member) ==[c] text",
      "\(member) CONTAINS 'a'", "\(member) != number",
    ])
    return random.oneIn(3) ? "!(\(condition))" : condition
  }
}

/// A class with a property stored as JSON, a text and a number.
private struct CollectionTable: ConditionSchema {
  let className = "Sample"
  let properties = [
    PropertyShape("json", at: 0, type: .json, isOptional: true),
    PropertyShape("text", at: 1, type: .string, isOptional: true),
    PropertyShape("number", at: 2, type: .int, isOptional: false),
  ]
  var propertyNames: [String] { properties.map(\.name) }
  var queried: QueriedTable {
    QueriedTable(
      name: "\"sample\"", columns: properties.map { SQLIdentifier($0.name).description },
      dialect: SQLiteDialect())
  }

  func property(named name: String) -> PropertyShape? { properties.first { $0.name == name } }

  func connection(with rows: [[StoredValue]], at path: String) throws -> Connection {
    let connection = try Connection.forConditions(at: path)
    try connection.execute(
      "CREATE TABLE \"sample\" (\"json\" TEXT, \"text\" TEXT, \"number\" INTEGER NOT NULL)")
    let insert = try connection.prepare(
      "INSERT INTO \"sample\" (rowid, json, text, number) VALUES (?, ?, ?, ?)")
    for (number, row) in rows.enumerated() {
      let binder = insert.binder
      binder.bind(integer: Int64(number), at: 0)
      for (position, value) in row.enumerated() { value.bind(to: binder, at: position + 1) }
      try insert.run()
    }
    return connection
  }
}
