import ObjectVaultCondition

extension ConditionSQLWriter {
  mutating func write(
    _ terms: [ResolvedCondition], _ whole: ResolvedCondition, isConjunction: Bool, negated: Bool
  ) -> String {
    if terms.isEmpty { return isConjunction ? "1" : "0" }
    if whole.isNested(deeperThan: ResolvedCondition.parenthesisLimit) {
      return decisions(whole, negated: negated)
    }
    let written = terms.map { write($0, negated: negated) }
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
  private mutating func decisions(_ condition: ResolvedCondition, negated: Bool) -> String {
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
        return "\(text) ELSE \(write(current, negated: isNegated)) END"
      }
      let heaviest = ResolvedCondition.heaviest(of: terms)
      for (position, term) in terms.enumerated() where position != heaviest {
        let deciding = write(term, negated: isConjunction ? !isNegated : isNegated)
        text += " WHEN \(deciding) THEN \(isConjunction ? 0 : 1)"
      }
      current = terms[heaviest]
    }
  }
}
