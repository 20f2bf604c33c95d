import ObjectVaultCore
import TestSupport
import Testing

/// Expressions that are made at random, with their value in Swift and their text with every parenthesis.
private indirect enum Sample {
  case column(Int)
  case value(Int?)
  case inline(Int)
  case binary(String, Sample, Sample)
  case not(Sample)
  case negative(Sample)
  case complement(Sample)
  case isNull(Sample)
  case between(Sample, Sample, Sample)
  case among(Sample, [Sample])
  case choice(Sample, Sample, Sample)

  static let operators = [
    "AND", "OR", "=", "!=", "IS", "IS NOT", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&",
    "|", "<<", ">>",
  ]

  /// Columns, values and operators between two of them.
  init(binary depth: Int, _ random: inout SeededGenerator) {
    if depth > 0 {
      self = .binary(
        random.pick(Self.operators), Sample(binary: depth - 1, &random),
        Sample(binary: depth - 1, &random))
    } else {
      self = .column(Int.random(in: 0..<3, using: &random))
    }
  }

  init(depth: Int, _ random: inout SeededGenerator) {
    func part() -> Sample { Sample(depth: depth - 1, &random) }
    switch depth == 0
      ? Int.random(in: 0..<3, using: &random) : Int.random(in: 0..<17, using: &random)
    {
    case 0: self = .column(Int.random(in: 0..<3, using: &random))
    case 1: self = .value(random.oneIn(4) ? nil : Int.random(in: -3...3, using: &random))
    case 2: self = .inline(random.pick([-3, -2, 2, 3]))
    case 3, 4: self = .not(part())
    case 5: self = .negative(part())
    case 6: self = .isNull(part())
    case 7: self = .between(part(), part(), part())
    case 8: self = .among(part(), (0..<Int.random(in: 0..<3, using: &random)).map { _ in part() })
    case 9: self = .choice(part(), part(), part())
    case 10: self = .complement(part())
    default:
      let op = random.pick(Self.operators)
      // By few places: what no 64 bits hold would be a real afterwards.
      let isShift = op == "<<" || op == ">>"
      self = .binary(
        op, part(), isShift ? .value(Int.random(in: -3...3, using: &random)) : part())
    }
  }

  var expression: SQLExpression {
    switch self {
    case .column(let index): .column(["a", "b", "c"][index])
    case .value(let value): value.map { .value($0) } ?? .null
    case .inline(let number): .inline(number)
    case .not(let term): !term.expression
    case .negative(let term): -term.expression
    case .complement(let term): ~term.expression
    case .isNull(let term): term.expression.isNull
    case .between(let term, let low, let high):
      term.expression.isBetween(low.expression, and: high.expression)
    case .among(let term, let list): term.expression.isIn(list.map(\.expression))
    case .choice(let condition, let first, let other):
      SQLCase().when(condition.expression, then: first.expression).else(other.expression)
        .sqlExpression
    case .binary(let op, let left, let right): Self.join(op, left.expression, right.expression)
    }
  }

  private static func join(_ op: String, _ a: SQLExpression, _ b: SQLExpression) -> SQLExpression {
    switch op {
    case "AND": return a && b
    case "OR": return a || b
    case "=": return a == b
    case "IS": return a.is(b)
    case "IS NOT": return a.isNot(b)
    case "!=": return a != b
    case "<": return a < b
    case "<=": return a <= b
    case ">": return a > b
    case ">=": return a >= b
    case "+": return a + b
    case "-": return a - b
    case "*": return a * b
    case "/": return a / b
    case "&": return a & b
    case "|": return a | b
    case "<<": return a << b
    case ">>": return a >> b
    default: return a % b
    }
  }

  /// The text in which every part stands in parentheses.
  var full: SQLStatement {
    switch self {
    case .column(let index): "\(unchecked: ["a", "b", "c"][index])"
    case .value(let value): "\(value)"
    case .inline(let number): "(\(unchecked: "\(number)"))"
    case .not(let term): "(NOT (\(term.full)))"
    case .negative(let term): "(- (\(term.full)))"
    case .complement(let term): "(~ (\(term.full)))"
    case .isNull(let term): "((\(term.full)) IS NULL)"
    case .between(let term, let low, let high):
      "((\(term.full)) BETWEEN (\(low.full)) AND (\(high.full)))"
    case .among(let term, let list):
      "((\(term.full)) IN (\(list.map(\.full).joined(separator: ", "))))"
    case .choice(let condition, let first, let other):
      "(CASE WHEN (\(condition.full)) THEN (\(first.full)) ELSE (\(other.full)) END)"
    case .binary(let op, let left, let right):
      "((\(left.full)) \(unchecked: op) (\(right.full)))"
    }
  }

  /// What it is in Swift; nil is NULL.
  func value(_ row: [Int?]) -> Int? {
    switch self {
    case .column(let index): return row[index]
    case .value(let value): return value
    case .inline(let number): return number
    case .not(let term): return term.value(row).map { $0 == 0 ? 1 : 0 }
    case .negative(let term): return term.value(row).map { -$0 }
    case .complement(let term): return term.value(row).map { ~$0 }
    case .isNull(let term): return term.value(row) == nil ? 1 : 0
    case .between(let term, let low, let high):
      return Self.binary(
        "AND", Self.binary(">=", term.value(row), low.value(row)),
        Self.binary("<=", term.value(row), high.value(row)))
    case .among(let term, let list):
      return list.reduce(0) {
        Self.binary("OR", $0, Self.binary("=", term.value(row), $1.value(row)))
      }
    case .choice(let condition, let first, let other):
      return (condition.value(row) ?? 0) != 0 ? first.value(row) : other.value(row)
    case .binary(let op, let left, let right):
      return Self.binary(op, left.value(row), right.value(row))
    }
  }

  private static func binary(_ op: String, _ a: Int?, _ b: Int?) -> Int? {
    switch op {
    case "AND": return a == 0 || b == 0 ? 0 : a == nil || b == nil ? nil : 1
    case "OR":
      return (a ?? 0) != 0 || (b ?? 0) != 0 ? 1 : a == nil || b == nil ? nil : 0
    case "IS": return a == b ? 1 : 0
    case "IS NOT": return a == b ? 0 : 1
    default: break
    }
    guard let a, let b else { return nil }
    switch op {
    case "=": return a == b ? 1 : 0
    case "!=": return a != b ? 1 : 0
    case "<": return a < b ? 1 : 0
    case "<=": return a <= b ? 1 : 0
    case ">": return a > b ? 1 : 0
    case ">=": return a >= b ? 1 : 0
    case "+": return a + b
    case "-": return a - b
    case "*": return a * b
    case "/": return b == 0 ? nil : a / b
    case "&": return a & b
    case "|": return a | b
    case "<<": return a << b
    case ">>": return a >> b
    default: return b == 0 ? nil : a % b
    }
  }
}

