extension Condition {
  /// The maximum number of comparisons of a tree, which is the number that fits into a text.
  package static let maximumComparisons = maximumTextLength / 3

  /// The nesting depth of the condition: 0 for a single comparison.
  package var depth: Int {
    switch self {
    case .constant: return 0
    case .property, .comparison: return depthOfSubqueries
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
    case .constant: return 1
    case .property, .comparison: return 1 + comparisonsOfSubqueries
    case .not(let term), .quantified(_, _, let term): return term.comparisonCount
    case .and(let terms), .or(let terms):
      var count = 0
      for term in terms { count += term.comparisonCount }
      return count
    }
  }

  // Functions of their own, so that those above use little space on the stack.

  /// The conditions of the subqueries in a comparison.
  package var subqueryTests: [Condition] {
    switch self {
    case .property(let operand): operand.subqueryTests
    case .comparison(let comparison):
      comparison.left.subqueryTests + comparison.test.operands.flatMap(\.subqueryTests)
    case .constant, .and, .or, .not, .quantified: []
    }
  }

  private var depthOfSubqueries: Int { subqueryTests.map { 1 + $0.depth }.max() ?? 0 }

  private var comparisonsOfSubqueries: Int {
    subqueryTests.reduce(0) { $0 + $1.comparisonCount }
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

extension Operand {
  /// The conditions of the subqueries in the operand, without those inside of them.
  fileprivate var subqueryTests: [Condition] {
    switch kind {
    case .subquery(_, let test): [test]
    case .arithmetic(_, let left, let right): left.subqueryTests + right.subqueryTests
    case .cased(_, let operand): operand.subqueryTests
    case .path, .literal, .argument, .namedArgument, .pathArgument, .now: []
    }
  }
}
