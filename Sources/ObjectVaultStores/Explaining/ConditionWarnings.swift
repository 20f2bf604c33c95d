import ObjectVaultCondition

extension ResolvedCondition {
  /// Warnings about terms that may not match what their author expects.
  var warnings: [String] {
    switch self {
    case .and(let terms), .or(let terms): return terms.flatMap(\.warnings)
    case .not(let term), .quantified(_, _, let term): return term.warnings
    case .text(let search):
      guard search.op == .like, case .shape(let shape) = search.subject,
        case .value(.text(let pattern)) = search.pattern, pattern.hasForeignWildcards
      else { return [] }
      return [
        "'\(shape.name)' LIKE: * and ? are ordinary characters. Write % for any text and _ for one "
          + "character."
      ]
    case .isNil, .compare, .among: return matchCounts.flatMap(\.test.warnings)
    case .constant, .elements: return []
    }
  }
}

extension String {
  /// Whether the text has wildcards of NSPredicate and none of SQL.
  fileprivate var hasForeignWildcards: Bool {
    utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
      && !utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "_") }
  }
}
