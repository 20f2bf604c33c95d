/// A value that an argument of a condition has, converted as if it were stored.
package enum ConditionArgument: Sendable {
  /// `nil` of any type.
  case null
  /// A value as the file would keep it, and what kind it is.
  case value(StoredValue, PropertyType)
  /// A value kept as canonical JSON. Arrays and sets whose members are storable also give those,
  /// for `IN` and `BETWEEN`; the JSON is made only where a property kept as JSON asks for it.
  case composite(members: [ConditionArgument]?, json: @Sendable () throws -> String)
  /// A value that the property it meets may keep in a form of its own. Whoever knows the class settles
  /// that before the condition is checked.
  case given(GivenValue)
}

/// A Swift value that a condition has until it is known which property it meets.
// A copy of a value, which nobody else changes; or an instance of a class that only a converter stores.
package final class GivenValue: @unchecked Sendable {
  package let value: Any
  /// The argument that it is for properties without a form of their own.
  package let standard: Result<ConditionArgument, any Error>

  package init(_ value: Any, standard: Result<ConditionArgument, any Error>) {
    self.value = value
    self.standard = standard
  }
}
