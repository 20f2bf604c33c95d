import ObjectVaultStores
import ObjectVaultSchema
import ConditionReference
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

/// What is kept of a condition gives, with other values, what a fresh look at it gives.
@Suite("The shape of a condition") struct ConditionShapeTests {
  private let table = GeneratedTable()
  private let checker: ConditionChecker

  init() { checker = ConditionChecker(schema: table, folding: .standard) }

  private func sql(_ condition: ResolvedCondition) throws -> ConditionSQL {
    try ConditionSQL(condition, of: table.queried)
  }

  /// Arguments like those given: of the same kinds, or now and then nil or of other kinds.
  private func others(
    _ arguments: [ConditionArgument], _ random: inout SeededGenerator
  ) -> [ConditionArgument] {
    arguments.map { argument in
      if random.oneIn(12) { return .null }
      guard case .value(_, let type) = argument else { return argument }
      if random.oneIn(6) {
        return random.pick([
          .value(.real(random.pick(GeneratedTable.reals + [.nan])), .double),
          .value(.integer(random.pick(GeneratedTable.integers)), .int),
          .value(.text(random.pick(GeneratedTable.texts)), .string),
        ])
      }
      return .value(GeneratedTable.value(type, &random), type)
    }
  }

  @Test("gives the SQL and the values that the condition has when it is checked anew")
  func agrees() throws {
    var random = SeededGenerator(for: "shapes of conditions")
    var generator = ConditionGenerator(table.subjects, random)
    var (shapes, hits, misses) = (0, 0, 0)
    let total = randomRounds(20_000)
    for _ in 0..<total {
      let (condition, arguments) = generator.next()
      let resolved = try checker.resolve(condition, arguments: arguments)
      guard let shape = ConditionShape(of: condition, resolved: resolved, by: checker) else {
        continue
      }
      shapes += 1
      let expected = try sql(resolved)
      if let values = shape.values(count: arguments.count, { arguments[$0] }) {
        #expect(try sql(shape.condition(values)) == expected, "\(condition.text)")
      }
      for _ in 0..<4 {
        let arguments = others(arguments, &random)
        let fresh = try? checker.resolve(condition, arguments: arguments)
        if let values = shape.values(count: arguments.count, { arguments[$0] }) {
          hits += 1
          let found = try sql(shape.condition(values))
          #expect(try fresh.map(sql) == found, "\(condition.text): \(arguments)")
        } else {
          misses += 1
        }
      }
    }
    #expect(shapes > total / 5)
    #expect(hits > total * 2 / 5)
    #expect(misses > total / 40)
  }

  @Test("is kept under a key that no other tree has") func keys() throws {
    let generator = ConditionGenerator(table.subjects, SeededGenerator(for: "keys of conditions"))
    var trees: [ConditionKey: String] = [:]
    var conditions = generator
    for _ in 0..<20_000 {
      let (condition, _) = conditions.next()
      guard let key = ConditionKey(condition) else { continue }
      // The text has every byte of the tree.
      let text = condition.text
      let known = trees.updateValue(text, forKey: key) ?? text
      #expect(Array(known.utf8) == Array(text.utf8))
    }
    #expect(trees.count > 2_000)
    let texts = ["caf\u{E9}", "cafe\u{301}"].map {
      Condition.comparison(
        Comparison(
          Operand(.path(PropertyPath(["string"]))),
          .compare(.equal, [], Operand(.literal(.text($0))))))
    }
    #expect(texts[0] == texts[1])
    #expect(ConditionKey(texts[0]) != ConditionKey(texts[1]))
  }
}
