import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

/// A query that groups objects by properties and computes aggregates of each group.
///
/// A grouped query is a value, made by ``Query/grouped(by:)-(String...)``. It runs only when you
/// call a terminal method, which throws the error of the first step that failed. Each row contains
/// the keys first and then the aggregates.
///
/// ```swift
/// let rows = try students.where("age >= 6").grouped(by: "classroom.floor")
///   .aggregating(.count(as: "pupils"), .average(of: "age", as: "mean"))
///   .having("pupils > %@", 20).sorted(by: .descending("mean"))
///   .rows(as: Int.self, Int.self, Double.self)
/// ```
public struct GroupedQuery<T: VaultObject>: Sendable {
  /// The query of the objects, with the error of the first step that failed.
  private(set) var query: Query<T>
  var columns: [GroupColumn] = []
  var condition: ResolvedCondition?
  var order: [SortKey] = []
  var offset = 0
  var length: Int?

  init(_ query: Query<T>) { self.query = query }

  /// Returns the query with additional keys.
  func grouped(by keys: [String]) -> GroupedQuery {
    building { grouped in
      for key in keys {
        let value = try query.store.value(named: key)
        try grouped.add(
          key, of: value, type: value.type, isOptional: value.isOptional, nil,
          query.store.converter(named: key))
      }
    }
  }

  /// Returns a query that also computes these aggregations.
  ///
  /// - Returns: The query. Its terminal methods throw ``VaultError``: `.noSuchProperty`;
  ///   `.invalidArgument` for a name that a key or another result already has, and for values
  ///   without an order or a sum.
  public func aggregating(_ aggregations: Aggregation...) -> GroupedQuery {
    aggregating(aggregations)
  }

  /// Returns a query that also computes these aggregations.
  ///
  /// - Returns: The query, with the errors of ``aggregating(_:)-(Aggregation...)``.
  public func aggregating(_ aggregations: [Aggregation]) -> GroupedQuery {
    building { grouped in
      for aggregation in aggregations {
        let value = try aggregation.property.map { try query.store.value(named: $0) }
        let (type, isOptional) = try aggregation.result(over: value?.type ?? .int64)
        let keepsForm = aggregation.function == .min || aggregation.function == .max
        try grouped.add(
          aggregation.name, of: value, type: type, isOptional: isOptional, aggregation.function,
          keepsForm ? aggregation.property.flatMap(query.store.converter(named:)) : nil)
      }
    }
  }

  /// Returns a query that also requires a condition on the groups.
  ///
  /// The condition refers to keys and results by name, in the same way as a condition on objects
  /// refers to properties. Use `%K` for a key that is a path.
  ///
  /// - Returns: The filtered query, with the errors of ``Query/where(_:_:)``.
  public func having(_ format: String, _ arguments: Any?...) -> GroupedQuery {
    having(format, arguments: arguments)
  }

  /// Returns a query that also requires a condition on the groups.
  ///
  /// - Parameters:
  ///   - format: A condition on keys and results.
  ///   - arguments: The values of `%@`, in order.
  ///   - named: The values of `$name`.
  /// - Returns: The filtered query, with the errors of ``Query/where(_:_:)``.
  public func having(
    _ format: String, arguments: [Any?], named: [String: Any?] = [:]
  ) -> GroupedQuery {
    building { grouped in
      grouped.condition = try VaultError.mappingConditions {
        let tree = try Condition.parse(format)
        let (arguments, named) = try columns.arguments(arguments, named, of: tree)
        return try .joining(
          condition,
          checker.resolve(tree, arguments: arguments, named: named, text: format))
      }
    }
  }

  /// Returns the groups sorted by these keys and results.
  ///
  /// Groups that are equal in all of them, and groups of a query without an order, are sorted by
  /// their keys in ascending order.
  ///
  /// - Returns: The sorted query, with the errors of ``Query/sorted(by:)-(Sort...)``.
  public func sorted(by sorts: Sort...) -> GroupedQuery {
    sorted(by: sorts)
  }

  /// Returns the groups sorted by these keys and results.
  ///
  /// - Returns: The sorted query, with the errors of ``Query/sorted(by:)-(Sort...)``.
  public func sorted(by sorts: [Sort]) -> GroupedQuery {
    building { grouped in
      grouped.order = try VaultError.mappingConditions {
        try sorts.map { try $0.key(of: checker.value(named: $0.property)) }
      }
    }
  }

  /// Returns a part of the groups; see ``Query/range(offset:length:)``.
  public func range(offset: Int = 0, length: Int? = nil) -> GroupedQuery {
    building { grouped in
      try query.range(offset: offset, length: length).checkSteps()
      grouped.offset = offset
      grouped.length = length
    }
  }

  /// Checks the query without running it.
  ///
  /// - Throws: The error of the first step that failed, which every terminal method throws, or
  ///   ``VaultError``: `.invalidArgument` if the query has neither a key nor an aggregation;
  ///   `.invalidCondition` for a capability that the engine lacks.
  public func validate() throws {
    _ = try GroupSQL(self, firstList: 0)
  }

  /// Returns the query changed by `step`; if it throws, this query with the error.
  private func building(_ step: (inout GroupedQuery) throws -> Void) -> GroupedQuery {
    var grouped = self
    do {
      try query.checkSteps()
      try step(&grouped)
    } catch {
      grouped.query = query.failing(error)
    }
    return grouped
  }

  private var checker: ConditionChecker {
    query.store.access.checker(
      of: GroupSchema(
        className: "The grouping of class '\(query.store.classDescription.name)'",
        columns: columns.map(\.shape)))
  }

  private mutating func add(
    _ name: String, of value: ValueShape?, type: PropertyType, isOptional: Bool,
    _ function: Aggregate?, _ converter: ValueConverter?
  ) throws(VaultError) {
    guard !columns.contains(where: { $0.shape.name == name }) else {
      throw VaultError(
        .invalidArgument,
        "Two columns of the groups have the name '\(name)'. Give each key and each result a "
          + "different name.")
    }
    columns.append(
      GroupColumn(
        shape: PropertyShape(name, at: columns.count, type: type, isOptional: isOptional),
        source: value, function: function, converter: converter))
  }
}

/// The condition schema of groups.
private struct GroupSchema: ConditionSchema {
  let className: String
  let columns: [PropertyShape]

  var propertyNames: [String] { columns.map(\.name) }

  func property(named name: String) -> PropertyShape? { columns.first { $0.name == name } }
}
