/// What can be a key of an order: a ``Sort``, and a property of typed conditions, small first.
public protocol SortConvertible {
  /// The key.
  var sort: Sort { get }
}

extension Sort: SortConvertible {
  /// Itself.
  public var sort: Sort { self }
}

extension Property: SortConvertible where Value: OrderedValue {
  /// By the property, small first.
  public var sort: Sort { ascending }

  /// By the property, small first.
  public var ascending: Sort { .ascending(name) }

  /// By the property, large first.
  public var descending: Sort { .descending(name) }
}

extension Query where T: StoredObject {
  /// The objects in the order of these properties, checked by the compiler.
  ///
  /// ```swift
  /// try students.sorted(by: \.age.descending, \.classroom.name, \.name).all()
  /// ```
  ///
  /// - Throws: as ``sorted(by:)-(Sort...)``.
  public func sorted<each Key: SortConvertible>(
    by keys: repeat KeyPath<T.Properties, each Key>
  ) throws -> Query {
    let properties = T.Properties(origin: .object)
    var sorts: [Sort] = []
    repeat sorts.append(properties[keyPath: each keys].sort)
    return try sorted(by: sorts)
  }
}

extension ObjectStore where T: StoredObject {
  /// Every object, in the order of these properties, checked by the compiler.
  ///
  /// - Throws: as ``Query/sorted(by:)-(Sort...)``.
  public func sorted<each Key: SortConvertible>(
    by keys: repeat KeyPath<T.Properties, each Key>
  ) throws -> Query<T> {
    try query.sorted(by: repeat each keys)
  }
}
