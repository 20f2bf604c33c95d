/// One key of an order: a property and a direction.
public struct Sort: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name of the property, as in Swift.
  public var property: String
  /// Whether small comes first. `nil` is smaller than every value: first ascending, last
  /// descending.
  public var isAscending: Bool

  /// Orders by a property, small first.
  public static func ascending(_ property: String) -> Sort {
    Sort(property: property, isAscending: true)
  }

  /// Orders by a property, large first.
  public static func descending(_ property: String) -> Sort {
    Sort(property: property, isAscending: false)
  }

  /// Orders by a property, small first: `"name"` is `.ascending("name")`.
  public init(stringLiteral property: String) {
    self.init(property: property, isAscending: true)
  }

  /// Orders by a property.
  public init(property: String, isAscending: Bool) {
    self.property = property
    self.isAscending = isAscending
  }
}
