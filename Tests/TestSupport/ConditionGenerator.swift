package import ObjectVaultCondition

/// A value that generated conditions ask for.
package struct ConditionSubject {
  /// How the condition gets at it.
  package enum Way: Hashable, CaseIterable {
    case own, reference, aggregate, any, all, none

    package var quantifier: Comparison.Quantifier? {
      switch self {
      case .any: .any
      case .all: .all
      case .none: Comparison.Quantifier.none
      default: nil
      }
    }
  }

  package var path: PropertyPath
  package var way: Way
  package var type: PropertyType
  package var isOptional: Bool

  package init(path: PropertyPath, way: Way, type: PropertyType, isOptional: Bool) {
    self.path = path
    self.way = way
    self.type = type
    self.isOptional = isOptional
  }

  package var operand: Operand { Operand(.path(path)) }

  /// Whether it is one value, which can also stand on the right.
  package var isOne: Bool { way.quantifier == nil }

  package var isSumOfIntegers: Bool { path.aggregate == .sum && type == .int64 }
}

/// Makes conditions on the subjects given, with their arguments.
package struct ConditionGenerator {
  /// What is asked of a value.
  package enum Asked: Hashable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case like, contains, beginsWith, endsWith, matches
    case between, among, notAmong, equalNil, notEqualNil, alone
  }

  /// One kind of comparison, whose spread is counted.
  package struct Cell: Hashable {
    package var asked: Asked
    package var family: PropertyType.Family
    package var isOptional: Bool
  }

  /// One kind of comparison, and a way to what is compared.
  package struct CellOfWay: Hashable {
    package var cell: Cell
    package var way: ConditionSubject.Way
  }

  package let subjects: [ConditionSubject]
  package var random: SeededGenerator
  package var arguments: [ConditionArgument] = []
  /// How often each kind of comparison was made, and each by every way.
  package private(set) var count: [Cell: Int] = [:]
  package private(set) var countOfWays: [CellOfWay: Int] = [:]
  /// In the order of the subjects, so that a seed always gives the same conditions.
  package private(set) var cells: [Cell] = []
  package private(set) var ways: [Cell: [ConditionSubject.Way]] = [:]
  private var subjectsOfCells: [CellOfWay: [ConditionSubject]] = [:]
  private var nextCell = 0

  package init(_ subjects: [ConditionSubject], _ random: SeededGenerator) {
    self.subjects = subjects
    self.random = random
    for subject in subjects {
      for asked in Asked.allCases where Self.isAllowed(asked, subject.type.family) {
        // A Bool property alone takes no quantifier.
        if asked == .alone, !subject.isOne { continue }
        let cell = Cell(
          asked: asked, family: subject.type.family, isOptional: subject.isOptional)
        if ways[cell] == nil { cells.append(cell) }
        let cellOfWay = CellOfWay(cell: cell, way: subject.way)
        if subjectsOfCells[cellOfWay] == nil { ways[cell, default: []].append(subject.way) }
        subjectsOfCells[cellOfWay, default: []].append(subject)
      }
    }
  }

  package static func isAllowed(_ asked: Asked, _ family: PropertyType.Family) -> Bool {
    switch asked {
    case .equal, .notEqual, .among, .notAmong, .equalNil, .notEqualNil: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      family != .data && family != .composite
    case .like, .contains, .beginsWith, .endsWith, .matches:
      family == .text || family == .url || family == .uuid
    case .alone: family == .boolean
    }
  }

  /// A condition of one to about eight comparisons, and its arguments.
  package mutating func next() -> (Condition, [ConditionArgument]) {
    arguments = []
    let condition = condition(depth: random.pick([0, 0, 1, 2, 3]))
    return (condition, arguments)
  }

  private mutating func condition(depth: Int) -> Condition {
    if depth == 0 { return leaf() }
    switch random.pick([0, 0, 0, 1, 1, 1, 2, 3]) {
    case 0:
      return .conjunction([
        condition(depth: depth - 1), condition(depth: random.pick([0, depth - 1])),
      ])
    case 1:
      return .disjunction([
        condition(depth: depth - 1), condition(depth: random.pick([0, depth - 1])),
      ])
    case 2: return .not(condition(depth: depth - 1))
    default:
      return random.oneIn(10) ? .constant(random.oneIn(2)) : .not(leaf())
    }
  }

  private mutating func leaf() -> Condition {
    // In turn rather than at random, so that no cell is left out.
    let cell = cells[nextCell % cells.count]
    nextCell += 1
    let ways = ways[cell] ?? []
    let cellOfWay = CellOfWay(cell: cell, way: ways[count[cell, default: 0] % ways.count])
    count[cell, default: 0] += 1
    countOfWays[cellOfWay, default: 0] += 1
    let subject = random.pick(subjectsOfCells[cellOfWay] ?? [])
    var condition = leaf(cell.asked, subject)
    if case .comparison(var comparison) = condition {
      comparison.quantifier = subject.way.quantifier
      condition = .comparison(comparison)
    } else if case .not(.comparison(var comparison)) = condition {
      comparison.quantifier = subject.way.quantifier
      condition = .not(.comparison(comparison))
    }
    return condition
  }

  private mutating func leaf(_ asked: Asked, _ subject: ConditionSubject) -> Condition {
    let left = subject.operand
    switch asked {
    case .equal: return compare(left, .equal, subject)
    case .notEqual: return compare(left, .notEqual, subject)
    case .less: return compare(left, .less, subject)
    case .lessOrEqual: return compare(left, .lessOrEqual, subject)
    case .greater: return compare(left, .greater, subject)
    case .greaterOrEqual: return compare(left, .greaterOrEqual, subject)
    case .like: return search(left, .like, subject)
    case .contains: return search(left, .contains, subject)
    case .beginsWith: return search(left, .beginsWith, subject)
    case .endsWith: return search(left, .endsWith, subject)
    case .matches: return search(left, .matches, subject)
    case .between:
      let bounds = [constant(subject), constant(subject)]
      return .comparison(Comparison(left, .between(.list(bounds))))
    case .among: return among(left, subject)
    case .notAmong: return .not(among(left, subject))
    case .equalNil:
      return .comparison(Comparison(left, .compare(.equal, [], Operand(.literal(.null)))))
    case .notEqualNil:
      return .comparison(Comparison(left, .compare(.notEqual, [], Operand(.literal(.null)))))
    case .alone: return .property(left)
    }
  }

  private mutating func compare(
    _ left: Operand, _ op: ComparisonOperator, _ subject: ConditionSubject
  ) -> Condition {
    let isText = subject.type == .string || subject.type == .url
    let options: TextOptions = isText && random.oneIn(3) ? options() : []
    if random.oneIn(5) {
      let others = subjects.filter { $0.isOne && isComparable($0, subject) }
      if !others.isEmpty {
        return .comparison(
          Comparison(left, .compare(op, options, random.pick(others).operand)))
      }
    }
    let value = constant(subject)
    return subject.isOne && random.oneIn(5)
      ? .comparison(Comparison(value, .compare(op.mirrored, options, left)))
      : .comparison(Comparison(left, .compare(op, options, value)))
  }

  private func isComparable(_ a: ConditionSubject, _ b: ConditionSubject) -> Bool {
    let pair: Set = [a.type.family, b.type.family]
    if pair.contains(.decimal), a.isSumOfIntegers || b.isSumOfIntegers { return false }
    return pair.count == 1 || pair == [.integer, .real] || pair == [.integer, .decimal]
  }

  private mutating func options() -> TextOptions {
    random.pick([.caseBlind, .diacriticBlind, [.caseBlind, .diacriticBlind]])
  }

  private mutating func among(_ left: Operand, _ subject: ConditionSubject) -> Condition {
    let size = random.pick([0, 1, 2, 3, 5])
    var members = (0..<size).map { _ in constant(subject) }
    if random.oneIn(4) { members.append(Operand(.literal(.null))) }
    return .comparison(Comparison(left, .among(.list(members))))
  }

  private mutating func search(
    _ left: Operand, _ op: TextOperator, _ subject: ConditionSubject
  ) -> Condition {
    let text: String
    switch op {
    case .matches:
      text = random.pick([
        "", ".*", "a.*", "[A-Z]+", "b?ob", "(?i)BOB", "\\w+", "a|é", "[^a]*", "\\S+",
      ])
    case .like:
      let parts = [
        "%", "_", "a", "B", "é", "\u{301}", "\\%", "\\_", "\\\\", "ob", "\u{0}", "学", "😀", "%", "-",
        "https", "6BA7",
      ]
      text = (0..<random.pick([0, 1, 2, 3, 4])).map { _ in random.pick(parts) }.joined()
    default:
      let whole =
        subject.type == .string
        ? random.pick(GeneratedTable.texts)
        : subject.type == .url
          ? random.pick(GeneratedTable.urls) : random.pick(GeneratedTable.uuids)
      let scalars = whole.unicodeScalars
      let length = random.oneIn(3) ? scalars.count : min(scalars.count, random.pick([0, 1, 2, 3]))
      text = String(
        String.UnicodeScalarView(
          op == .endsWith ? Array(scalars.suffix(length)) : Array(scalars.prefix(length))))
    }
    var options: TextOptions = random.oneIn(3) ? options() : []
    if op == .matches { options.remove(.diacriticBlind) }
    let strings = subjects.filter { $0.type == .string && $0.isOne }
    if op != .matches, random.oneIn(6), !strings.isEmpty {
      let other = random.pick(strings).operand
      return .comparison(Comparison(left, .text(op, options, other)))
    }
    let value = operand(.text(text), .value(.text(text), .string))
    // A text may also be searched for what a property holds.
    if op != .matches, subject.isOne, random.oneIn(8) {
      return .comparison(Comparison(value, .text(op, options, left)))
    }
    return .comparison(Comparison(left, .text(op, options, value)))
  }

  // MARK: Values

  /// A value for a property: written out or as an argument, also of a kind that is converted.
  private mutating func constant(_ subject: ConditionSubject) -> Operand {
    switch subject.type.family {
    case .boolean:
      let value = random.oneIn(2)
      return random.oneIn(2)
        ? operand(.bool(value), .value(.integer(value ? 1 : 0), .bool))
        : operand(.text(value ? "yes" : "0"), .value(.integer(value ? 1 : 0), .int))
    case .integer, .real: return number()
    case .decimal:
      if random.oneIn(3) { return number(finite: true) }
      let digits = random.pick(GeneratedTable.decimals)
      return operand(.text(digits), .value(.text(digits), .decimal))
    case .text: return text(random.pick(GeneratedTable.texts), .string)
    case .uuid:
      let uuid = random.pick(GeneratedTable.uuids)
      return text(random.oneIn(2) ? uuid.lowercased() : uuid, .uuid)
    case .url: return text(random.pick(GeneratedTable.urls), .url)
    case .date:
      let seconds = random.pick(GeneratedTable.dates)
      if random.oneIn(4) {
        return operand(.text("2023-11-14T22:13:20.123456Z"), .value(.real(seconds), .date))
      }
      return argument(.value(.real(seconds), .date))
    case .data:
      let bytes = random.pick(GeneratedTable.blobs)
      return operand(.data(bytes), .value(.blob(bytes), .data))
    case .composite:
      let json = random.pick(GeneratedTable.composites)
      return argument(.composite(members: nil, json: { json }))
    }
  }

  private mutating func number(finite: Bool = false) -> Operand {
    if random.oneIn(2) {
      let value = random.pick(GeneratedTable.integers)
      return operand(
        random.oneIn(4) ? .text(String(value)) : .integer(value), .value(.integer(value), .int))
    }
    if random.oneIn(4) {
      let digits = random.pick([
        "18.5", "1e3", "9007199254740993.5", "0.1", "-0.0", "99999999999999999999.0", "1.0",
      ])
      return Operand(.literal(.number(digits)))
    }
    let value = random.pick(GeneratedTable.reals)
    return finite && value.isInfinite
      ? operand(.integer(7), .value(.integer(7), .int)) : argument(.value(.real(value), .double))
  }

  private mutating func text(_ text: String, _ type: PropertyType) -> Operand {
    operand(.text(text), .value(.text(text), type))
  }

  private mutating func operand(_ literal: Literal, _ value: ConditionArgument) -> Operand {
    random.oneIn(2) ? Operand(.literal(literal)) : argument(value)
  }

  private mutating func argument(_ value: ConditionArgument) -> Operand {
    arguments.append(value)
    return Operand(.argument(arguments.count - 1, .any))
  }
}
