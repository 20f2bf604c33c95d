import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

/// A query on a store: a condition, an order and a range, each optional.
///
/// A query is a value. Its methods return new queries, and it runs only when you call a terminal
/// method such as ``all()-swift.method``. Names and values are checked when you create the query.
/// If a check fails, every terminal method throws its error, and nothing is read or written. Call
/// ``validate()`` for an earlier check.
///
/// ```swift
/// let adults = students.where("name != %@ && age >= %@", "Bob", 18)
///   .sorted(by: "age", .descending("name")).range(offset: 0, length: 20)
/// let names = try adults.all().map(\.name)
/// ```
public struct Query<T: VaultObject>: Sendable {
  /// The store that the query reads.
  public internal(set) var store: ObjectStore<T>
  @usableFromInline var parts: QueryParts

  @usableFromInline
  init(store: ObjectStore<T>, parts: QueryParts = .none) {
    self.store = store
    self.parts = parts
  }

  /// Returns a query that also requires a condition.
  ///
  /// - Parameters:
  ///   - format: A condition; see `Guides/Conditions.md` for its grammar. `%@` is the placeholder
  ///     of an argument, which is bound as a value and never inserted into the text.
  ///   - arguments: The arguments, in order. A value is compared in its stored form.
  /// - Returns: The filtered query. Its terminal methods throw ``VaultError``: `.invalidCondition`
  ///   with the position in the text; `.noSuchProperty`; `.invalidValue` or `.invalidArgument` for
  ///   an argument that cannot be stored in any property.
  public func `where`(_ format: String, _ arguments: Any?...) -> Query {
    `where`(format, arguments: arguments)
  }

  /// Returns a query that also requires a condition.
  ///
  /// - Parameters:
  ///   - format: A condition.
  ///   - arguments: The values of `%@`, in order.
  ///   - named: The values of `$name`.
  /// - Returns: The filtered query, with the errors of ``where(_:_:)``.
  public func `where`(
    _ format: String, arguments: [Any?], named: [String: Any?] = [:]
  ) -> Query {
    building { try adding(store.access.condition(format, arguments: arguments, named: named)) }
  }

  /// Returns a query that also requires a checked condition.
  func adding(_ added: QueryCondition) throws(VaultError) -> Query {
    Query(store: store, parts: try parts.adding(added))
  }

  /// Returns the objects sorted by these properties; a plain name sorts in ascending order.
  ///
  /// Objects that are equal in all properties stay in insertion order. A property can be a path
  /// across associations that leads to one value: `"classroom.name"`, `"students.@count"`.
  ///
  /// - Returns: The sorted query. Its terminal methods throw ``VaultError``: `.noSuchProperty`;
  ///   `.invalidCondition` for a path that does not lead to one value; `.invalidArgument` for text
  ///   options on a property that is not text.
  public func sorted(by sorts: Sort...) -> Query {
    sorted(by: sorts)
  }

  /// Returns the objects sorted by these properties.
  ///
  /// - Returns: The sorted query, with the errors of ``sorted(by:)-(Sort...)``.
  public func sorted(by sorts: [Sort]) -> Query {
    building {
      let order = try sorts.map { try $0.key(of: store.value(named: $0.property)) }
      return Query(store: store, parts: parts.sorted(by: order))
    }
  }

  /// Returns the objects sorted by these properties, all in one direction.
  ///
  /// - Returns: The sorted query, with the errors of ``sorted(by:)-(Sort...)``.
  public func sorted(by properties: [String], ascending: Bool) -> Query {
    sorted(by: properties.map { Sort(property: $0, isAscending: ascending) })
  }

  /// Returns a part of the objects.
  ///
  /// - Parameters:
  ///   - offset: The number of objects to skip; 0 by default. An offset beyond the end selects no
  ///     objects.
  ///   - length: The greatest number of objects; 0 selects none, and `nil` selects all that remain.
  /// - Returns: The query with the range. Its terminal methods throw ``VaultError``
  ///   `.invalidArgument` for a negative number.
  public func range(offset: Int = 0, length: Int? = nil) -> Query {
    building {
      guard offset >= 0, length ?? 0 >= 0 else {
        throw VaultError(
          .invalidArgument,
          "The offset or the length of the range is negative. Use 0 or more, and omit the length "
            + "for all remaining objects.")
      }
      return Query(store: store, parts: parts.range(offset: offset, length: length))
    }
  }

  /// Checks the query without running it.
  ///
  /// ```swift
  /// try students.where(text).validate()
  /// ```
  ///
  /// - Throws: The error of the first step that failed, which every terminal method throws, or
  ///   ``VaultError`` `.invalidCondition` for a capability that the engine lacks.
  public func validate() throws {
    _ = try QuerySQL(self, firstList: 0)
  }
}

extension Query {
  /// Returns the query that `step` returns; if it throws, this query with the error.
  ///
  /// The first error stays: a query with one ignores further steps.
  @inline(__always)
  func building(_ step: () throws -> Query) -> Query {
    do {
      try checkSteps()
      return try step()
    } catch {
      return failing(error)
    }
  }

  /// Throws the error of the first step that failed, if any.
  func checkSteps() throws { try parts.checkSteps() }

  /// Returns the query with an error, which its terminal methods throw.
  func failing(_ error: any Error) -> Query {
    Query(store: store, parts: parts.failing(error))
  }
}

extension Query {
  var condition: QueryCondition? { parts.condition }
  var order: [SortKey] { parts.order }
  /// Whether objects that are equal in all keys are in reverse insertion order.
  var reversesTies: Bool { parts.reversesTies }
  var offset: Int { parts.offset }
  var length: Int? { parts.length }
  /// The full-text searches; the objects match all of them.
  var searches: [WordSearch] { parts.searches }
  /// The conditions written as SQL; the objects match all of them.
  var fragments: [SQLStatement] { parts.fragments }

  /// The condition of the query combined with the condition of the store's partition.
  var wholeCondition: QueryCondition? { store.access.condition(of: parts) }
}
