import ObjectVaultCondition

/// Writes checked conditions as SQL.
///
/// Negation is pushed down to the comparisons, where it can be said without a function and an
/// index can serve it. So every expression is asked for truth only, and NULL may mean false.
struct ConditionSQLWriter {
  let columns: [String]
  let parameterLimit: Int
  let firstList: Int
  private(set) var values: [StoredValue] = []
  private var lists: [ConditionSQL.List] = []
  /// Values beyond the limit of parameters, in a table of their own.
  private var overflow: [StoredValue] = []

  init(columns: [String], parameterLimit: Int, firstList: Int) {
    self.columns = columns
    self.parameterLimit = parameterLimit
    self.firstList = firstList
  }

  var allLists: [ConditionSQL.List] {
    overflow.isEmpty
      ? lists : lists + [ConditionSQL.List(table: overflowTable, values: overflow)]
  }

  private var overflowTable: String { "ov_values_\(firstList)" }

  mutating func write(_ condition: ResolvedCondition, negated: Bool) -> String {
    switch condition {
    case .constant(let value): value != negated ? "1" : "0"
    case .not(let term): write(term, negated: !negated)
    case .and(let terms): write(terms, condition, isConjunction: !negated, negated: negated)
    case .or(let terms): write(terms, condition, isConjunction: negated, negated: negated)
    case .isNil(let property): "\(column(property)) IS \(negated ? "NOT " : "")NULL"
    case .compare(let property, let op, let term, let options):
      compare(property, op, term, options, negated: negated)
    case .among(let property, let values): among(property, values, negated: negated)
    case .text(let search): self.search(search, negated: negated)
    }
  }

  // MARK: Parts

  func column(_ property: PropertyShape) -> String { columns[property.position] }

  /// A column as it is compared: decimals as numbers.
  func compared(_ property: PropertyShape) -> String {
    property.type == .decimal ? "\(column(property)) COLLATE ov_decimal" : column(property)
  }

  mutating func parameter(_ value: StoredValue) -> String {
    if values.count < parameterLimit {
      values.append(value)
      return "?"
    }
    overflow.append(value)
    return
      "(SELECT \"value\" FROM temp.\(SQLIdentifier(overflowTable)) WHERE rowid = \(overflow.count))"
  }

  mutating func among(
    _ property: PropertyShape, _ members: [StoredValue], negated: Bool
  ) -> String {
    let list: String
    // Long lists leave room for the other values of the statement.
    if members.count <= parameterLimit / 2, values.count + members.count <= parameterLimit {
      list = Array(repeating: "?", count: members.count).joined(separator: ", ")
      values += members
    } else {
      let table = "ov_list_\(firstList + lists.count)"
      lists.append(ConditionSQL.List(table: table, values: members))
      list = "SELECT \"value\" FROM temp.\(SQLIdentifier(table))"
    }
    if !negated { return "\(compared(property)) IN (\(list))" }
    return orNil(property, "\(compared(property)) NOT IN (\(list))")
  }

  /// A comparison that also holds where the property is nil.
  func orNil(_ property: PropertyShape, _ comparison: String) -> String {
    property.isOptional ? "(\(column(property)) IS NULL OR \(comparison))" : comparison
  }
}
