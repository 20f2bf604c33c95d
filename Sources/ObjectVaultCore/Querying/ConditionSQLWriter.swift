import ObjectVaultCondition

/// Writes checked conditions as SQL.
///
/// Negation is pushed down to the comparisons, where it can be said without a function and an
/// index can serve it. So every expression is asked for truth only, and NULL may mean false.
struct ConditionSQLWriter {
  let parameterLimit: Int
  let firstList: Int
  /// The row of the object that is asked.
  let root: RowSource
  /// The row that a quantifier goes through, where one does.
  var element: RowSource?
  /// How many aliases of tables were given.
  var aliasCount = 0
  private(set) var values: [StoredValue] = []
  private var lists: [ConditionSQL.List] = []
  /// Values beyond the limit of parameters, in a table of their own.
  private var overflow: [StoredValue] = []

  init(table: String, columns: [String], parameterLimit: Int = 0, firstList: Int = 0) {
    root = RowSource(table: table, quotedColumns: columns)
    self.parameterLimit = parameterLimit
    self.firstList = firstList
  }

  var allLists: [ConditionSQL.List] {
    overflow.isEmpty
      ? lists
      : lists + [
        ConditionSQL.List(number: firstList, table: overflowTable, values: overflow)
      ]
  }

  private var overflowTable: String { "ov_values_\(firstList)" }

  mutating func write(_ condition: ResolvedCondition, negated: Bool) -> String {
    switch condition {
    case .constant(let value): value != negated ? "1" : "0"
    case .not(let term): write(term, negated: !negated)
    case .and(let terms): write(terms, condition, isConjunction: !negated, negated: negated)
    case .or(let terms): write(terms, condition, isConjunction: negated, negated: negated)
    case .isNil(let shape): "\(value(shape, isStored: true)) IS \(negated ? "NOT " : "")NULL"
    case .compare(let shape, let op, let term, let options):
      compare(shape, op, term, options, negated: negated)
    case .among(let shape, let values): among(shape, values, negated: negated)
    case .text(let search): self.search(search, negated: negated)
    case .quantified(let quantifier, let steps, let test):
      quantified(quantifier, steps, test, negated: negated)
    }
  }

  // MARK: Parts

  /// A value as it is compared: decimals as numbers, shared contents by their digests.
  mutating func compared(_ shape: ValueShape) -> String {
    shape.isComparedByDigest ? value(shape, isStored: true) : ordered(shape)
  }

  /// A value as it is sorted: decimals as numbers.
  mutating func ordered(_ shape: ValueShape) -> String {
    shape.type == .decimal ? "\(value(shape)) COLLATE ov_decimal" : value(shape)
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

  /// What stands for a content in the rows of a shared property.
  mutating func digest(_ value: StoredValue) -> String {
    SharedBlobs.digest(of: parameter(value))
  }

  mutating func among(
    _ shape: ValueShape, _ members: [StoredValue], negated: Bool
  ) -> String {
    let compared = compared(shape)
    let list: String
    // Long lists leave room for the other values of the statement.
    if members.count <= parameterLimit / 2, values.count + members.count <= parameterLimit {
      let member = shape.isComparedByDigest ? SharedBlobs.digest(of: "?") : "?"
      list = Array(repeating: member, count: members.count).joined(separator: ", ")
      values += members
    } else {
      let number = firstList + lists.count
      let table = TemporaryTables.list(number)
      lists.append(ConditionSQL.List(number: number, table: table, values: members))
      let member = shape.isComparedByDigest ? SharedBlobs.digest(of: "\"value\"") : "\"value\""
      list = "SELECT \(member) FROM temp.\(SQLIdentifier(table))"
    }
    if !negated { return "\(compared) IN (\(list))" }
    return orNil(shape, "\(compared) NOT IN (\(list))")
  }

  /// A comparison with what is not nil that also holds where the value is nil.
  mutating func orNil(_ shape: ValueShape, _ comparison: String) -> String {
    if !shape.isOptional { return comparison }
    // Only what an index can serve is worth being read twice.
    return shape.isColumn
      ? "(\(value(shape, isStored: true)) IS NULL OR \(comparison))" : "ifnull(\(comparison), 1)"
  }
}

extension ValueShape {
  /// Whether it is the property of a row in which digests stand for long values. Two of them are equal
  /// where their contents are.
  var isComparedByDigest: Bool { isShared && aggregate == nil && computation == nil }
}
