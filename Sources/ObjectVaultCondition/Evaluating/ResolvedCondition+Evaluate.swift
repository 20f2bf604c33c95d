extension ResolvedCondition {
  /// Whether the condition holds for a row: the reference for what the SQL must give.
  ///
  /// - Parameters:
  ///   - row: Gives the stored value at a property's position.
  ///   - folding: How `[c]` and `[d]` fold values; the one the checker had.
  package func holds(folding: TextFolding, _ row: (Int) -> StoredValue) -> Bool {
    switch self {
    case .constant(let value): return value
    case .and(let terms): return terms.allSatisfy { $0.holds(folding: folding, row) }
    case .or(let terms): return terms.contains { $0.holds(folding: folding, row) }
    case .not(let term): return !term.holds(folding: folding, row)
    case .isNil(let property): return row(property.position).isNull
    case .among(let property, let values):
      let value = row(property.position)
      return values.contains { StoredValue.compare(value, $0, as: property.type) == 0 }
    case .compare(let property, let op, let term, let options):
      return Self.compare(property, op, term, options, folding, row)
    case .text(let search): return search.holds(folding: folding, row)
    }
  }

  private static func compare(
    _ property: PropertyShape, _ op: ComparisonOperator, _ term: ResolvedTerm,
    _ options: TextOptions, _ folding: TextFolding, _ row: (Int) -> StoredValue
  ) -> Bool {
    var left = row(property.position)
    var right: StoredValue
    var type = property.type
    switch term {
    case .value(let value): right = value
    case .property(let other):
      right = row(other.position)
      // An integer meets a decimal as the decimal it is.
      if type.family == .decimal || other.type.family == .decimal {
        type = .decimal
        left = left.asDecimal
        right = right.asDecimal
      }
      right = right.folded(options, folding)
    }
    left = left.folded(options, folding)
    if op.isOrdered, left.isNull || right.isNull { return false }
    return op.holds(StoredValue.compare(left, right, as: type))
  }
}

extension ComparisonOperator {
  /// Whether it holds of two values that stand in that order to each other.
  package func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension StoredValue {
  fileprivate var asDecimal: StoredValue {
    if case .integer(let value) = self { .text(String(value)) } else { self }
  }

  fileprivate func folded(_ options: TextOptions, _ folding: TextFolding) -> StoredValue {
    guard !options.isEmpty, case .text(let text) = self else { return self }
    return .text(folding.fold(text, options))
  }
}

extension TextSearch {
  func holds(folding: TextFolding, _ row: (Int) -> StoredValue) -> Bool {
    guard let text = Self.text(subject, row) else { return false }
    if let matcher { return matcher.matches(text) }
    guard let pattern = Self.text(pattern, row) else { return false }
    // Only MATCHES can fail, and its pattern is never a property.
    let matcher = try? TextMatcher(op, pattern, options: options, folding: folding)
    return matcher?.matches(text) ?? false
  }

  private static func text(_ term: ResolvedTerm, _ row: (Int) -> StoredValue) -> String? {
    let value =
      switch term {
      case .value(let value): value
      case .property(let property): row(property.position)
      }
    if case .text(let text) = value { return text }
    return nil
  }
}
