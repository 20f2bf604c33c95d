/// What must hold for an object to be chosen, before it is checked against a class.
///
/// Condition text, typed expressions and `#Predicate` all become this tree. It knows nothing of
/// the text it came from but the places to which errors point, and those do not count in
/// equality.
package indirect enum Condition: Sendable, Hashable {
  /// `TRUEPREDICATE` and `FALSEPREDICATE`.
  case constant(Bool)
  /// All of them hold. Made by ``conjunction(_:)``, which keeps one directly inside another out.
  case and([Condition])
  /// At least one of them holds. Made by ``disjunction(_:)``.
  case or([Condition])
  /// It does not hold.
  case not(Condition)
  /// A Bool property alone.
  case property(Operand)
  /// A comparison.
  case comparison(Comparison)
  /// Of the objects that a path across a to-many association leads to, any, all or none pass by
  /// itself. Paths inside that begin with this one mean the object that is asked in its turn.
  case quantified(Comparison.Quantifier, Operand, Condition)

  /// The condition that all of `terms` hold; one that always holds where there are none.
  package static func conjunction(_ terms: [Condition]) -> Condition {
    var flat: [Condition] = []
    for term in terms {
      if case .and(let inner) = term { flat += inner } else { flat.append(term) }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(true) : .and(flat)
  }

  /// The condition that one of `terms` holds; one that never holds where there are none.
  package static func disjunction(_ terms: [Condition]) -> Condition {
    var flat: [Condition] = []
    for term in terms {
      if case .or(let inner) = term { flat += inner } else { flat.append(term) }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(false) : .or(flat)
  }
}

/// One comparison: an operand and what is asked of it.
package struct Comparison: Sendable, Hashable {
  /// How many of the objects at the end of a path across a to-many association must pass.
  package enum Quantifier: String, Sendable, Hashable, CaseIterable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  /// What is asked of the left operand.
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
  /// Written out between braces.
  case list([Operand])
  /// One argument that holds the whole list.
  case argument(Operand)
}

/// An equality or an order.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// Whether it asks for an order rather than for equality.
  package var isOrdered: Bool { self != .equal && self != .notEqual }

  /// The operator that says the same with the sides exchanged.
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

/// An operator that looks into text.
package enum TextOperator: String, Sendable, Hashable, CaseIterable {
  case like = "LIKE"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case matches = "MATCHES"
}

/// What a comparison of text overlooks.
package struct TextOptions: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: the case of letters.
  package static let caseBlind = TextOptions(rawValue: 1)
  /// `[d]`: diacritical marks.
  package static let diacriticBlind = TextOptions(rawValue: 2)
}
