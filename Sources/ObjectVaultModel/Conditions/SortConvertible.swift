/// A value that can be used as a sort key: a ``Sort``, or a typed property in ascending order.
public protocol SortConvertible {
  /// The sort key for the value.
  var sort: Sort { get }
}

extension Sort: SortConvertible {
  /// The sort key itself.
  public var sort: Sort { self }
}

extension Property: SortConvertible where Value: OrderedValue {
  /// The sort key for the property, ascending.
  public var sort: Sort { ascending }

  /// The sort key for the property, ascending.
  public var ascending: Sort { .ascending(name) }

  /// The sort key for the property, descending.
  public var descending: Sort { .descending(name) }
}
