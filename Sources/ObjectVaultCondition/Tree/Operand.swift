/// One side of a comparison.
package struct Operand: Sendable, Hashable {
  /// What an operand is.
  package enum Kind: Sendable, Hashable {
    case path(PropertyPath)
    case literal(Literal)
    /// The argument at a position counted from 0, across `%@`, `?`, `%K` and the specifiers.
    case argument(Int, ArgumentSpecifier)
    /// `$name`.
    case namedArgument(String)
    /// `%K`: an argument that is the name of a property.
    case pathArgument(Int)
    /// What is calculated from two numbers.
    indirect case arithmetic(ArithmeticOperator, Operand, Operand)
  }

  /// How deep calculations may be nested.
  package static let maximumDepth = 16
  /// How many values one calculation may have: each is an argument of a function call in SQL, of which
  /// the engine allows 127.
  package static let maximumValues = 100

  package var kind: Kind
  package var place: TextPlace

  package init(_ kind: Kind, at place: TextPlace = TextPlace()) {
    self.kind = kind
    self.place = place
  }
}

/// The names from an object to one of its properties, across associations.
package struct PropertyPath: Sendable, Hashable {
  /// How many associations a path may cross.
  package static let maximumSteps = 8

  package var names: [String]
  /// What is made of the objects or values at the end. The values of a path are the same wherever
  /// in it the aggregate stands, so that is not kept.
  package var aggregate: Aggregate?
  /// Where the names stand in the text, as far as that is known; of no account in equality.
  package var places: [TextPlace]

  package init(_ names: [String], aggregate: Aggregate? = nil, places: [TextPlace] = []) {
    self.names = names
    self.aggregate = aggregate
    self.places = places
  }

  /// The path that a text spells, as an argument of `%K` or a sort gives it: names between dots,
  /// without quotes.
  ///
  /// - Returns: `nil` where aggregates stand as they cannot.
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

  /// Whether both lead the same way, wherever they stand.
  package static func == (a: PropertyPath, b: PropertyPath) -> Bool {
    a.names == b.names && a.aggregate == b.aggregate
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(aggregate)
  }

  /// How errors call it, and how sorts and arguments of `%K` spell it.
  package var spelling: String {
    var parts = names
    if let aggregate { parts.insert(aggregate.rawValue, at: placeOfAggregate(aggregate)) }
    return parts.joined(separator: ".")
  }

  /// How many names stand before the aggregate when the path is printed.
  func placeOfAggregate(_ aggregate: Aggregate) -> Int {
    aggregate == .count || names.count < 2 ? names.count : names.count - 1
  }
}

/// A value written into a condition.
package enum Literal: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with decimals or an exponent, as it was written but for a leading `+` and the case
  /// of the `e`: a decimal property must see every digit.
  case number(String)
  case text(String)
  case data([UInt8])
}

/// What a placeholder says of its argument.
package enum ArgumentSpecifier: String, Sendable, Hashable, CaseIterable {
  /// `%@` and `?`.
  case any = "%@"
  /// `%d`, `%ld` and their like.
  case integer = "%d"
  /// `%f`, `%lf`, `%g` and their like.
  case real = "%f"
  /// `%s`.
  case text = "%s"
}

/// Where in the text something stands, in UTF-8 bytes from its start.
///
/// All places are equal, so that trees compare by what they mean.
package struct TextPlace: Sendable, Hashable {
  package var offset: Int?

  package init(_ offset: Int? = nil) { self.offset = offset }

  package static func == (a: TextPlace, b: TextPlace) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
