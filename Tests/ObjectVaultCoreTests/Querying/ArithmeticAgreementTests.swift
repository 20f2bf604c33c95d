import ConditionReference
import ObjectVaultStores
import ObjectVaultSchema
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("Calculations in conditions") struct ArithmeticAgreementTests {
  private let table = GeneratedTable()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("agree with the reference evaluator on generated conditions and rows")
  func agree() throws {
    var random = SeededGenerator(for: "agreement of calculations")
    let rows = table.rows(40, &random)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let checker = ConditionChecker(schema: table, folding: .standard)
    var generator = CalculationGenerator(table, random)
    var selective = 0
    var disagreements: [String] = []
    let total = randomRounds(5_000)
    for _ in 0..<total {
      let (condition, arguments) = generator.next()
      let text = condition.text
      let parsed = try Condition.parse(text)
      #expect(parsed == condition)
      let resolved = try checker.resolve(parsed, arguments: arguments, text: text)
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
    #expect(selective * 5 > total * 2)
  }

  @Test("stand as deep in one another as they may, inside a deep condition")
  func depth() throws {
    var random = SeededGenerator(seed: 7)
    let rows = table.rows(5, &random)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let checker = ConditionChecker(schema: table, folding: .standard)
    let sum = "int" + String(repeating: " + 1", count: Operand.maximumDepth)
    var text = "\(sum) > 3"
    for level in 0..<60 { text = level % 2 == 0 ? "(\(text) || bool)" : "(\(text) && \(sum) < 9)" }
    let resolved = try checker.resolve(try Condition.parse(text))
    let sql = try ConditionSQL(resolved, of: table.queried)
    #expect(
      try connection.chosen(sql)
        == rows.indices.filter { row in
          resolved.holds(folding: .standard) { rows[row][$0] }
        })
    let deeper = try #require(throws: ConditionError.self) {
      try checker.resolve(try Condition.parse("\(sum) + 1 > 3"))
    }
    #expect(deeper.code == .limit)
  }
}
