/// A condition that was checked against a class.
///
/// Every path leads to a value, and every constant has the form that a property of that value's
/// type stores. The condition is two-valued. Equality treats nil as a value. An ordering comparison
/// or a text search with nil is false.
package indirect enum ResolvedCondition: Sendable {
  case constant(Bool)
  case and([ResolvedCondition])
  case or([ResolvedCondition])
  case not(ResolvedCondition)
  case isNil(ValueShape)
  case compare(ValueShape, ComparisonOperator, ResolvedTerm, TextOptions)
  case text(TextSearch)
  /// A test that any, all or none of the objects at the end of the steps must pass.
  ///
  /// Values of the origin `.element` at its level belong to one of these objects.
  case quantified(Comparison.Quantifier, Iteration, ResolvedCondition)
  /// A test that any, all or none of the elements of a list stored as JSON must pass.
  case elements(Comparison.Quantifier, JSONMember, ElementTest, ResolvedTerm)
  /// A test whether the value equals one of the values, none of which is nil.
  case among(ValueShape, [StoredValue])
}

/// The objects on which a condition is tested one at a time.
///
/// Iterations are nested. The level of the outermost one is 1.
package struct Iteration: Sendable, Hashable {
  /// The greatest number of nested iterations.
  package static let maximumDepth = 4

  /// The object at the start of the steps.
  package var origin: ValueShape.Origin
  package var steps: [AssociationStep]
}

/// The number of the objects of an iteration that satisfy a condition.
package final class MatchCount: Sendable, Hashable {
  package let iteration: Iteration
  package let test: ResolvedCondition

  init(of iteration: Iteration, _ test: ResolvedCondition) {
    (self.iteration, self.test) = (iteration, test)
  }

  /// Returns whether both are the same object; conditions have no equality.
  package static func == (a: MatchCount, b: MatchCount) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The right-hand operand of a comparison.
package enum ResolvedTerm: Sendable, Hashable {
  case shape(ValueShape)
  /// A value other than nil. Text is folded if the comparison has options.
  case value(StoredValue)
}

/// A search in text.
package struct TextSearch: Sendable {
  package var op: TextOperator
  package var options: TextOptions
  /// The text to search.
  package var subject: ResolvedTerm
  /// The pattern as written, without folding.
  package var pattern: ResolvedTerm
  /// The prepared search, or `nil` if the pattern is not a constant.
  package var matcher: TextMatcher?
}
