import ObjectVaultCondition

/// A question to a store: a condition, an order and a range, each of which may be absent.
///
/// A query is a value: its methods give new queries, and nothing runs until a terminal call such
/// as ``all()-swift.method``. Names and values are checked when the query is made.
///
/// ```swift
/// let adults = try students.where("name != %@ && age >= %@", "Bob", 18)
///   .sorted(by: "age", .descending("name")).range(offset: 0, length: 20).all()
/// ```
public struct Query<T: VaultObject>: Sendable {
  /// The store that is asked.
  public internal(set) var store: ObjectStore<T>
  @usableFromInline var parts: QueryParts

  @usableFromInline
  init(store: ObjectStore<T>, parts: QueryParts = .none) {
    self.store = store
    self.parts = parts
  }

  /// The objects for which the condition holds, too.
  ///
  /// - Parameters:
  ///   - format: A condition; `Guides/Conditions.md` has its grammar. `%@` stands for an
  ///     argument, which is bound as a value, never spliced into text.
  ///   - arguments: The arguments, in order. A value is compared as it would be stored.
  /// - Throws: ``VaultError``: `.invalidCondition` with the place in the text, `.noSuchProperty`,
  ///   `.invalidValue` for an argument that no property could have.
  public func `where`(_ format: String, _ arguments: Any?...) throws -> Query {
    try `where`(format, arguments: arguments)
  }

  /// The objects for which the condition holds, too.
  ///
  /// - Parameters:
  ///   - format: A condition.
  ///   - arguments: The values of `%@`, in order.
  ///   - named: The values of `$name`.
  /// - Throws: as ``where(_:_:)``.
  public func `where`(
    _ format: String, arguments: [Any?], named: [String: Any?] = [:]
  ) throws -> Query {
    try adding(store.access.asked(format, arguments: arguments, named: named))
  }

  /// The objects for which a condition holds, too.
  func adding(_ added: AskedCondition) throws(VaultError) -> Query {
    Query(store: store, parts: try parts.adding(added))
  }

  /// The objects in the order of these properties; objects equal in all of them stay in the order
  /// in which they were inserted. A name alone is ascending.
  ///
  /// A path across associations is a property too where it leads to one value:
  /// `"classroom.name"`, `"students.@count"`.
  ///
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidCondition` for a path that leads to no
  ///   one value; `.invalidArgument` for options of text where the property is none.
  public func sorted(by sorts: Sort...) throws -> Query {
    try sorted(by: sorts)
  }

  /// The objects in the order of these properties.
  ///
  /// - Throws: as ``sorted(by:)-(Sort...)``.
  public func sorted(by sorts: [Sort]) throws -> Query {
    let order = try sorts.map { try $0.key(of: store.value(named: $0.property)) }
    return Query(store: store, parts: parts.sorted(by: order))
  }

  /// The objects in the order of these properties, all in one direction.
  ///
  /// - Throws: as ``sorted(by:)-(Sort...)``.
  public func sorted(by properties: [String], ascending: Bool) throws -> Query {
    try sorted(by: properties.map { Sort(property: $0, isAscending: ascending) })
  }

  /// A part of the objects.
  ///
  /// - Parameters:
  ///   - offset: How many to leave out first; 0 by default. Beyond the end nothing is left.
  ///   - length: How many at most; 0 gives none, and no length gives all that remain.
  /// - Throws: ``VaultError`` `.invalidArgument` for a negative number.
  public func range(offset: Int = 0, length: Int? = nil) throws -> Query {
    guard offset >= 0, length ?? 0 >= 0 else {
      throw VaultError(
        .invalidArgument,
        "A range has an offset and a length of 0 or more. Leave the length out for all that remain."
      )
    }
    return Query(store: store, parts: parts.range(offset: offset, length: length))
  }
}

extension ObjectStore {
  /// Every object of the class, in the order of insertion.
  @inlinable
  public var query: Query<T> { Query(store: self) }

  /// The objects for which the condition holds.
  ///
  /// - Throws: as ``Query/where(_:_:)``.
  @inlinable
  public func `where`(_ format: String, _ arguments: Any?...) throws -> Query<T> {
    Query(store: self, parts: try access.parts(format, arguments: arguments))
  }

  /// The objects for which the condition holds.
  ///
  /// - Throws: as ``Query/where(_:_:)``.
  public func `where`(
    _ format: String, arguments: [Any?], named: [String: Any?] = [:]
  ) throws -> Query<T> {
    try query.where(format, arguments: arguments, named: named)
  }

  /// Every object, in the order of these properties.
  ///
  /// - Throws: as ``Query/sorted(by:)-(Sort...)``.
  public func sorted(by sorts: Sort...) throws -> Query<T> {
    try query.sorted(by: sorts)
  }

  /// The value that a path spells: the name of a property, or names between dots.
  func value(named path: String) throws -> ValueShape {
    try VaultError.mappingConditions { try access.checker.value(named: path) }
  }
}
