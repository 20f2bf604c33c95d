/// One side of a comparison.
package struct Operand: Sendable, Hashable {
  /// The kind of an operand.
  package enum Kind: Sendable, Hashable {
    case path(PropertyPath)
    case literal(Literal)
    /// The argument at a zero-based position: the number of `$0`, or the position across `%@`, `?`,
    /// `%K` and the specifiers.
    case argument(Int, ArgumentSpecifier)
    /// The argument with a name, written `$name`.
    case namedArgument(String)
    /// `%K`: an argument that is the name of a property.
    case pathArgument(Int)
    /// A calculation with two numbers, or with a date and an interval.
    indirect case arithmetic(ArithmeticOperator, Operand, Operand)
    /// The text in another case.
    indirect case cased(TextCase, Operand)
    /// `now()`: the time of the execution.
    case now
    /// The number of the objects at the end of a path that satisfy a condition.
    ///
    /// Paths inside that begin with this path refer to the object that is being tested.
    indirect case subquery(Operand, Condition)
  }

  /// The maximum nesting depth of calculations.
  package static let maximumDepth = 16
  /// The maximum number of values in one calculation.
  ///
  /// Each value is an argument of a function call in SQL, and the engine allows 127 arguments.
  package static let maximumValues = 100

  package var kind: Kind
  package var place: TextPlace

  package init(_ kind: Kind, at place: TextPlace = TextPlace()) {
    self.kind = kind
    self.place = place
  }
}

/// The names that lead from an object to one of its properties across associations.
package struct PropertyPath: Sendable, Hashable {
  /// The maximum number of associations that a path may cross.
  package static let maximumSteps = 8

  package var names: [String]
  /// The function on the objects or values at the end.
  ///
  /// Its position in the path is not stored, because it does not change the values of the path.
  package var aggregate: Aggregate?
  /// The number of the first names that the text wrote as the variable of a `SUBQUERY`; 0 without
  /// one.
  package var variableLength = 0
  /// The positions of the names in the text, if known; equality ignores them.
  package var places: [TextPlace]

  package init(_ names: [String], aggregate: Aggregate? = nil, places: [TextPlace] = []) {
    self.names = names
    self.aggregate = aggregate
    self.places = places
  }

  /// Creates the path of a text, as an argument of `%K` or a sort spells it.
  ///
  /// The text has names separated by dots, without quotes. The result is `nil` if an aggregate is
  /// at an invalid position.
  package init?(spelling: String) {
    self.init([])
    for part in spelling.split(separator: ".", omittingEmptySubsequences: false) {
      guard let aggregate = Aggregate(rawValue: String(part)) else {
        if self.aggregate == .count { return nil }
        names.append(String(part))
        continue
      }
      if self.aggregate != nil || names.isEmpty { return nil }
      self.aggregate = aggregate
    }
  }

  /// Returns whether two paths have the same names and aggregate, ignoring their positions in
  /// texts.
  package static func == (a: PropertyPath, b: PropertyPath) -> Bool {
    a.names == b.names && a.aggregate == b.aggregate && a.variableLength == b.variableLength
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(aggregate)
  }

  /// The spelling in error messages, sorts and arguments of `%K`.
  package var spelling: String {
    var parts = names
    if let aggregate { parts.insert(aggregate.rawValue, at: placeOfAggregate(aggregate)) }
    return parts.joined(separator: ".")
  }

  /// Returns the number of names before the aggregate when the path is printed.
  package func placeOfAggregate(_ aggregate: Aggregate) -> Int {
    aggregate == .count || names.count < 2 ? names.count : names.count - 1
  }
}

/// A literal value in a condition.
package enum Literal: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with decimals or an exponent, as written except for a leading `+` and the case of the
  /// `e`.
  ///
  /// A decimal property needs every digit.
  case number(String)
  case text(String)
  case data([UInt8])
  /// A number of units of time, such as `7 days`; the number is spelled as in ``number(_:)``.
  case interval(String, IntervalUnit)
}

/// The type of argument that a placeholder accepts.
package enum ArgumentSpecifier: String, Sendable, Hashable, CaseIterable {
  /// The placeholders `%@` and `?`, for any value.
  case any = "%@"
  /// Placeholders such as `%d` and `%ld`, for integers.
  case integer = "%d"
  /// Placeholders such as `%f`, `%lf` and `%g`, for numbers.
  case real = "%f"
  /// The placeholder `%s`, for text.
  case text = "%s"
  /// A placeholder with a number such as `$0`, for any value.
  case numbered = "$"

  /// Whether the placeholder accepts values of every type.
  package var isUntyped: Bool { self == .any || self == .numbered }
}

/// A position in the source text, in UTF-8 bytes from its start.
///
/// All places are equal, so that equality of trees ignores them.
package struct TextPlace: Sendable, Hashable {
  package var offset: Int?

  package init(_ offset: Int? = nil) { self.offset = offset }

  package static func == (a: TextPlace, b: TextPlace) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
