import ObjectVaultCondition
import ObjectVaultSchema

extension ConditionSQLWriter {
  mutating func compare(
    _ shape: ValueShape, _ op: ComparisonOperator, _ term: ResolvedTerm,
    _ options: TextOptions, negated: Bool
  ) -> String {
    switch term {
    case .shape(let other):
      return compare(shape, op, other, options, negated: negated)
    case .value(let constant):
      let left =
        options.isEmpty ? compared(shape) : "ov_fold(\(value(shape)), \(options.rawValue))"
      let asked = negated ? op.negated : op
      let right = shape.isComparedByDigest ? digest(constant) : parameter(constant)
      let comparison = "\(left) \(asked.sql) \(right)"
      // A nil value differs from every value and has no order, so negated order comparisons match
      // it.
      return asked == .notEqual || (negated && op.isOrdered)
        ? orNil(shape, comparison) : comparison
    }
  }

  private mutating func compare(
    _ a: ValueShape, _ op: ComparisonOperator, _ b: ValueShape, _ options: TextOptions,
    negated: Bool
  ) -> String {
    let isDecimal = a.type == .decimal || b.type == .decimal
    let isDigest = a.isComparedByDigest || b.isComparedByDigest
    let left = side(a, isDecimal, options, isDigest) + (isDecimal ? " COLLATE ov_decimal" : "")
    let right = side(b, isDecimal, options, isDigest)
    switch negated ? op.negated : op {
    case .equal: return "\(left) \(a.isOptional && b.isOptional ? "IS" : "=") \(right)"
    case .notEqual: return "\(left) \(a.isOptional || b.isOptional ? "IS NOT" : "<>") \(right)"
    case let asked:
      let comparison = "\(left) \(asked.sql) \(right)"
      let optional = [a, b].filter(\.isOptional)
      guard negated, !optional.isEmpty else { return comparison }
      guard optional.allSatisfy(\.isColumn) else { return "ifnull(\(comparison), 1)" }
      let terms = optional.map { "\(value($0)) IS NULL" } + [comparison]
      return "(\(terms.joined(separator: " OR ")))"
    }
  }

  private mutating func side(
    _ shape: ValueShape, _ isDecimal: Bool, _ options: TextOptions, _ isDigest: Bool
  ) -> String {
    if isDigest {
      let stored = value(shape, isStored: shape.isComparedByDigest)
      return shape.isComparedByDigest ? stored : SharedBlobs.digest(of: stored)
    }
    let value = value(shape)
    if !options.isEmpty { return "ov_fold(\(value), \(options.rawValue))" }
    // Integers are compared with decimals in decimal form.
    return isDecimal && shape.type != .decimal ? "CAST(\(value) AS TEXT)" : value
  }
}

extension ComparisonOperator {
  fileprivate var sql: String {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }

  /// The operator that is true exactly if this operator is false for two values.
  fileprivate var negated: ComparisonOperator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }
}
