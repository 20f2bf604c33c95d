package import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultSchema

/// A writer that turns resolved conditions into SQL.
///
/// Negation is pushed down to the comparisons, so that it needs no function and can use an index.
/// Every expression is therefore tested for truth only, and NULL counts as false.
package struct ConditionSQLWriter {
  let parameterLimit: Int
  let firstList: Int
  /// The row of the queried object.
  let root: RowSource
  /// The row of the current quantifier's elements, if any.
  var element: RowSource?
  /// The number of table aliases in use.
  var aliasCount = 0
  private(set) package var values: [StoredValue] = []
  private var lists: [ConditionSQL.List] = []
  /// The values beyond the parameter limit, which are stored in one temporary table.
  private var overflow: [StoredValue] = []

  package init(table: String, columns: [String], parameterLimit: Int = 0, firstList: Int = 0) {
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

  package mutating func write(_ condition: ResolvedCondition, negated: Bool) -> String {
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

  /// Returns a value for comparison: decimals as numbers, shared blobs as digests.
  mutating func compared(_ shape: ValueShape) -> String {
    shape.isComparedByDigest ? value(shape, isStored: true) : ordered(shape)
  }

  /// Returns a value for sorting: decimals as numbers.
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

  /// Returns the digest of a value, as rows of a shared property store it.
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

  /// Returns a comparison that is also true if the value is nil.
  mutating func orNil(_ shape: ValueShape, _ comparison: String) -> String {
    if !shape.isOptional { return comparison }
    // The value is written twice only if an index can serve it.
    return shape.isColumn
      ? "(\(value(shape, isStored: true)) IS NULL OR \(comparison))" : "ifnull(\(comparison), 1)"
  }
}

extension ValueShape {
  /// Whether the value is a property stored as digests.
  ///
  /// Two such values are equal if their contents are equal.
  var isComparedByDigest: Bool { isShared && aggregate == nil && computation == nil }
}
