import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultSchema

/// A row of a statement and the names of its columns.
///
/// Column names are always qualified with the table: SQLite treats an unqualified quoted name that
/// is not a column as a string literal.
struct RowSource {
  /// The name or alias of the table, followed by a dot.
  private let prefix: String
  private let columns: [String]
  private let isQuoted: Bool

  /// Creates the row of the queried table.
  init(table: String, quotedColumns: [String]) {
    prefix = table + "."
    columns = quotedColumns
    isQuoted = true
  }

  /// Creates the row at the end of an association step.
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
  /// Returns a value as an expression: a column, or a subquery if it is behind an association.
  mutating func value(_ shape: ValueShape) -> String { value(shape, isStored: false) }

  /// Returns a value as an expression.
  ///
  /// - Parameters:
  ///   - shape: The value.
  ///   - isStored: Whether to return the digest of a shared blob in place of its content. Shared
  ///     blobs are compared for equality by digest.
  /// - Returns: A column, a subquery or a function call.
  mutating func value(_ shape: ValueShape, isStored: Bool) -> String {
    if let computation = shape.computation { return calculation(computation) }
    if let aggregate = shape.aggregate { return self.aggregate(aggregate, shape) }
    let source = shape.origin == .element ? element ?? root : root
    return value(
      at: shape.position, across: shape.steps, from: source, isShared: shape.isShared && !isStored)
  }

  /// Returns a value as an expression: a column, a subquery or a parameter.
  mutating func value(of term: ResolvedTerm) -> String {
    switch term {
    case .shape(let shape): value(shape)
    case .value(let constant): parameter(constant)
    }
  }

  /// Returns a test on any, all or none of the objects at the end of the steps.
  mutating func quantified(
    _ quantifier: Comparison.Quantifier, _ steps: [AssociationStep], _ test: ResolvedCondition,
    negated: Bool
  ) -> String {
    let (tables, conditions, end) = joined(steps[...], from: root)
    let outside = element
    element = end
    defer { element = outside }
    // All objects match if none fails the test.
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
      let far = RowSource(alias: alias, columns: step.columns)
      tables.append("\(SQLIdentifier(step.table)) AS \(alias)")
      conditions += step.pairs.map { "\(far.column($0.far)) = \(near.column($0.near))" }
      near = far
    }
    // SQLite keeps the order of a CROSS JOIN: from the object outwards, along the indexes.
    return (
      tables.joined(separator: " CROSS JOIN "), conditions.joined(separator: " AND "), near
    )
  }
}
