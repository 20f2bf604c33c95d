/// The nesting depth of a condition as an expression of the engine.
///
/// The parser of SQLite before 3.46 has a stack of 100 entries. Every open construct around the
/// deepest comparison uses some of them. The numbers were measured with SQLite 3.15.2.
extension ResolvedCondition {
  /// The number of terms joined in one pair of parentheses.
  ///
  /// The engine limits the height of an expression, and the length of a chain counts as height.
  package static let chainLength = 40
  /// The depth to which `AND` and `OR` are nested in parentheses before a `CASE` takes over.
  package static let parenthesisLimit = 8
  /// The number of entries that a condition may use; the enclosing statements use at most 23.
  package static let maximumStack = 72

  private enum Entries {
    /// `(a AND (b`, for each division of a chain.
    static let parenthesis = 3
    /// `CASE WHEN a THEN 0 WHEN b`.
    static let decision = 4
    /// `NOT EXISTS (SELECT 1 FROM t WHERE a = b AND (`.
    static let quantifier = 11
    /// `ifnull(x <> ov_fold(y, z), 1)` around columns.
    static let comparison = 8
    /// The same around `ov_calculate('…', a, (SELECT x FROM t WHERE a = b AND c = d))`.
    static let calculation = 27
    /// `(SELECT count(*) FROM t WHERE a = b AND (` in a comparison.
    static let count = 13
    /// `ov_length(` around the subquery.
    static let call = 4
  }

  private static func stackUse(_ shape: ValueShape) -> Int {
    if shape.isColumn { return Entries.comparison }
    let counts = shape.matchCounts
    if !counts.isEmpty {
      let isCalculated = if case .matchCount = shape.computation { false } else { true }
      return (isCalculated ? Entries.calculation : 0) + Entries.count
        + (counts.map(\.test.stackUse).max() ?? 0)
    }
    return shape.computation == nil ? Entries.calculation : Entries.calculation + Entries.call
  }

  /// The largest number of entries of the parser's stack that the condition uses.
  package var stackUse: Int {
    switch self {
    case .constant: return 0
    case .not(let term): return term.stackUse
    case .and(let terms), .or(let terms):
      if isNested(deeperThan: Self.parenthesisLimit) { return stackUseOfDecisions }
      var deepest = 0
      for term in terms { deepest = max(deepest, term.stackUse) }
      var levels = 1
      var groups = terms.count
      while groups > Self.chainLength {
        groups = (groups + Self.chainLength - 1) / Self.chainLength
        levels += 1
      }
      return Entries.parenthesis * levels + deepest
    case .isNil(let shape), .among(let shape, _), .compare(let shape, _, .value, _):
      return Self.stackUse(shape)
    case .compare(let shape, _, .shape(let other), _):
      return max(Self.stackUse(shape), Self.stackUse(other))
    // A search can have a call for a text.
    case .text, .elements: return Entries.calculation + Entries.call
    case .quantified(_, _, let test): return Entries.quantifier + test.stackUse
    }
  }

  /// The number of entries of one `CASE`, with the deepest branch at its end.
  private var stackUseOfDecisions: Int {
    var deepest = 0
    var current = self
    while true {
      switch current {
      case .not(let term):
        current = term
        continue
      case .and(let terms) where !terms.isEmpty, .or(let terms) where !terms.isEmpty:
        let heaviest = Self.heaviest(of: terms)
        for (position, term) in terms.enumerated() where position != heaviest {
          deepest = max(deepest, term.stackUse)
        }
        current = terms[heaviest]
        continue
      default: break
      }
      return Entries.decision + max(deepest, current.stackUse)
    }
  }

  /// The position of the term with the most comparisons.
  package static func heaviest(of terms: [ResolvedCondition]) -> Int {
    terms.indices.max { terms[$0].comparisonCount < terms[$1].comparisonCount } ?? 0
  }

  /// Whether `AND` and `OR` are nested deeper than a limit, without those in a quantifier.
  package func isNested(deeperThan limit: Int) -> Bool {
    switch self {
    case .and(let terms), .or(let terms):
      limit == 0 || terms.contains { $0.isNested(deeperThan: limit - 1) }
    case .not(let term): term.isNested(deeperThan: limit)
    default: false
    }
  }

  /// The number of comparisons.
  package var comparisonCount: Int {
    switch self {
    case .and(let terms), .or(let terms):
      var count = 0
      for term in terms { count += term.comparisonCount }
      return count
    case .not(let term), .quantified(_, _, let term): return term.comparisonCount
    case .isNil, .among, .compare: return 1 + comparisonsOfCounts
    case .constant, .text, .elements: return 1
    }
  }

  // Functions of their own, so that those around use little space on the stack.

  /// The numbers of matching objects from which a comparison calculates.
  package var matchCounts: [MatchCount] {
    switch self {
    case .isNil(let shape), .among(let shape, _), .compare(let shape, _, .value, _):
      shape.matchCounts
    case .compare(let shape, _, .shape(let other), _): shape.matchCounts + other.matchCounts
    case .constant, .and, .or, .not, .text, .quantified, .elements: []
    }
  }

  private var comparisonsOfCounts: Int {
    matchCounts.reduce(0) { $0 + $1.test.comparisonCount }
  }

  private var iterationsOfCounts: Int { matchCounts.map { 1 + $0.test.iterationDepth }.max() ?? 0 }

  /// The number of iterations that are nested.
  private var iterationDepth: Int {
    switch self {
    case .and(let terms), .or(let terms):
      var deepest = 0
      for term in terms { deepest = max(deepest, term.iterationDepth) }
      return deepest
    case .not(let term): return term.iterationDepth
    case .quantified(_, _, let test): return 1 + test.iterationDepth
    case .isNil, .among, .compare: return iterationsOfCounts
    case .constant, .text, .elements: return 0
    }
  }

  /// The reason why the engine cannot parse the condition, or `nil` if it can.
  package var excess: String? {
    // A condition with fewer comparisons is never too deep, unless iterations are nested.
    let depth = iterationDepth
    guard comparisonCount > Self.parenthesisLimit || depth > 1, stackUse > Self.maximumStack else {
      return nil
    }
    if depth > 1 {
      return
        "ANY, ALL, NONE and SUBQUERY are nested too deep around calculations, AND and OR. Simplify "
        + "the condition."
    }
    return
      "The condition alternates AND and OR too many levels deep. Join many comparisons with one "
      + "AND or one OR, or query one of many values with IN."
  }
}

extension ValueShape {
  /// The numbers of matching objects from which the value is calculated.
  var matchCounts: [MatchCount] {
    func counts(_ term: ResolvedTerm) -> [MatchCount] {
      if case .shape(let shape) = term { shape.matchCounts } else { [] }
    }
    return switch computation {
    case .matchCount(let count): [count]
    case .arithmetic(_, _, let left, let right): counts(left) + counts(right)
    case .length, .cased, .member, .memberCount, .now, nil: []
    }
  }
}
