import ObjectVaultCondition

/// A question to groups of objects: those that are equal in some properties, and what is made of
/// each group.
///
/// A grouped query is a value, made by ``Query/grouped(by:)-(String...)``; nothing runs until a
/// terminal call. Its rows have the keys first, then what was asked to be made of the groups.
///
/// ```swift
/// let rows = try students.where("age >= 6").grouped(by: "classroom.floor")
///   .aggregating(.count(as: "pupils"), .average(of: "age", as: "mean"))
///   .having("pupils > %@", 20).sorted(by: .descending("mean"))
///   .rows(as: Int.self, Int.self, Double.self)
/// ```
public struct GroupedQuery<T: VaultObject>: Sendable {
  let query: Query<T>
  var columns: [GroupColumn]
  var condition: ResolvedCondition?
  var order: [SortKey] = []
  var offset = 0
  var length: Int?

  init(_ query: Query<T>, by keys: [String]) throws {
    self.query = query
    columns = []
    for key in keys {
      let value = try query.store.value(named: key)
      try add(
        key, of: value, type: value.type, isOptional: value.isOptional, nil,
        query.store.converter(named: key))
    }
  }

  /// The same groups, of which more is made.
  ///
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` for a name that a key or another
  ///   result has, and where the values have no order or no sum.
  public func aggregating(_ aggregations: Aggregation...) throws -> GroupedQuery {
    try aggregating(aggregations)
  }

  /// The same groups, of which more is made.
  ///
  /// - Throws: as ``aggregating(_:)-(Aggregation...)``.
  public func aggregating(_ aggregations: [Aggregation]) throws -> GroupedQuery {
    var grouped = self
    for aggregation in aggregations {
      let value = try aggregation.property.map { try query.store.value(named: $0) }
      let (type, isOptional) = try aggregation.result(over: value?.type ?? .int64)
      let keepsForm = aggregation.function == .min || aggregation.function == .max
      try grouped.add(
        aggregation.name, of: value, type: type, isOptional: isOptional, aggregation.function,
        keepsForm ? aggregation.property.flatMap(query.store.converter(named:)) : nil)
    }
    return grouped
  }

  /// The groups for which a condition holds, too. It names keys and results as an object's condition
  /// names properties; a key that is a path is named by `%K`.
  ///
  /// - Throws: as ``Query/where(_:_:)``.
  public func having(_ format: String, _ arguments: Any?...) throws -> GroupedQuery {
    try having(format, arguments: arguments)
  }

  /// The groups for which a condition holds, too.
  ///
  /// - Parameters:
  ///   - format: A condition on keys and results.
  ///   - arguments: The values of `%@`, in order.
  ///   - named: The values of `$name`.
  /// - Throws: as ``Query/where(_:_:)``.
  public func having(
    _ format: String, arguments: [Any?], named: [String: Any?] = [:]
  ) throws -> GroupedQuery {
    var grouped = self
    grouped.condition = try VaultError.mappingConditions {
      let tree = try Condition.parse(format)
      let (arguments, named) = try columns.arguments(arguments, named, of: tree)
      return try .joining(
        condition,
        checker.resolve(tree, arguments: arguments, named: named, text: format))
    }
    return grouped
  }

  /// The groups in the order of these keys and results. Groups equal in all of them, and groups
  /// without an order, are in that of their keys, small first.
  ///
  /// - Throws: as ``Query/sorted(by:)-(Sort...)``.
  public func sorted(by sorts: Sort...) throws -> GroupedQuery {
    try sorted(by: sorts)
  }

  /// The groups in the order of these keys and results.
  ///
  /// - Throws: as ``Query/sorted(by:)-(Sort...)``.
  public func sorted(by sorts: [Sort]) throws -> GroupedQuery {
    var grouped = self
    grouped.order = try VaultError.mappingConditions {
      try sorts.map { try $0.key(of: checker.value(named: $0.property)) }
    }
    return grouped
  }

  /// A part of the groups; see ``Query/range(offset:length:)``.
  public func range(offset: Int = 0, length: Int? = nil) throws -> GroupedQuery {
    // It says what is wrong with a range.
    _ = try query.range(offset: offset, length: length)
    var grouped = self
    grouped.offset = offset
    grouped.length = length
    return grouped
  }

  private var checker: ConditionChecker {
    ConditionChecker(
      schema: GroupSchema(
        className: "The grouping of class '\(query.store.classDescription.name)'",
        columns: columns.map(\.shape)),
      folding: .standard,
      allowsMatches: query.store.vault.configuration.allowsRegularExpressions)
  }

  private mutating func add(
    _ name: String, of value: ValueShape?, type: PropertyType, isOptional: Bool,
    _ function: Aggregate?, _ converter: ValueConverter?
  ) throws(VaultError) {
    guard !columns.contains(where: { $0.shape.name == name }) else {
      throw VaultError(
        .invalidArgument,
        "Two columns of the groups have the name '\(name)'. Give each key and each result a name of "
          + "its own.")
    }
    columns.append(
      GroupColumn(
        shape: PropertyShape(name, at: columns.count, type: type, isOptional: isOptional),
        source: value, function: function, converter: converter))
  }
}

/// Groups as conditions know them.
private struct GroupSchema: ConditionSchema {
  let className: String
  let columns: [PropertyShape]

  var propertyNames: [String] { columns.map(\.name) }

  func property(named name: String) -> PropertyShape? { columns.first { $0.name == name } }
}

extension Query {
  /// The objects in groups: those that are equal in all of these properties are one.
  ///
  /// A range chooses the objects before they are put into groups; an order does not matter.
  ///
  /// - Parameter properties: The names of the properties, or paths that lead to one value. None of
  ///   them: all objects are one group, also where there is no object.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` for a property named twice.
  public func grouped(by properties: String...) throws -> GroupedQuery<T> {
    try GroupedQuery(self, by: properties)
  }

  /// The objects in groups.
  ///
  /// - Throws: as ``grouped(by:)-(String...)``.
  public func grouped(by properties: [String]) throws -> GroupedQuery<T> {
    try GroupedQuery(self, by: properties)
  }
}
