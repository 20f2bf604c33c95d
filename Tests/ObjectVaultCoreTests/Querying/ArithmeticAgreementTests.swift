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

/// Makes conditions that calculate with the numbers of a table.
private struct CalculationGenerator {
  private let names: [String]
  private let integers: [String]
  private var random: SeededGenerator
  private var arguments: [ConditionArgument] = []

  init(_ table: GeneratedTable, _ random: SeededGenerator) {
    names = table.properties.filter { [.integer, .real].contains($0.type.family) }.map(\.name)
    integers = table.properties.filter { $0.type.family == .integer }.map(\.name)
    self.random = random
  }

  mutating func next() -> (Condition, [ConditionArgument]) {
    arguments = []
    let left = calculation(depth: random.pick([1, 1, 1, 2, 3]))
    var condition: Condition
    switch random.pick([0, 0, 0, 0, 1, 2, 3]) {
    case 0:
      let right =
        random.oneIn(3) ? calculation(depth: random.pick([0, 1])) : constant()
      condition = .comparison(
        Comparison(left, .compare(random.pick(ComparisonOperator.allCases), [], right)))
    case 1:
      condition = .comparison(
        Comparison(
          left, .compare(random.pick([.equal, .notEqual]), [], Operand(.literal(.null)))))
    case 2:
      condition = .comparison(Comparison(left, .between(.list([constant(), constant()]))))
    default:
      condition = .comparison(
        Comparison(
          left, .among(.list([constant(), constant(), Operand(.literal(.null))]))))
    }
    if random.oneIn(3) { condition = .not(condition) }
    return (condition, arguments)
  }

  private mutating func calculation(depth: Int) -> Operand {
    if depth == 0 { return Operand(.path(PropertyPath([random.pick(names)]))) }
    let op = random.pick(ArithmeticOperator.allCases)
    if op == .remainder { return remainder() }
    if random.oneIn(4) {
      let left = constant()
      return Operand(.arithmetic(op, left, calculation(depth: depth - 1)))
    }
    let left = calculation(depth: depth - 1)
    let right = random.oneIn(2) ? constant() : calculation(depth: random.pick([0, depth - 1]))
    return Operand(.arithmetic(op, left, right))
  }

  private mutating func remainder() -> Operand {
    let property = Operand(.path(PropertyPath([random.pick(integers)])))
    let other =
      switch random.pick([0, 1, 2]) {
      case 0: Operand(.path(PropertyPath([random.pick(integers)])))
      case 1: Operand(.literal(.integer(random.pick(GeneratedTable.integers))))
      default: argument(.value(.integer(random.pick([0, 1, 2, -1, -7, 18])), .int))
      }
    return random.oneIn(4)
      ? Operand(.arithmetic(.remainder, other, property))
      : Operand(.arithmetic(.remainder, property, other))
  }

  private mutating func constant() -> Operand {
    switch random.pick([0, 1, 2, 3]) {
    case 0: return Operand(.literal(.integer(random.pick(GeneratedTable.integers))))
    case 1: return Operand(.literal(.number(random.pick(["0.5", "-2.25", "1e3", "0.0"]))))
    case 2: return argument(.value(.integer(random.pick([0, 1, 2, -1, 18])), .int))
    default: return argument(.value(.real(random.pick([0, 0.5, 1.5, -3, 1e300])), .double))
    }
  }

  private mutating func argument(_ value: ConditionArgument) -> Operand {
    arguments.append(value)
    return Operand(.argument(arguments.count - 1, .any))
  }
}
