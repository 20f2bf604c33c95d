import ObjectVaultCondition

extension ConditionSQLWriter {
  mutating func compare(
    _ property: PropertyShape, _ op: ComparisonOperator, _ term: ResolvedTerm,
    _ options: TextOptions, negated: Bool
  ) -> String {
    switch term {
    case .property(let other):
      return compare(property, op, other, options, negated: negated)
    case .value(let value):
      let left =
        options.isEmpty ? compared(property) : "ov_fold(\(column(property)), \(options.rawValue))"
      let asked = negated ? op.negated : op
      let comparison = "\(left) \(asked.sql) \(parameter(value))"
      // nil differs from every value, and has no order: the negation of an order holds for it.
      return asked == .notEqual || (negated && op.isOrdered)
        ? orNil(property, comparison) : comparison
    }
  }

  private func compare(
    _ a: PropertyShape, _ op: ComparisonOperator, _ b: PropertyShape, _ options: TextOptions,
    negated: Bool
  ) -> String {
    let isDecimal = a.type == .decimal || b.type == .decimal
    func side(_ property: PropertyShape) -> String {
      if !options.isEmpty { return "ov_fold(\(column(property)), \(options.rawValue))" }
      // An integer meets a decimal as the decimal it is.
      return isDecimal && property.type != .decimal
        ? "CAST(\(column(property)) AS TEXT)" : column(property)
    }
    let left = side(a) + (isDecimal ? " COLLATE ov_decimal" : "")
    let right = side(b)
    switch negated ? op.negated : op {
    case .equal: return "\(left) \(a.isOptional && b.isOptional ? "IS" : "=") \(right)"
    case .notEqual: return "\(left) \(a.isOptional || b.isOptional ? "IS NOT" : "<>") \(right)"
    case let asked:
      let comparison = "\(left) \(asked.sql) \(right)"
      guard negated else { return comparison }
      var terms = [a, b].filter(\.isOptional).map { "\(column($0)) IS NULL" }
      if terms.isEmpty { return comparison }
      terms.append(comparison)
      return "(\(terms.joined(separator: " OR ")))"
    }
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

  /// The operator that holds of two values where this one does not.
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
