import ObjectVaultCondition

extension ResolvedCondition {
  /// The condition that all of them hold; one directly inside another is no nesting.
  static func all(_ terms: [ResolvedCondition]) -> ResolvedCondition {
    .and(
      terms.flatMap { term in
        if case .and(let inner) = term { inner } else { [term] }
      })
  }

  /// The condition that one of them holds.
  static func any(_ terms: [ResolvedCondition]) -> ResolvedCondition {
    .or(
      terms.flatMap { term in
        if case .or(let inner) = term { inner } else { [term] }
      })
  }

  /// The condition that all of it hold, and another one too.
  ///
  /// - Throws: `.invalidCondition` where that is too large.
  static func joining(
    _ first: ResolvedCondition?, _ second: ResolvedCondition
  ) throws(VaultError) -> ResolvedCondition {
    guard let first else { return second }
    return try all([first, second]).checked()
  }

  /// The conditions that must all hold.
  var conjuncts: [ResolvedCondition] {
    if case .and(let terms) = self { terms.flatMap(\.conjuncts) } else { [self] }
  }

  /// The condition itself.
  ///
  /// - Throws: `.invalidCondition` where it is too large to be walked or asked.
  func checked() throws(VaultError) -> ResolvedCondition {
    if let excess = VaultError.excess(depth: depth, comparisons: comparisonCount) { throw excess }
    if let excess { throw VaultError(.invalidCondition, excess) }
    return self
  }

  /// How deep conditions stand in one another: 0 for a comparison alone.
  private var depth: Int {
    switch self {
    case .and(let terms), .or(let terms):
      // A loop takes the least of the stack.
      var deepest = -1
      for term in terms { deepest = max(deepest, term.depth) }
      return 1 + deepest
    case .not(let term), .quantified(_, _, let term): return 1 + term.depth
    case .constant, .isNil, .compare, .text, .among: return 0
    }
  }
}
