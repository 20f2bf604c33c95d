extension Condition {
  /// How deep conditions may stand in one another in a tree: each parenthesis or negation of a text
  /// makes two levels at most.
  package static let maximumTreeDepth = maximumDepth * 2
  /// How many comparisons a tree may have: as many as a text could.
  package static let maximumComparisons = maximumTextLength / 3

  /// How deep conditions stand in one another: 0 for a comparison alone.
  package var depth: Int {
    switch self {
    case .constant, .property, .comparison: 0
    case .not(let term), .quantified(_, _, let term): 1 + term.depth
    case .and(let terms), .or(let terms): 1 + (terms.map(\.depth).max() ?? -1)
    }
  }

  /// How many comparisons there are.
  package var comparisonCount: Int {
    switch self {
    case .constant, .property, .comparison: 1
    case .not(let term), .quantified(_, _, let term): term.comparisonCount
    case .and(let terms), .or(let terms): terms.reduce(0) { $0 + $1.comparisonCount }
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
