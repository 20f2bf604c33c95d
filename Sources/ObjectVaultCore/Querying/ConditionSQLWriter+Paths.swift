import ObjectVaultCondition

/// A row of a statement, by how its columns are named: always with the table, since the engine takes
/// a quoted name alone that is no column for a text.
struct RowSource {
  /// The table's name or alias, with a dot behind it.
  private let prefix: String
  private let columns: [String]
  private let isQuoted: Bool

  /// The row that the statement is about.
  init(table: String, quotedColumns: [String]) {
    prefix = table + "."
    columns = quotedColumns
    isQuoted = true
  }

  /// A row that a step leads to.
  init(alias: String, columns: [String]) {
    prefix = alias + "."
    self.columns = columns
    isQuoted = false
  }

  func column(_ position: Int) -> String {
    prefix + (isQuoted ? columns[position] : SQLIdentifier(columns[position]).description)
  }
}

extension ConditionSQLWriter {
  /// A value as an expression: a column, or a subquery where the value is behind an association.
  mutating func value(_ shape: ValueShape) -> String { value(shape, isStored: false) }

  /// A value as an expression.
  ///
  /// - Parameter isStored: Whether what stands for a shared content does, which it is equal by.
  mutating func value(_ shape: ValueShape, isStored: Bool) -> String {
    if let computation = shape.computation { return calculation(computation) }
    if let aggregate = shape.aggregate { return self.aggregate(aggregate, shape) }
    let source = shape.origin == .element ? element ?? root : root
    return value(
      at: shape.position, across: shape.steps, from: source, isShared: shape.isShared && !isStored)
  }

  /// A value as an expression: a column, a subquery or a parameter.
  mutating func value(of term: ResolvedTerm) -> String {
    switch term {
    case .shape(let shape): value(shape)
    case .value(let constant): parameter(constant)
    }
  }

  /// Of the objects at the end of the steps, any, all or none pass the test.
  mutating func quantified(
    _ quantifier: Comparison.Quantifier, _ steps: [AssociationStep], _ test: ResolvedCondition,
    negated: Bool
  ) -> String {
    let (tables, conditions, end) = joined(steps[...], from: root)
    let outside = element
    element = end
    defer { element = outside }
    // All pass where none is there that does not.
    let asked = write(test, negated: quantifier == .all)
    let exists = "EXISTS (SELECT 1 FROM \(tables) WHERE \(conditions) AND \(asked))"
    return (quantifier == .any) == negated ? "NOT \(exists)" : exists
  }

  private mutating func value(
    at position: Int, across steps: [AssociationStep], from source: RowSource, isShared: Bool
  ) -> String {
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
    let value = isShared ? SharedBlobs.content(of: column) : column
    return steps.isEmpty ? value : "(SELECT \(value)\(clauses))"
  }

  private mutating func aggregate(_ aggregate: Aggregate, _ shape: ValueShape) -> String {
    let (elements, steps) = shape.stepsOfAggregate
    let (tables, conditions, end) = joined(elements, from: root)
    let from = "FROM \(tables) WHERE \(conditions)"
    let value =
      aggregate == .count
      ? nil : value(at: shape.position, across: steps, from: end, isShared: shape.isShared)
    return "(SELECT \(aggregate.sql(of: value, as: shape.type)) \(from))"
  }

  /// The tables of steps one after another, what their rows agree in, and the last one's row.
  private mutating func joined(
    _ steps: ArraySlice<AssociationStep>, from source: RowSource
  ) -> (tables: String, conditions: String, end: RowSource) {
    var tables: [String] = []
    var conditions: [String] = []
    var near = source
    for step in steps {
      aliasCount += 1
      let alias = "ov_\(aliasCount)"
      let far = RowSource(alias: alias, columns: step.columns)
      tables.append("\(SQLIdentifier(step.table)) AS \(alias)")
      conditions += step.pairs.map { "\(far.column($0.far)) = \(near.column($0.near))" }
      near = far
    }
    // The engine keeps the order of a CROSS JOIN: from the object outwards, along the indexes.
    return (
      tables.joined(separator: " CROSS JOIN "), conditions.joined(separator: " AND "), near
    )
  }
}

extension ExactSum.Kind {
  /// The name of the registered aggregate that makes it.
  var functionName: String {
    switch self {
    case .integer: "ov_sum"
    case .real: "ov_sum_real"
    case .decimal: "ov_sum_decimal"
    }
  }
}