@Suite("Generated expressions of clauses", .covers("P34")) struct ClauseAgreementTests {
  private let rows: [[Int?]] = [
    [0, 1, 2], [1, nil, -1], [nil, 0, 3], [2, 2, nil], [-3, 1, 0], [nil, nil, nil], [1, 1, 1],
  ]

  private func file() throws -> ClauseFile {
    let file = try ClauseFile("CREATE TABLE t(a, b, c)")
    for row in rows { try file.rows(Insert(into: "t").values(row[0], row[1], row[2])) }
    return file
  }

  @Test("mean what they mean in Swift, and what they mean with every parenthesis written")
  func meaning() throws {
    let file = try file()
    var random = SeededGenerator(for: "expressions of clauses")
    var seen: Set<String> = []
    for _ in 0..<3000 {
      let sample = Sample(depth: 4, &random)
      let expression = sample.expression
      let answers = try file.rows(Select(expression, sample.full).from("t").ordered(by: "rowid"))
      for (row, answer) in zip(rows, answers) {
        let expected = sample.value(row).map { StoredValue.integer(Int64($0)) } ?? .null
        guard answer == [expected, expected] else {
          Issue.record("\(expression) of \(row) is \(answer), not \(expected): \(sample.full)")
          return
        }
        seen.insert("\(expected)")
      }
    }
    #expect(seen.count > 10)
  }

  @Test("have no parenthesis that could be left out")
  func minimal() throws {
    let file = try file()
    var random = SeededGenerator(for: "parentheses of clauses")
    var removed = 0
    for _ in 0..<1000 {
      let text = Sample(binary: 3, &random).expression.statement
      let program = try file.program(of: text)
      for (open, close) in Self.pairs(in: text.sql) {
        var characters = Array(text.sql)
        characters[open] = " "
        characters[close] = " "
        let shorter = SQLStatement(unchecked: String(characters), values: text.values)
        removed += 1
        let same = (try? file.program(of: shorter)) == program
        #expect(!same, "\(text) is the same as \(shorter)")
      }
    }
    #expect(removed > 500)
  }

  /// Where parentheses open and close that are not those of a list.
  private static func pairs(in text: String) -> [(Int, Int)] {
    let characters = Array(text)
    var open: [Int] = []
    var pairs: [(Int, Int)] = []
    for (position, character) in characters.enumerated() {
      if character == "(" { open.append(position) }
      if character == ")", let start = open.popLast() {
        let before = String(characters[..<start])
        if !before.hasSuffix("IN ") { pairs.append((start, position)) }
      }
    }
    return pairs
  }
}

extension ClauseFile {
  /// What the engine makes of an expression.
  fileprivate func program(of expression: SQLStatement) throws -> [[StoredValue]] {
    try rows("EXPLAIN SELECT \(expression) FROM t" as SQLStatement)
  }
}
