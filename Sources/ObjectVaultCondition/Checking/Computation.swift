/// A value that is computed from others.
package indirect enum Computation: Sendable, Hashable {
  /// A calculation with resolved operands.
  case arithmetic(Arithmetic, ArithmeticOperator, ResolvedTerm, ResolvedTerm)
  /// The number of Unicode scalars of a text.
  case length(ValueShape)
  /// A text in another case.
  case cased(TextCase, ValueShape)
  /// A part of a property stored as JSON; nil if it is missing or of another kind.
  case member(JSONMember, StoredJSON.Kind)
  /// The number of elements or members of a part of a property stored as JSON; nil for other parts.
  case memberCount(JSONMember)
  /// The time of the execution with a number of seconds added, in seconds since 1970.
  case now(Double)
  /// The number of associated objects that satisfy a condition.
  case matchCount(MatchCount)

  /// The type of the result.
  package var type: PropertyType {
    switch self {
    case .arithmetic(.integer, _, _, _), .length, .memberCount, .matchCount: .int64
    case .arithmetic(.real, _, _, _): .double
    case .cased: .string
    case .member(_, let kind): kind.type
    case .now: .date
    }
  }

  /// Whether the result may be nil.
  package var isOptional: Bool {
    switch self {
    case .arithmetic, .member, .memberCount: true
    case .length(let shape), .cased(_, let shape): shape.isOptional
    case .now, .matchCount: false
    }
  }
}
