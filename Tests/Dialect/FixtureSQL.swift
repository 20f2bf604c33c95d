import ObjectVaultCondition
import ObjectVaultConformanceFormat
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema

@testable import ObjectVaultStores

/// The SQL that stores write for the steps of a fixture, without a database.
struct FixtureSQL {
  private let classes: [String: ClassDescription]
  private let dialect: any Dialect

  init(_ fixture: Fixture, in dialect: any Dialect) {
    classes = Dictionary(
      fixture.classes.map { ($0.label, $0.description) }, uniquingKeysWith: { first, _ in first })
    self.dialect = dialect
  }

  /// Returns the statements of all steps that ask for objects and succeed.
  ///
  /// - Parameter steps: The steps, with those inside transactions and read scopes.
  /// - Returns: The statements, in order.
  /// - Throws: ``VaultError`` `.invalidCondition` if the engine lacks a capability of a step.
  func statements(_ steps: [Step]) throws -> [String] {
    var statements: [String] = []
    for step in steps {
      statements += try self.statements(step.steps)
      if case .fails = step.expected { continue }
      statements += try self.statements(step)
    }
    return statements
  }

  /// The SQL of a condition: of its first use, and of the uses after its form is known.
  struct Repeated {
    var first: String
    var later: String
  }

  /// Returns the conditions of all steps that ask for objects and succeed, if they have a form.
  func repeatedConditions(_ steps: [Step]) throws -> [Repeated] {
    var found: [Repeated] = []
    for step in steps {
      found += try repeatedConditions(step.steps)
      if case .fails = step.expected { continue }
      guard let (table, checker) = try context(of: step) else { continue }
      for condition in [step.arguments] + step.arguments.list("and") {
        guard case .text(let text)? = condition["where"],
          let resolved = try resolve(condition, by: checker),
          let form = ConditionForm(
            of: try Condition.parse(text), resolved: resolved, by: checker, table)
        else { continue }
        let first = try ConditionSQL(resolved, of: table.sql.queried)
        found.append(
          Repeated(
            first: "\(table.sql.count.text) WHERE \(first.text)", later: form.count.text))
      }
    }
    return found
  }

  /// Returns the class of a step that asks for objects, and the checker of its conditions.
  private func context(of step: Step) throws -> (Table, ConditionChecker)? {
    guard case .text(let label)? = step.arguments["class"], let description = classes[label],
      Self.asking.contains(step.operation)
    else { return nil }
    let name = SQL.quoted(description.table)
    let table = try Table(
      ClassDeclaration(description), insertionOrder: ["\(name).\"ov_seq\""], firstSlot: 0,
      dialect: dialect)
    let checker = ConditionChecker(
      schema: ClassSchema(
        description: description, graph: { ClassGraph(Array(classes.values)) }),
      folding: .standard)
    return (table, checker)
  }

  private func statements(_ step: Step) throws -> [String] {
    let arguments = step.arguments
    guard let (table, checker) = try context(of: step) else { return [] }
    var parts = QueryParts()
    for condition in [arguments] + arguments.list("and") {
      guard let resolved = try resolve(condition, by: checker) else { continue }
      parts = try parts.adding(.checked(resolved))
    }
    let order = try arguments.list("sort").map { sort throws -> SortKey in
      guard case .text(let spelling) = sort else { throw UnexpectedFixture() }
      let sort = Sort(spelling: spelling)
      return try sort.key(of: checker.value(named: sort.property))
    }
    if !order.isEmpty { parts = parts.sorted(by: order) }
    if arguments["offset"] != nil || arguments["length"] != nil {
      parts = parts.range(
        offset: arguments.integer("offset") ?? 0, length: arguments.integer("length"))
    }
    func sql(_ limit: LimitClause? = nil) throws -> QuerySQL {
      try QuerySQL(parts, matching: parts.condition, of: table, limit: limit)
    }
    func columns(_ names: [FixtureValue]) throws -> [String] {
      try names.map { name in
        guard case .text(let path) = name else { throw UnexpectedFixture() }
        var writer = SQLWriter(table.sql.queried)
        return try writer.value(checker.value(named: path))
      }
    }
    switch step.operation {
    case .query, .ids: return [try sql().select.text]
    case .first:
      return [
        try sql(LimitClause(firstFrom: parts.offset, length: parts.length)).select.text
      ]
    case .count: return [try sql().count.text]
    case .exists: return [try sql().exists]
    case .values:
      let columns = try columns(arguments.list("properties"))
      return [try sql().select(columns.joined(separator: ", "))]
    case .distinct:
      let columns = try columns(arguments.list("properties"))
      return [try sql().distinct(columns, order: columns)]
    case .page:
      let size = arguments.integer("size") ?? 0
      return [
        try sql().count.text,
        try sql(LimitClause(offset: (arguments.integer("number") ?? 0) * size, length: size))
          .select.text,
      ]
    case .min, .max, .sum, .average:
      return [try summary(step.operation, arguments, checker, table, sql())]
    default: return []
    }
  }

  private static let asking: Set<FixtureOperation> = [
    .query, .ids, .first, .count, .exists, .values, .distinct, .page, .min, .max, .sum, .average,
  ]

  private func resolve(
    _ condition: FixtureValue, by checker: ConditionChecker
  ) throws -> ResolvedCondition? {
    guard case .text(let text)? = condition["where"] else { return nil }
    var named: [String: ConditionArgument] = [:]
    if case .object(let members)? = condition["named"] {
      for member in members { named[member.name] = try ConditionArgument(member.value.argument) }
    }
    let arguments = try condition.list("arguments").map {
      try ConditionArgument($0.argument)
    }
    return try checker.resolve(
      Condition.parse(text), arguments: arguments, named: named, text: text)
  }

  private func summary(
    _ operation: FixtureOperation, _ arguments: FixtureValue, _ checker: ConditionChecker,
    _ table: Table, _ sql: QuerySQL
  ) throws -> String {
    guard case .text(let path)? = arguments["property"] else { throw UnexpectedFixture() }
    let shape = try checker.value(named: path)
    var writer = SQLWriter(table.sql.queried)
    let part = sql.part("\(try writer.value(shape)) AS ov_v0")
    let function: Aggregate =
      switch operation {
      case .min: .min
      case .max: .max
      case .sum: .sum
      default: .avg
      }
    let type = function == .avg ? PropertyType.double : shape.type
    let call = try dialect.required(
      dialect.aggregate(function, of: "ov_v0", as: type), .aggregates)
    return "SELECT \(call) FROM (\(part)) AS ov_part"
  }
}

/// A fixture that the tests cannot read.
struct UnexpectedFixture: Error {}

extension FixtureValue {
  /// The elements of a list; empty if it is missing.
  fileprivate func list(_ name: String) -> [FixtureValue] {
    if case .list(let elements)? = self[name] { elements } else { [] }
  }

  fileprivate func integer(_ name: String) -> Int? {
    if case .integer(let number)? = self[name] { Int(number) } else { nil }
  }
}
