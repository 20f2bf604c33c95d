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
  }

  package var kind: Kind
  package var place: TextPlace

  package init(_ kind: Kind, at place: TextPlace = TextPlace()) {
    self.kind = kind
    self.place = place
  }
}

/// The names from an object to one of its properties, across associations.
package struct PropertyPath: Sendable, Hashable {
  package var names: [String]
  /// Whether it ends in `.@count`.
  package var isCount: Bool

  package init(_ names: [String], isCount: Bool = false) {
    self.names = names
    self.isCount = isCount
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
