extension Condition {
  /// How many comparisons a tree may have: as many as a text could.
  package static let maximumComparisons = maximumTextLength / 3

  /// How deep conditions stand in one another: 0 for a comparison alone.
  package var depth: Int {
    switch self {
    case .constant, .property, .comparison: return 0
    case .not(let term), .quantified(_, _, let term): return 1 + term.depth
    case .and(let terms), .or(let terms):
      // A loop takes the least of the stack.
      var deepest = -1
      for term in terms { deepest = max(deepest, term.depth) }
      return 1 + deepest
    }
  }

  /// How many comparisons there are.
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

  /// Whether it is a conjunction, or a disjunction.
  package func isJunction(ofAll isConjunction: Bool) -> Bool {
    switch self {
    case .and: isConjunction
    case .or: !isConjunction
    default: false
    }
  }
}
