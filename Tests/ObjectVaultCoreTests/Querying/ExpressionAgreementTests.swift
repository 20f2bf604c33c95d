import ConditionReference
import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSchema
import ObjectVaultStores
import TestSupport
import Testing

@Suite("Lengths, cases, dates and negations in conditions") struct ExpressionAgreementTests {
  private let table = GeneratedTable()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "agree with the reference evaluator on generated texts and rows",
    .covers("S69", "S71", "S72"))
  func agree() throws {
    var random = SeededGenerator(for: "agreement of expressions")
    let rows = table.rows(40, &random)
    let connection = try table.connection(with: rows, at: folder.file("sample.vault"))
    let checker = ConditionChecker(schema: table, folding: .standard)
    var generator = ExpressionGenerator(random)
    let total = randomRounds(5_000)
    var selective = 0
    var disagreements: [String] = []
    for _ in 0..<total {
      let text = generator.next()
      let parsed = try Condition.parse(text)
      #expect(try Condition.parse(parsed.text) == parsed, "\(text)")
      let resolved = try checker.resolve(
        parsed, named: ["bob": .value(.text("bob"), .string), "e": .value(.text("É"), .string)],
        text: text)
      let sql = try ConditionSQL(resolved, of: table.queried)
      let chosen = try connection.chosen(sql)
      // The engine's time is later by less than the distance of any row from a bound.
      let now = Date().timeIntervalSince1970
      let expected = rows.indices.filter { row in
        resolved.holds(folding: .standard, now: now) { rows[row][$0] }
      }
      if !expected.isEmpty, expected.count < rows.count { selective += 1 }
      if chosen != expected {
        disagreements.append("\(text)\n\(sql.text)\nSQL \(chosen), evaluator \(expected)")
      }
    }
    #expect(disagreements.isEmpty, "\(disagreements.count): \(disagreements.prefix(3))")
    #expect(selective * 3 > total)
    #expect(generator.count.allSatisfy { $0 > total / 20 })
  }
}

/// Makes the text of conditions with functions, intervals and negated words.
private struct ExpressionGenerator {
  private var random: SeededGenerator
  /// The number of times that each kind of condition was made.
  private(set) var count = Array(repeating: 0, count: 7)

  init(_ random: SeededGenerator) { self.random = random }

  mutating func next() -> String {
    let first = leaf()
    switch random.pick([0, 1, 2, 3, 4]) {
    case 0: return "\(first) && \(leaf())"
    case 1: return "!(\(first) || \(leaf()))"
    case 2: return "NOT (\(first))"
    default: return first
    }
  }

  private mutating func leaf() -> String {
    let kind = random.pick(Array(count.indices))
    count[kind] += 1
    switch kind {
    case 0: return "\(length) \(order) \(random.oneIn(2) ? length : random.pick(["0", "1", "36"]))"
    case 1:
      return "\(length) % \(random.pick(["0", "2", "3", "-2"])) "
        + random.pick(["== 1", "!= nil", "IN {0, -1}", "NOT IN {0, nil}", "> 0"])
    case 2:
      return "\(cased) \(order) "
        + random.pick([cased, "'bob'", "$bob", "$e", "uppercase($bob)", "lowercase('SS')"])
    case 3: return "\(cased) \(word) \(random.pick(["'b'", "'É'", "''", "'_b'", "$e", text]))"
    case 4: return "\(text) \(word) \(random.pick(["'a'", "'%'", "$bob", "'é'"]))"
    case 5: return "\(date) \(order) \(moment)"
    default:
      return random.pick([
        "\(date) NOT BETWEEN {\(moment), \(moment)}", "\(date) BETWEEN {\(moment), \(moment)}",
        "\(text) IS NULL", "\(date) IS NOT NULL", "-int \(order) -\(random.pick(["1", "18"]))",
        "-double \(order) .5", "\(date) NOT IN {'1970-01-01', 50, nil, \(moment)}",
      ])
    }
  }

  private var text: String {
    mutating get { random.pick(["string", "`string or \"nil\"`", "url", "uuid"]) }
  }

  private var length: String { mutating get { text + ".length" } }

  private var cased: String {
    mutating get { "\(random.pick(["lowercase", "uppercase"]))(\(text))" }
  }

  private var date: String { mutating get { random.pick(["date", "`date or \"nil\"`"]) } }

  private var moment: String {
    mutating get {
      random.pick(["now()", "'2023-11-14'", "'1970-01-01'"])
        + random.pick(["", " - 5 days", " + 1.5 hours", " - 2000 weeks", " + 90000000000 seconds"])
    }
  }

  private var order: String { mutating get { random.pick(["==", "!=", "<", "<=", ">", ">="]) } }

  private var word: String {
    mutating get {
      random.pick(["", "NOT "])
        + random.pick(["CONTAINS", "LIKE", "BEGINSWITH", "ENDSWITH", "CONTAINS[c]", "LIKE[d]"])
    }
  }
}
