extension Condition {
  /// The maximum number of comparisons of a tree, which is the number that fits into a text.
  package static let maximumComparisons = maximumTextLength / 3

  /// The nesting depth of the condition: 0 for a single comparison.
  package var depth: Int {
    switch self {
    case .constant, .property, .comparison: return 0
    case .not(let term), .quantified(_, _, let term): return 1 + term.depth
    case .and(let terms), .or(let terms):
      // A loop uses the least space on the stack.
      var deepest = -1
      for term in terms { deepest = max(deepest, term.depth) }
      return 1 + deepest
    }
  }

  /// The number of comparisons.
  package var comparisonCount: Int {
    switch self {
    case .constant, .property, .comparison: return 1
    case .not(let term), .quantified(_, _, let term): return term.comparisonCount
    case .and(let terms), .or(let terms):
      var count = 0
      for term in terms { count += term.comparisonCount }
      return count
    }
  }

  /// Returns whether the condition is a conjunction, or a disjunction if `isConjunction` is
  /// `false`.
  package func isJunction(ofAll isConjunction: Bool) -> Bool {
    switch self {
    case .and: isConjunction
    case .or: !isConjunction
    default: false
    }
  }
}
