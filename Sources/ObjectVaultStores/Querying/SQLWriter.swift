package import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema

/// A table as the statements of a query name it.
package struct QueriedTable: Sendable {
  /// The quoted name of the table in the statement.
  package let name: String
  /// The quoted columns by the positions of the properties.
  package let columns: [String]
  /// The dialect of the engine.
  package let dialect: any Dialect
  /// The positions of the columns with a collation of another program.
  let own: Set<Int>
  /// The columns of all tables of the file with such a collation.
  let collated: CollatedColumns?
  /// The keys of sealed values; `nil` if conditions cannot find them.
  let sealers: SealerSource?
}

extension QueriedTable {
  package init(name: String, columns: [String], dialect: any Dialect) {
    self.init(
      name: name, columns: columns, dialect: dialect, own: [], collated: nil, sealers: nil)
  }
}

/// A writer that turns resolved conditions and sort keys into SQL.
///
/// Negation is pushed down to the comparisons, so that it needs no function and can use an index.
/// Every expression is therefore tested for truth only, and NULL counts as false.
package struct SQLWriter {
  package let dialect: any Dialect
  let parameterLimit: Int
  /// The number of the statement's parameters before those of the writer.
  private let parametersBefore: Int
  private let sealers: SealerSource?
  let collated: CollatedColumns?
  let firstList: Int
  /// The row of the queried object.
  let root: RowSource
  /// The rows of the objects of the enclosing iterations, by level.
  var elements: [RowSource] = []
  /// The number of table aliases in use.
  var aliasCount = 0
  private(set) package var values: [StoredValue] = []
  private var lists: [ConditionSQL.List] = []
  /// The values beyond the parameter limit, which are stored in one temporary table.
  private var overflow: [StoredValue] = []

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - table: The queried table.
  ///   - parameterLimit: The greatest number of parameters to write.
  ///   - firstParameter: The number of the first parameter to write.
  ///   - firstList: The number of the first list's temporary table.
  package init(
    _ table: QueriedTable, parameterLimit: Int = 0, firstParameter: Int = 1, firstList: Int = 0
  ) {
    dialect = table.dialect
    sealers = table.sealers
    collated = table.collated
    root = RowSource(table)
    self.parameterLimit = parameterLimit
    parametersBefore = firstParameter - 1
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

  /// Returns a condition as an expression that is true for the rows that match.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - negated: Whether to write its negation.
  /// - Returns: The expression.
  /// - Throws: `.invalidCondition` if the engine lacks a capability that the condition needs.
  package mutating func write(
    _ condition: ResolvedCondition, negated: Bool
  ) throws(VaultError) -> String {
    switch condition {
    case .constant(let value): dialect.constant(value != negated)
    case .not(let term): try write(term, negated: !negated)
    case .and(let terms): try write(terms, condition, isConjunction: !negated, negated: negated)
    case .or(let terms): try write(terms, condition, isConjunction: negated, negated: negated)
    case .isNil(let shape):
      "\(try value(shape, isStored: true)) IS \(negated ? "NOT " : "")NULL"
    case .compare(let shape, let op, let term, let options):
      try compare(shape, op, term, options, negated: negated)
    case .among(let shape, let values): try among(shape, values, negated: negated)
    case .text(let search): try self.search(search, negated: negated)
    case .elements(let quantifier, let list, let test, let term):
      try elements(quantifier, list, test, term, negated: negated)
    case .quantified(let quantifier, let iteration, let test):
      try quantified(quantifier, iteration, test, negated: negated)
    }
  }

  // MARK: Parts

  mutating func parameter(_ value: StoredValue) throws(VaultError) -> String {
    if values.count < parameterLimit {
      values.append(value)
      return dialect.nextParameter(parametersBefore + values.count)
    }
    overflow.append(value)
    return try dialect.required(
      dialect.value(overflow.count, ofTemporary: overflowTable), .longLists)
  }

  mutating func among(
    _ shape: ValueShape, _ members: [StoredValue], negated: Bool
  ) throws(VaultError) -> String {
    if !dialect.mixesTypesInLists, mixesNumbers(shape, members) {
      let tests = members.map { ResolvedCondition.compare(shape, .equal, .value($0), []) }
      return try write(.or(tests), negated: negated)
    }
    let subject = try compared(shape)
    let members = try searched(members, in: shape)
    func member(_ value: String) throws(VaultError) -> String {
      try dialect.compared(value, isShared: shape.isComparedByDigest)
    }
    let list: String
    // Long lists leave room for the other values of the statement.
    if members.count <= parameterLimit / 2, values.count + members.count <= parameterLimit {
      var written: [String] = []
      written.reserveCapacity(members.count)
      for value in members { written.append(try member(parameter(value))) }
      list = written.joined(separator: ", ")
    } else {
      let number = firstList + lists.count
      let table = TemporaryTables.list(number)
      lists.append(ConditionSQL.List(number: number, table: table, values: members))
      list =
        try "SELECT \(member("\"value\"")) FROM "
        + dialect.required(dialect.temporary(table), .longLists)
    }
    let test = dialect.membership(subject, in: list, negated: negated)
    return negated ? try orNil(shape, test) : test
  }

  /// Returns whether a list of values may have other numbers than the values that it is compared
  /// with. A sum of integers can be equal to a double beyond 64 bits.
  private func mixesNumbers(_ shape: ValueShape, _ members: [StoredValue]) -> Bool {
    switch shape.type.family {
    case .real: shape.computation != nil || members.contains(where: \.isInteger)
    case .integer: members.contains { if case .real = $0 { true } else { false } }
    default: false
    }
  }

  /// Returns a comparison that is also true if the value is nil.
  mutating func orNil(
    _ shape: ValueShape, _ comparison: String
  ) throws(VaultError) -> String {
    if !shape.isOptional { return comparison }
    // The value is written twice only if an index can serve it.
    return shape.isColumn
      ? "(\(try value(shape, isStored: true)) IS NULL OR \(comparison))"
      : dialect.orUnknown(comparison)
  }

  /// Returns values as the file contains them for comparisons: those of a findable property as
  /// their indexes.
  func searched(
    _ values: [StoredValue], in shape: ValueShape
  ) throws(VaultError) -> [StoredValue] {
    guard let column = shape.sealed else { return values }
    guard let sealers else {
      throw VaultError(
        .invalidCondition,
        "'\(shape.name)' is sealed, and SQL by hand cannot compare it. Query a store.")
    }
    do {
      let sealer = try sealers.sealer
      return try values.map {
        .blob(try sealer.index(of: SealedEncoding.bytes(of: $0), in: column))
      }
    } catch let error as VaultError {
      throw error
    } catch {
      throw VaultError(
        .internalError, "The index of a sealed value cannot be computed.", underlying: error)
    }
  }

  // MARK: Junctions

  private mutating func write(
    _ terms: [ResolvedCondition], _ whole: ResolvedCondition, isConjunction: Bool, negated: Bool
  ) throws(VaultError) -> String {
    if terms.isEmpty { return dialect.constant(isConjunction) }
    if whole.isNested(deeperThan: ResolvedCondition.parenthesisLimit) {
      return try decisions(whole, negated: negated)
    }
    var written: [String] = []
    written.reserveCapacity(terms.count)
    for term in terms { written.append(try write(term, negated: negated)) }
    return Self.joined(written[...], by: isConjunction ? " AND " : " OR ")
  }

  private static func joined(_ terms: ArraySlice<String>, by separator: String) -> String {
    if terms.count == 1 { return terms[terms.startIndex] }
    let chainLength = ResolvedCondition.chainLength
    if terms.count <= chainLength { return "(\(terms.joined(separator: separator)))" }
    let size = (terms.count + chainLength - 1) / chainLength
    var groups: [String] = []
    var start = terms.startIndex
    while start < terms.endIndex {
      let end = min(terms.endIndex, start + max(size, chainLength))
      groups.append(joined(terms[start..<end], by: separator))
      start = end
    }
    return joined(groups[...], by: separator)
  }

  /// Returns a deeply nested condition as one flat `CASE`.
  ///
  /// The expression follows the deepest branch; the other terms on the way decide early. The depth
  /// of the nested terms halves at every level.
  private mutating func decisions(
    _ condition: ResolvedCondition, negated: Bool
  ) throws(VaultError) -> String {
    var text = "CASE"
    var current = condition
    var isNegated = negated
    while true {
      let isConjunction: Bool
      let terms: [ResolvedCondition]
      switch current {
      case .not(let term):
        current = term
        isNegated.toggle()
        continue
      case .and(let inner) where !inner.isEmpty: (terms, isConjunction) = (inner, !isNegated)
      case .or(let inner) where !inner.isEmpty: (terms, isConjunction) = (inner, isNegated)
      default:
        return "\(text) ELSE \(try write(current, negated: isNegated)) END"
      }
      let heaviest = ResolvedCondition.heaviest(of: terms)
      for (position, term) in terms.enumerated() where position != heaviest {
        let deciding = try write(term, negated: isConjunction ? !isNegated : isNegated)
        text += " WHEN \(deciding) THEN \(dialect.constant(!isConjunction))"
      }
      current = terms[heaviest]
    }
  }
}

extension StoredValue {
  fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }
}

extension ValueShape {
  /// Whether the value is a property stored as digests.
  ///
  /// Two such values are equal if their contents are equal.
  var isComparedByDigest: Bool { isShared && aggregate == nil && computation == nil }
}
