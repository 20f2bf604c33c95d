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
  var condition: AskedCondition?
  var order: [SortKey] = []
  /// Whether objects equal in all keys come last inserted first.
  var reversesTies = false
  var offset = 0
  var length: Int?
  /// What is searched for; the objects have all of it.
  var searches: [WordSearch] = []
  /// Conditions written as SQL; the objects meet all of them.
  var fragments: [SQLStatement] = []

  init(store: ObjectStore<T>) {
    self.store = store
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
    try adding(store.asked(format, arguments: arguments, named: named))
  }

  /// What the objects meet: the condition of the query, and that of the partition that is asked. The two
  /// are kept apart until here, so that nothing that is done to the first one can touch the other.
  var wholeCondition: AskedCondition? {
    guard let limit = store.partition?.condition else { return condition }
    return .checked(condition.map { .all([limit, $0.resolved]) } ?? limit)
  }

  /// The objects for which a condition holds, too.
  func adding(_ added: AskedCondition) throws(VaultError) -> Query {
    var query = self
    query.condition =
      if let condition { .checked(try .joining(condition.resolved, added.resolved)) } else { added }
    return query
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
    var query = self
    query.order = try sorts.map { try $0.key(of: store.value(named: $0.property)) }
    query.reversesTies = false
    return query
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
    var query = self
    query.offset = offset
    query.length = length
    return query
  }
}

extension ObjectStore {
  /// Every object of the class, in the order of insertion.
  public var query: Query<T> { Query(store: self) }

  /// The objects for which the condition holds.
  ///
  /// - Throws: as ``Query/where(_:_:)``.
  public func `where`(_ format: String, _ arguments: Any?...) throws -> Query<T> {
    try query.where(format, arguments: arguments)
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

  /// The condition that a text spells, checked against the class.
  func asked(
    _ format: String, arguments: [Any?], named: [String: Any?]
  ) throws -> AskedCondition {
    try VaultError.mappingConditions {
      let known = try state.conditions.condition(format)
      if let converters = state.converters {
        let (arguments, named) = try converters.arguments(arguments, named, of: known.tree)
        return try known.asked(of: self, arguments, named, text: format)
      }
      return try known.asked(
        of: self, arguments.map { try ConditionArgument($0) },
        named.isEmpty ? [:] : named.mapValues { try ConditionArgument($0) }, text: format)
    }
  }

  /// The value that a path spells: the name of a property, or names between dots.
  func value(named path: String) throws -> ValueShape {
    try VaultError.mappingConditions { try checker.value(named: path) }
  }

  /// Checks conditions against the class.
  var checker: ConditionChecker {
    ConditionChecker(
      schema: ClassSchema(description: classDescription, graph: classGraph), folding: .standard,
      allowsMatches: vault.configuration.allowsRegularExpressions)
  }
}
