package import ObjectVaultCondition
package import ObjectVaultDriver

/// A row of a statement and the names of its columns.
///
/// Column names are always qualified with the table: SQLite treats an unqualified quoted name that
/// is not a column as a string literal.
struct RowSource {
  /// The name or alias of the table, followed by a dot.
  private let prefix: String
  private let columns: [String]
  private let isQuoted: Bool
  /// The positions of the columns with a collation of another program.
  private let collated: Set<Int>
  private let dialect: any Dialect

  /// Creates the row of the queried table.
  init(_ table: QueriedTable) {
    prefix = table.name + "."
    columns = table.columns
    isQuoted = true
    collated = table.own
    dialect = table.dialect
  }

  /// Creates the row at the end of an association step.
  init(
    alias: String, _ step: AssociationStep, _ collated: CollatedColumns?, _ dialect: any Dialect
  ) {
    prefix = alias + "."
    columns = step.columns
    isQuoted = false
    self.collated = collated?.positions(of: step.columns, in: step.table) ?? []
    self.dialect = dialect
  }

  /// Returns a column as a value that compares by its bytes.
  func column(_ position: Int) -> String {
    collated.contains(position) ? dialect.comparedByBytes(name(position)) : name(position)
  }

  private func name(_ position: Int) -> String {
    prefix + (isQuoted ? columns[position] : SQLIdentifier(columns[position]).description)
  }

  /// Returns the condition that a column equals that of another row.
  ///
  /// For a column with a collation, it uses the column's index first.
  func isEqual(_ position: Int, to other: RowSource, _ otherPosition: Int) -> String {
    let test = "\(column(position)) = \(other.column(otherPosition))"
    guard collated.contains(position) else { return test }
    return "\(name(position)) = \(other.name(otherPosition)) AND \(test)"
  }
}

extension SQLWriter {
  /// Returns a value as an expression: a column, or a subquery if it is behind an association.
  package mutating func value(_ shape: ValueShape) throws(VaultError) -> String {
    try value(shape, isStored: false)
  }

  /// Returns a value as an expression.
  ///
  /// - Parameters:
  ///   - shape: The value.
  ///   - isStored: Whether to return the digest of a shared content in place of the content. Shared
  ///     contents are compared for equality by digest.
  /// - Returns: A column, a subquery or a function call.
  /// - Throws: `.invalidCondition` if the engine lacks a capability that the value needs.
  mutating func value(_ shape: ValueShape, isStored: Bool) throws(VaultError) -> String {
    if let computation = shape.computation { return try computed(computation) }
    if let aggregate = shape.aggregate { return try self.aggregate(aggregate, shape) }
    return try value(
      at: shape.position, across: shape.steps, from: source(shape.origin),
      isShared: shape.isShared && !isStored)
  }

  private func source(_ origin: ValueShape.Origin) -> RowSource {
    switch origin {
    case .object: root
    case .element(let level): elements[level - 1]
    }
  }

  /// Returns a value as an expression: a column, a subquery or a parameter.
  mutating func value(of term: ResolvedTerm) throws(VaultError) -> String {
    switch term {
    case .shape(let shape): try value(shape)
    case .value(let constant): try parameter(constant)
    }
  }

  /// Returns a test on any, all or none of the objects at the end of the steps.
  mutating func quantified(
    _ quantifier: Comparison.Quantifier, _ iteration: Iteration, _ test: ResolvedCondition,
    negated: Bool
  ) throws(VaultError) -> String {
    // All objects match if none fails the test.
    let rows = try matching(iteration, test, negated: quantifier == .all)
    let exists = "EXISTS (SELECT 1 \(rows))"
    return (quantifier == .any) == negated ? "NOT \(exists)" : exists
  }

  /// Returns the rows of an iteration that satisfy its condition, as the end of a `SELECT`.
  private mutating func matching(
    _ iteration: Iteration, _ test: ResolvedCondition, negated: Bool
  ) throws(VaultError) -> String {
    let (tables, conditions, end) = joined(
      iteration.steps[...], from: source(iteration.origin))
    elements.append(end)
    defer { elements.removeLast() }
    return "FROM \(tables) WHERE \(conditions) AND \(try write(test, negated: negated))"
  }

  private mutating func value(
    at position: Int, across steps: [AssociationStep], from source: RowSource, isShared: Bool
  ) throws(VaultError) -> String {
    let end: RowSource
    var clauses = ""
    if steps.isEmpty {
      end = source
    } else {
      let (tables, conditions, last) = joined(steps[...], from: source)
      end = last
      clauses = " FROM \(tables) WHERE \(conditions)"
    }
    let column = end.column(position)
    let value = try dialect.read(column, isShared: isShared)
    return steps.isEmpty ? value : "(SELECT \(value)\(clauses))"
  }

