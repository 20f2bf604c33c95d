import ConditionReference
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSchema
import Testing
import TestSupport

import ObjectVaultStores

@Suite("Nested conditions across associations") struct NestedAgreementTests {
  @Test(
    "The SQL selects the objects of the reference evaluator", .covers("S77", "S78"),
    arguments: ["Student", "Room", "Site"])
  func agrees(name: String) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(for: "agreement of nested conditions")
    let graph = GeneratedGraph(&random)
    let connection = try graph.connection(at: folder.file("graph.vault"))
    let description = GeneratedGraph.description(name)
    let checker = ConditionChecker(
      schema: GeneratedGraph.schema(of: description), folding: .standard)
    let sql = try TableStatements(description, dialect: SQLiteDialect())
    let objects = graph.objects(of: description)
    var generator = NestedConditions(random: random)
    var (selective, nested, resolvedCount) = (0, 0, 0)
    for _ in 0..<randomRounds(1_500) {
      let text = generator.next(of: name)
      let parsed = try Condition.parse(text)
      #expect(try Condition.parse(parsed.text) == parsed, "\(text)")
      let resolved: ResolvedCondition
      do {
        resolved = try checker.resolve(parsed, text: text)
      } catch let error as ConditionError where error.code == .limit {
        continue
      }
      // The engine could not parse it.
      if resolved.excess != nil { continue }
      resolvedCount += 1
      let made = try ConditionSQL(resolved, of: sql.queried)
      let chosen = try connection.chosen(made, from: sql.table)
      let expected = objects.indices.filter {
        resolved.holds(folding: .standard, of: objects[$0])
      }
      if !expected.isEmpty, expected.count < objects.count {
        selective += 1
        if generator.depth > 1 { nested += 1 }
      }
      #expect(chosen == expected, "\(text)\n\(made.text)")
    }
    #expect(selective * 8 > resolvedCount && nested * 20 > resolvedCount, "\(selective), \(nested)")
  }

  @Test("Four iterations can be nested around a property, and three around a calculation")
  func depth() throws {
    let checker = ConditionChecker(
      schema: GeneratedGraph.schema(of: GeneratedGraph.description("Student")), folding: .standard)
    func check(_ depth: Int, _ calculation: String) throws {
      let paths = (1...depth).map { Array(repeating: "admirers", count: $0).joined(separator: ".") }
      let text =
        paths.map { "ANY \($0) (" }.joined() + "\(paths[depth - 1]).age\(calculation) > 3"
        + String(repeating: ")", count: depth)
      _ = try checker.resolve(try Condition.parse(text), text: text)
    }
    try check(4, "")
    try check(3, " + 1")
    let error = #expect(throws: ConditionError.self) { try check(4, " + 1") }
    #expect(error?.code == .limit)
  }
}

/// A generator of conditions with nested quantifiers and subqueries, as text.
private struct NestedConditions {
  /// The paths to many objects of a class, and the class of the objects.
  private static let associations = [
    "Site": [("rooms", "Room"), ("rooms.students", "Student")],
    "Room": [("students", "Student"), ("site.rooms", "Room")],
    "Student": [("admirers", "Student"), ("room.students", "Student")],
  ]
  private static let numbers = ["Site": "code", "Room": "floor", "Student": "age"]

  private struct Scope {
    let prefix: String
    let name: String
    /// The names from the queried object.
    let names: String
  }

  var random: SeededGenerator
  private(set) var depth = 0
  private var variables = 0

  init(random: SeededGenerator) { self.random = random }

  mutating func next(of name: String) -> String {
    (depth, variables) = (0, 0)
    return condition([Scope(prefix: "", name: name, names: "")])
  }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func condition(_ scopes: [Scope]) -> String {
    let isDeep = scopes.count > 4
    switch Int.random(in: 0..<(isDeep ? 3 : 8), using: &random) {
    case 0: return "(\(comparison(scopes)) \(pick(["&&", "||"])) \(comparison(scopes)))"
    case 1: return "!(\(comparison(scopes)))"
    case 2: return comparison(scopes)
    case 3: return "(\(comparison(scopes)) \(pick(["&&", "||"])) \(iteration(scopes)))"
    case 4: return "!(\(iteration(scopes)))"
    default: return iteration(scopes)
    }
  }

  private mutating func value(_ scopes: [Scope]) -> String {
    let scope = Bool.random(using: &random) ? scopes[scopes.count - 1] : pick(scopes)
    let number = scope.prefix + (Self.numbers[scope.name] ?? "")
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return String(Int.random(in: -1...9, using: &random))
    case 1 where !scope.prefix.isEmpty:
      return scope.prefix + pick(Self.associations[scope.name] ?? []).0 + ".@count"
    case 2: return "\(number) + 1"
    default: return number
    }
  }

  private mutating func comparison(_ scopes: [Scope]) -> String {
    let own = scopes[scopes.count - 1]
    let left = own.prefix + (Self.numbers[own.name] ?? "")
    return "\(left) \(pick(["<", ">", "==", "!=", ">=", "<="])) \(value(scopes))"
  }

  private mutating func iteration(_ scopes: [Scope]) -> String {
    let from = Int.random(in: 0..<4, using: &random) > 0 ? scopes[scopes.count - 1] : pick(scopes)
    let (path, name) = pick(Self.associations[from.name] ?? [])
    let names = from.names + path + "."
    // One path is one object inside.
    guard !scopes.contains(where: { $0.names == names }) else { return comparison(scopes) }
    depth = max(depth, scopes.count)
    if Bool.random(using: &random) {
      variables += 1
      let variable = "$v\(variables)"
      let inside = Scope(prefix: "\(variable).", name: name, names: names)
      let test = condition(scopes + [inside])
      return "SUBQUERY(\(from.prefix)\(path), \(variable), \(test)).@count "
        + "\(pick([">", "==", "<", "!="])) \(pick(["0", "1", "2", value(scopes)]))"
    }
    let inside = Scope(prefix: "\(from.prefix)\(path).", name: name, names: names)
    return "\(pick(["ANY", "ALL", "NONE"])) \(from.prefix)\(path) (\(condition(scopes + [inside])))"
  }
}
