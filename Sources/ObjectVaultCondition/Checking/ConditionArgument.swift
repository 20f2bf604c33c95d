/// A value that an argument of a condition has, converted as if it were stored.
package enum ConditionArgument: Sendable {
  /// `nil` of any type.
  case null
  /// A value as the file would keep it, and what kind it is.
  case value(StoredValue, PropertyType)
  /// A value kept as canonical JSON. Arrays and sets whose members are storable also give those,
  /// for `IN` and `BETWEEN`; the JSON is made only where a property kept as JSON asks for it.
  case composite(members: [ConditionArgument]?, json: @Sendable () throws -> String)
}
