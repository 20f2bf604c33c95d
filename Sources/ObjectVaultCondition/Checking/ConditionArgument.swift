/// The value of a condition's argument, converted to its stored form.
package enum ConditionArgument: Sendable {
  /// `nil` of any type.
  case null
  /// A value in its stored form, and its type.
  case value(StoredValue, PropertyType)
  /// A value stored as canonical JSON.
  ///
  /// Arrays and sets with storable members also have the members, for `IN` and `BETWEEN`. The JSON
  /// is created only if the value is compared with a property stored as JSON.
  case composite(members: [ConditionArgument]?, json: @Sendable () throws -> String)
  /// A value whose stored form may depend on the property it is compared with.
  ///
  /// Code that knows the class resolves it before the condition is checked.
  case given(GivenValue)
}

/// A Swift value of a condition whose property is not known yet.
package final class GivenValue: @unchecked Sendable {
  package let value: Any
  /// The argument for properties that do not define their own stored form.
  package let standard: Result<ConditionArgument, any Error>

  package init(_ value: Any, standard: Result<ConditionArgument, any Error>) {
    self.value = value
    self.standard = standard
  }
}
