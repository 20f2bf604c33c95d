import ConditionReference
import ObjectVaultStores
import ObjectVaultSchema
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("The SQL of conditions") struct ConditionAgreementTests {
  let table = GeneratedTable()
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("agrees with the reference evaluator on generated conditions and rows")
  func agreesWithTheReferenceEvaluator() throws {
    var random = SeededGenerator(for: "agreement of SQL and evaluator")
    let rows = table.rows(40, &random)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let checker = ConditionChecker(schema: table, folding: .standard)
    var generator = ConditionGenerator(table.subjects, random)
    let total = randomRounds(20_000)
    var selective = 0
    var disagreements: [String] = []
    for _ in 0..<total {
      let (condition, arguments) = generator.next()
      let text = condition.text
      // The tree comes back from its own text, so the text's numbering of arguments is right.
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
    #expect(selective * 20 >= total)
    #expect(generator.cells.allSatisfy { generator.count[$0, default: 0] >= total / 400 })
  }
}
