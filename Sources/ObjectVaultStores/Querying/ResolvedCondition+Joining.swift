import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

extension ResolvedCondition {
  /// Returns the conjunction of the conditions; nested conjunctions are flattened.
  static func all(_ terms: [ResolvedCondition]) -> ResolvedCondition {
    .and(
      terms.flatMap { term in
        if case .and(let inner) = term { inner } else { [term] }
      })
  }

  /// Returns the disjunction of the conditions; nested disjunctions are flattened.
  static func any(_ terms: [ResolvedCondition]) -> ResolvedCondition {
    .or(
      terms.flatMap { term in
        if case .or(let inner) = term { inner } else { [term] }
      })
  }

  /// Returns the conjunction of an optional condition and another one.
  ///
  /// - Throws: `.invalidCondition` if the result is too large.
  static func joining(
    _ first: ResolvedCondition?, _ second: ResolvedCondition
  ) throws(VaultError) -> ResolvedCondition {
    guard let first else { return second }
    return try all([first, second]).checked()
  }

  /// The terms of the outermost conjunction.
  var conjuncts: [ResolvedCondition] {
    if case .and(let terms) = self { terms.flatMap(\.conjuncts) } else { [self] }
  }

  /// Returns the condition if its size is within the limits.
  ///
  /// - Throws: `.invalidCondition` if it is too deep or too large to traverse or query.
  func checked() throws(VaultError) -> ResolvedCondition {
    if let excess = VaultError.excess(depth: depth, comparisons: comparisonCount) { throw excess }
    if let excess { throw VaultError(.invalidCondition, excess) }
    return self
  }

  /// The nesting depth: 0 for a single comparison.
  private var depth: Int {
    switch self {
    case .and(let terms), .or(let terms):
      // A loop uses the least stack space.
      var deepest = -1
      for term in terms { deepest = max(deepest, term.depth) }
      return 1 + deepest
    case .not(let term), .quantified(_, _, let term): return 1 + term.depth
    case .isNil, .among, .compare: return depthOfCounts
    case .constant, .text, .elements: return 0
    }
  }

  private var depthOfCounts: Int { matchCounts.map { 1 + $0.test.depth }.max() ?? 0 }
}
