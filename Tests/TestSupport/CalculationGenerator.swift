package import ObjectVaultCondition

/// Makes conditions that calculate with the numbers of a table.
package struct CalculationGenerator {
  private let names: [String]
  private let integers: [String]
  private var random: SeededGenerator
  private var arguments: [ConditionArgument] = []

  package init(_ table: GeneratedTable, _ random: SeededGenerator) {
    names = table.properties.filter { [.integer, .real].contains($0.type.family) }.map(\.name)
    integers = table.properties.filter { $0.type.family == .integer }.map(\.name)
    self.random = random
  }

  package mutating func next() -> (Condition, [ConditionArgument]) {
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
