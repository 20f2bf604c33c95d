/// A condition on objects before it is checked against a class.
///
/// Condition text, typed expressions and `#Predicate` are all converted to this tree. Of its source
/// text the tree contains only the positions for errors, which equality ignores.
package indirect enum Condition: Sendable, Hashable {
  /// `TRUEPREDICATE` and `FALSEPREDICATE`.
  case constant(Bool)
  /// A condition that all terms are true.
  ///
  /// Create it with ``conjunction(_:)``, which merges a directly nested conjunction.
  case and([Condition])
  /// A condition that at least one term is true. Create it with ``disjunction(_:)``.
  case or([Condition])
  /// The negation of a condition.
  case not(Condition)
  /// A single property of type Bool.
  case property(Operand)
  /// A comparison.
  case comparison(Comparison)
  /// A condition that any, all or none of the objects of a to-many path satisfy individually.
  ///
  /// Paths inside that begin with this path refer to the object that is being tested.
  case quantified(Comparison.Quantifier, Operand, Condition)

  /// Returns the condition that all `terms` are true; without terms it is always true.
  package static func conjunction(_ terms: [Condition]) -> Condition {
    var flat: [Condition] = []
    for term in terms {
      if case .and(let inner) = term { flat += inner } else { flat.append(term) }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(true) : .and(flat)
  }

  /// Returns the condition that one of `terms` is true; without terms it is always false.
  package static func disjunction(_ terms: [Condition]) -> Condition {
    var flat: [Condition] = []
    for term in terms {
      if case .or(let inner) = term { flat += inner } else { flat.append(term) }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(false) : .or(flat)
  }
}

/// One comparison: an operand and its test.
package struct Comparison: Sendable, Hashable {
  /// The number of objects at the end of a to-many path that must pass a test.
  package enum Quantifier: String, Sendable, Hashable, CaseIterable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  /// The test of the left operand.
  package enum Test: Sendable, Hashable {
    case compare(ComparisonOperator, TextOptions, Operand)
    case text(TextOperator, TextOptions, Operand)
    case between(Members)
    case among(Members)
  }

  package var quantifier: Quantifier?
  package var left: Operand
  package var test: Test

  package init(quantifier: Quantifier? = nil, _ left: Operand, _ test: Test) {
    self.quantifier = quantifier
    self.left = left
    self.test = test
  }
}

/// The right side of `IN` and `BETWEEN`.
package enum Members: Sendable, Hashable {
  /// A list in braces.
  case list([Operand])
  /// One argument with the complete list.
  case argument(Operand)
}

/// An equality or ordering operator.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// Whether the operator compares the order instead of equality.
  package var isOrdered: Bool { self != .equal && self != .notEqual }

  /// Returns whether the operator is true for two values with the given order.
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

  /// The equivalent operator for exchanged sides.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// An operator that searches text.
package enum TextOperator: String, Sendable, Hashable, CaseIterable {
  case like = "LIKE"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case matches = "MATCHES"
}

/// The differences that a comparison of texts ignores.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: the case of letters.
  package static let caseBlind = TextOptions(rawValue: 1)
  /// `[d]`: diacritical marks.
  package static let diacriticBlind = TextOptions(rawValue: 2)
}