  private mutating func aggregate(
    _ aggregate: Aggregate, _ shape: ValueShape
  ) throws(VaultError) -> String {
    let (elements, steps) = shape.stepsOfAggregate
    let (tables, conditions, end) = joined(elements, from: source(shape.origin))
    let from = "FROM \(tables) WHERE \(conditions)"
    let value =
      aggregate == .count
      ? nil : try value(at: shape.position, across: steps, from: end, isShared: shape.isShared)
    let call = try dialect.required(
      dialect.aggregate(aggregate, of: value, as: shape.type), .aggregates)
    return "(SELECT \(call) \(from))"
  }

  /// Returns the joined tables of the steps, the join conditions and the row of the last table.
  private mutating func joined(
    _ steps: ArraySlice<AssociationStep>, from source: RowSource
  ) -> (tables: String, conditions: String, end: RowSource) {
    var tables: [String] = []
    var conditions: [String] = []
    var near = source
    for step in steps {
      aliasCount += 1
      let alias = "ov_\(aliasCount)"
      let far = RowSource(alias: alias, step, collated, dialect)
      tables.append("\(SQLIdentifier(step.table)) AS \(alias)")
      conditions += step.pairs.map { far.isEqual($0.far, to: near, $0.near) }
      near = far
    }
    // SQLite keeps the order of a CROSS JOIN: from the object outwards, along the indexes.
    return (
      tables.joined(separator: " CROSS JOIN "), conditions.joined(separator: " AND "), near
    )
  }

  // MARK: Calculations

  private mutating func computed(_ computation: Computation) throws(VaultError) -> String {
    switch computation {
    case .arithmetic: return try calculation(computation)
    case .length(let shape): return try dialect.required(dialect.length(value(shape)), .lengths)
    case .cased(let textCase, let shape):
      return try dialect.required(dialect.cased(value(shape), textCase), .textCases)
    case .member(let member, let kind):
      // The order of the parameters is that of the text.
      let json = try value(member.shape)
      return try dialect.required(
        dialect.member(of: json, keys(member), kind), .collections)
    case .memberCount(let member):
      let json = try value(member.shape)
      return try dialect.required(dialect.memberCount(of: json, keys(member)), .collections)
    case .matchCount(let count):
      let rows = try matching(count.iteration, count.test, negated: false)
      let call = try dialect.required(
        dialect.aggregate(.count, of: nil, as: .int64), .aggregates)
      return "(SELECT \(call) \(rows))"
    case .now(let offset):
      if offset == 0 { return dialect.now }
      return "(\(dialect.now) + \(try parameter(.real(offset))))"
    }
  }

  private mutating func keys(_ member: JSONMember) throws(VaultError) -> [String] {
    var keys: [String] = []
    for key in member.keys { keys.append(try parameter(.text(key))) }
    return keys
  }

  /// Returns a test that any, all or none of the elements of a list must pass.
  mutating func elements(
    _ quantifier: Comparison.Quantifier, _ list: JSONMember, _ test: ElementTest,
    _ term: ResolvedTerm, negated: Bool
  ) throws(VaultError) -> String {
    let right = try value(of: term)
    let json = try value(list.shape)
    let found = try dialect.required(
      dialect.hasElement(in: json, keys(list), test, right, failing: quantifier == .all),
      .collections)
    return (quantifier == .any) == negated ? "NOT \(found)" : found
  }

  private mutating func calculation(_ computation: Computation) throws(VaultError) -> String {
    var steps: [CalculationStep] = []
    var operands: [String] = []
    try add(computation, &steps, &operands)
    return try dialect.required(dialect.calculation(steps, operands), .calculations)
  }

  private mutating func add(
    _ computation: Computation, _ steps: inout [CalculationStep], _ operands: inout [String]
  ) throws(VaultError) {
    guard case .arithmetic(let kind, let op, let left, let right) = computation else { return }
    // Left before right: the order of the parameters in the text.
    for term in [left, right] {
      if case .shape(let shape) = term, let inner = shape.computation, case .arithmetic = inner {
        try add(inner, &steps, &operands)
      } else {
        operands.append(try value(of: term))
        steps.append(.value)
      }
    }
    steps.append(CalculationStep(kind, op))
  }
}

extension SortKey {
  /// Returns the key as a term of `ORDER BY`.
  ///
  /// By default, nil is first in ascending and last in descending order.
  ///
  /// - Parameter table: The queried table.
  /// - Returns: One or two ordering terms.
  /// - Throws: `.invalidCondition` if the engine lacks a capability that the key needs.
  package func sql(of table: QueriedTable) throws(VaultError) -> String {
    var writer = SQLWriter(table)
    return try sql(&writer)
  }

  /// Returns the key as a term of `ORDER BY`, with the column names of a writer.
  package func sql(_ writer: inout SQLWriter) throws(VaultError) -> String {
    let dialect = writer.dialect
    let column = try writer.value(value)
    let expression =
      options.isEmpty
      ? dialect.ordered(column, as: value.type)
      : try dialect.required(dialect.folded(column, options), .foldedText)
    return dialect.sortTerm(
      expression, isNull: "\(column) IS NULL", isAscending: isAscending,
      isNilFirst: value.isOptional ? isNilFirst ?? isAscending : nil)
  }
}
