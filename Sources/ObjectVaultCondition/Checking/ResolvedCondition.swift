/// A condition that was checked against a class: every name is a property of it, every value is
/// what that property would store.
///
/// It is two-valued. Equality treats nil as a value; an order or a search in text that meets nil
/// does not hold.
package indirect enum ResolvedCondition: Sendable {
  case constant(Bool)
  case and([ResolvedCondition])
  case or([ResolvedCondition])
  case not(ResolvedCondition)
  case isNil(PropertyShape)
  case compare(PropertyShape, ComparisonOperator, ResolvedTerm, TextOptions)
  case text(TextSearch)
  /// The property equals one of the values, none of which is nil.
  case among(PropertyShape, [StoredValue])
}

/// What a property is compared with.
package enum ResolvedTerm: Sendable, Hashable {
  case property(PropertyShape)
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
  /// The search prepared; `nil` where the pattern is a property.
  package var matcher: TextMatcher?
}
