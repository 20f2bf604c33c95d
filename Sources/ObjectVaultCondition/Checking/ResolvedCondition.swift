/// A condition that was checked against a class: every path leads to a value, every constant is
/// what a property of that value's type would store.
///
/// It is two-valued. Equality treats nil as a value; an order or a search in text that meets nil
/// does not hold.
package indirect enum ResolvedCondition: Sendable {
  case constant(Bool)
  case and([ResolvedCondition])
  case or([ResolvedCondition])
  case not(ResolvedCondition)
  case isNil(ValueShape)
  case compare(ValueShape, ComparisonOperator, ResolvedTerm, TextOptions)
  case text(TextSearch)
  /// Of the objects that the steps lead to, any, all or none pass. Values of the origin `.element`
  /// are those of one of these objects.
  case quantified(Comparison.Quantifier, [AssociationStep], ResolvedCondition)
  /// The value equals one of the values, none of which is nil.
  case among(ValueShape, [StoredValue])
}

/// What a value is compared with.
package enum ResolvedTerm: Sendable, Hashable {
  case shape(ValueShape)
  /// A value other than nil; text is folded where the comparison has options.
  case value(StoredValue)
}

/// A search in text.
package struct TextSearch: Sendable {
  package var op: TextOperator
  package var options: TextOptions
  /// Where is searched.
  package var subject: ResolvedTerm
  /// What is searched for, as written: not folded.
  package var pattern: ResolvedTerm
  /// The search prepared; `nil` where the pattern is not a constant.
  package var matcher: TextMatcher?
}
