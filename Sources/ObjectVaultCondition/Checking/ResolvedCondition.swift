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
  /// Values of the origin `.element` belong to one of these objects.
  case quantified(Comparison.Quantifier, [AssociationStep], ResolvedCondition)
  /// A test that any, all or none of the elements of a list stored as JSON must pass.
  case elements(Comparison.Quantifier, JSONMember, ElementTest, ResolvedTerm)
  /// A test whether the value equals one of the values, none of which is nil.
  case among(ValueShape, [StoredValue])
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
