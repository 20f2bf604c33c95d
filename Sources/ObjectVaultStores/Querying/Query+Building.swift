public import Foundation
import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Query {
  /// Returns a query that also requires a condition.
  ///
  /// - Returns: The filtered query. Its terminal methods throw ``VaultError``: `.invalidCondition`;
  ///   `.noSuchProperty` for a name that the class does not have; `.invalidValue` or
  ///   `.invalidArgument` for a value that cannot be stored.
  public func `where`(_ condition: ObjectCondition) -> Query {
    building { try adding(store.access.condition(condition)) }
  }

  /// Returns a query that also requires a condition on members that the compiler checks.
  ///
  /// ```swift
  /// try students.where { $0.age >= 18 && $0.name.hasPrefix("L") }.all()
  /// ```
  ///
  /// The condition and its SQL equal those of `"age >= 18 && name BEGINSWITH 'L'"`.
  ///
  /// - Returns: The filtered query, with the errors of ``where(_:)-(ObjectCondition)``.
  public func `where`<C: ConditionConvertible>(
    _ condition: (T.Properties) -> C
  ) -> Query where T: StoredObject {
    `where`(condition(T.Properties(origin: .object)).condition)
  }
}

extension StoreAccess {
  /// Returns the condition checked against the class, from the condition cache if possible.
  func condition(_ condition: ObjectCondition) throws -> QueryCondition {
    guard condition.failure == nil, let known = table.plans.condition(condition.tree) else {
      return .checked(try resolve(condition))
    }
    return try VaultError.mappingConditions {
      let (arguments, named) = try condition.settledArguments(table.converters)
      return try known.condition(
        of: self, arguments, named, text: condition.text, own: condition.tree)
    }
  }

  /// Returns the condition checked against the class, without the condition cache.
  func resolve(_ condition: ObjectCondition) throws -> ResolvedCondition {
    if let failure = condition.failure { throw failure }
    return try VaultError.mappingConditions {
      let (arguments, named) = try condition.settledArguments(table.converters)
      return try checker.resolve(
        condition.tree, arguments: arguments, named: named, text: condition.text)
    }
  }
}

extension StoredObject {
  /// Returns a condition on typed members, to be stored and joined with others.
  ///
  /// ```swift
  /// let adults = Student.condition { $0.age >= 18 }
  /// ```
  public static func condition<C: ConditionConvertible>(
    _ condition: (Properties) -> C
  ) -> ObjectCondition {
    condition(Properties(origin: .object)).condition
  }
}

extension ObjectCondition {
  /// Creates a condition from a `#Predicate`.
  ///
  /// Supported are the properties of the class, references by object ID (`$0.classroom?.id ==
  /// "1a"`), comparisons, calculations, ranges, lists, `&&`, `||`, `!`, nil, `??` before true or
  /// false, and `contains`, `starts(with:)` and `isEmpty` on text. Values are compared in their
  /// stored form.
  ///
  /// - Throws: ``VaultError`` `.invalidCondition` with the name of the unsupported part.
  public init<T: StoredObject>(_ predicate: Predicate<T>) throws {
    var walk = PredicateWalk(T.self, object: predicate.variable.key)
    self = try walk.condition(predicate.expression)
  }
}

extension Query where T: StoredObject {
  /// Returns a query that also requires a predicate.
  ///
  /// ```swift
  /// try students.where(#Predicate { $0.age >= 18 }).count()
  /// ```
  ///
  /// - Returns: The filtered query. Its terminal methods throw ``VaultError``: `.invalidCondition`
  ///   with the name of an unsupported part, and the errors of ``where(_:)-(ObjectCondition)``.
  public func `where`(_ predicate: Predicate<T>) -> Query {
    building { try adding(store.access.condition(ObjectCondition(predicate))) }
  }
}

extension Query {
  /// Returns a query that also requires a condition written as SQL.
  ///
  /// ```swift
  /// let regulars = try students.where(sql: "length(name) > \(3) AND age % \(2) = 0").all()
  /// ```
  ///
  /// The columns are the columns of the class's table. Values are bound, as in every
  /// ``SQLStatement``. Unlike a condition of the library, SQL compares by the declared types of its
  /// columns, and a condition that is NULL, such as most comparisons with NULL, does not match.
  ///
  /// The engine compiles the SQL at once, which opens the database if it is not open.
  ///
  /// - Parameter fragment: An expression for `WHERE`.
  /// - Returns: The filtered query. Its terminal methods throw ``VaultError``: `.engineRefused` for
  ///   SQL that can't be compiled or names missing columns; `.invalidArgument` for forbidden SQL,
  ///   for parameters with numbers or names, and for too many values; the errors of opening.
  public func `where`(sql fragment: SQLStatement) -> Query {
    building { try adding(fragment) }
  }

  private func adding(_ fragment: SQLStatement) throws -> Query {
    guard fragment.hasPlainParameters else {
      throw VaultError(
        .invalidArgument,
        "A parameter of the SQL condition has a number or a name. Write '?' for each parameter, or "
          + "interpolate the value.")
    }
    let query = Query(store: store, parts: parts.adding(fragments: [fragment]))
    try query.checkFragments()
    let table = store.table.sql.table
    // The first statement checks the fragment as it is used in the query. The second one has no
    // parentheses around the fragment, so that unbalanced parentheses in it fail.
    for whole in [
      "SELECT 1 FROM \(table) WHERE (\(fragment.sql)\n)",
      "SELECT CASE WHEN \(fragment.sql)\n THEN 1 END FROM \(table)",
    ] {
      let statement = SQLStatement(sql: whole, values: fragment.values, defect: fragment.defect)
      try store.read { _ = try SQLRun(statement, on: $0) }
    }
    return query
  }

  /// The maximum number of values in the fragments of a query, which leaves room for its
  /// condition's.
  private static var maximumFragmentValues: Int { 500 }

  /// Checks the number of values in all fragments.
  ///
  /// - Throws: `.invalidArgument` for too many values.
  func checkFragments() throws(VaultError) {
    let count = fragments.reduce(0) { $0 + $1.values.count }
    guard count <= Self.maximumFragmentValues else {
      throw VaultError(
        .invalidArgument,
        "The SQL conditions have \(count) values, but a query accepts at most "
          + "\(Self.maximumFragmentValues) of them. Use IN with %@ in a condition, which accepts "
          + "lists of any length.")
    }
  }

  /// Checks that the query has no condition written as SQL, which supports only AND.
  ///
  /// - Throws: `.invalidArgument` for such a condition.
  func checkHasNoFragment() throws(VaultError) {
    guard !fragments.isEmpty else { return }
    throw VaultError(
      .invalidArgument,
      "A query with an SQL condition can be combined with others only by `and`. Write OR and NOT "
        + "in the SQL.")
  }
}

extension Query {
  /// Returns a query that also requires these terms in the searched properties.
  ///
  /// ```swift
  /// try notes.search("secret plan*").count()
  /// try notes.search("(\"old man\" OR sea) NOT fish", in: "title").all()
  /// ```
  ///
  /// All terms must occur, in any order and in any of the properties. `word*` matches all words
  /// with that prefix, and `"two words"` matches a phrase. You can combine terms with `OR`, `NOT`
  /// and parentheses. The comparison ignores case and the diacritics of Latin letters. See
  /// `Guides/Searching.md` for the complete syntax.
  ///
  /// - Parameters:
  ///   - text: The search text, which is bound as a value.
  ///   - property: The property to search; by default all searched properties of the class.
  /// - Returns: The query with the search. Its terminal methods throw ``VaultError``:
  ///   `.invalidCondition` with the position in the text; `.invalidArgument` if the class has no
  ///   searched properties or the property is not one of them; `.noSuchProperty`;
  ///   `.searchUnavailable` if the engine lacks the module of the class's full-text index.
  public func search(_ text: String, in property: String? = nil) -> Query {
    building { try adding(wordSearch(text, in: property)) }
  }

  private func wordSearch(
    _ text: String, in property: String?
  ) throws(VaultError) -> [WordSearch] {
    let description = store.classDescription
    guard let search = description.search else {
      throw VaultError(
        .invalidArgument,
        "Class '\(description.name)' has no full-text index. Mark a property with `@Searchable`, "
          + "or query with a condition such as CONTAINS.")
    }
    if let property, !search.properties.contains(property) {
      let names = search.properties.map { "'\($0)'" }.joined(separator: ", ")
      let isThere = description.properties.contains { $0.name == property }
      throw VaultError(
        isThere ? .invalidArgument : .noSuchProperty,
        isThere
          ? "Property '\(property)' of class '\(description.name)' is not in the full-text index. "
            + "Search in \(names), or mark it with `@Searchable`."
          : "Class '\(description.name)' has no property '\(property)'. Search in \(names).")
    }
    if let missing = store.table.searchUnavailable { throw missing }
    let column = property.flatMap { description.columns(of: [$0]).first }
    return [WordSearch(expression: try SearchParser.parse(text), column: column)]
  }

  /// Returns the query with additional searches.
  func adding(_ searches: [WordSearch]) throws(VaultError) -> Query {
    let query = Query(store: store, parts: parts.adding(searches: searches))
    // The limit on values that a statement can bind in addition to those of a condition.
    guard query.searches.reduce(0, { $0 + $1.expression.count }) <= 2 * SearchParser.maximumTerms
    else {
      throw VaultError(
        .invalidCondition,
        "The searches of the query have too many terms in total. Search for fewer.")
    }
    return query
  }

  /// Checks that the query has no search, because searches can be combined by AND only.
  ///
  /// - Throws: `.invalidArgument` for a query with a search.
  func checkHasNoSearch() throws(VaultError) {
    guard !searches.isEmpty else { return }
    throw VaultError(
      .invalidArgument,
      "A query with a full-text search can be combined with others only by `and`. Write OR and NOT "
        + "in the text of the search.")
  }
}

extension Query where T: StoredObject {
  /// Returns the objects sorted by these properties, which the compiler checks.
  ///
  /// ```swift
  /// try students.sorted(by: \.age.descending, \.classroom.name, \.name).all()
  /// ```
  ///
  /// - Returns: The sorted query, with the errors of ``sorted(by:)-(Sort...)``.
  public func sorted<each Key: SortConvertible>(
    by keys: repeat KeyPath<T.Properties, each Key>
  ) -> Query {
    let properties = T.Properties(origin: .object)
    var sorts: [Sort] = []
    repeat sorts.append(properties[keyPath: each keys].sort)
    return sorted(by: sorts)
  }
}

extension Query {
  /// Returns the objects in the opposite order; without a sort, the last inserted object comes
  /// first.
  ///
  /// A range counts in the new order, even if it was set before.
  public func reversed() -> Query {
    Query(
      store: store,
      parts: parts.sorted(by: order.map(\.reversed), reversingTies: !reversesTies))
  }

  /// Returns the last object, or `nil` if there are no objects.
  ///
  /// Without a range, the statement reads one row from the other end.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func last() throws -> T? {
    guard offset > 0 || length != nil else { return try reversed().first() }
    return try store.database.opened().readScope {
      let count = try count()
      return count == 0 ? nil : try range(offset: offset + count - 1, length: 1).first()
    }
  }
}

// Combinations of queries of one store. The result has the order of the receiver.

extension Query {
  /// Returns the objects that match both queries, in the order of this query.
  ///
  /// - Parameter other: A query of the same store without an order.
  /// - Returns: The combined query. Its terminal methods throw ``VaultError``: `.invalidArgument`
  ///   if either query has a range, which selects objects by position and not by a condition, or if
  ///   `other` has an order or is of another store; `.invalidCondition` if the condition is nested
  ///   too deeply; the error of either query.
  public func and(_ other: Query) -> Query {
    building {
      try combined(with: other) { mine, others in
        guard let mine, let others else { return mine ?? others }
        return .all([mine, others])
      }
    }
  }

  /// Returns the objects that match this query or another one, each once, in the order of this
  /// query.
  ///
  /// - Parameter other: A query of the same store without an order.
  /// - Returns: The combined query, with the errors of ``and(_:)``.
  public func or(_ other: Query) -> Query {
    building {
      try checkIsConditionOnly()
      try other.checkIsConditionOnly()
      return try combined(with: other) { mine, others in
        guard let mine, let others else { return nil }
        return .any([mine, others])
      }
    }
  }

  /// Returns the objects of the store that do not match this query, in its order.
  ///
  /// - Returns: The opposite query, with the errors of ``and(_:)``.
  public func not() -> Query {
    building {
      try checkIsWhole()
      try checkIsConditionOnly()
      let opposite: ResolvedCondition =
        switch condition?.resolved {
        case .none: .constant(false)
        case .not(let term): term
        case .some(let condition): try .not(condition).checked()
        }
      return Query(store: store, parts: parts.with(.checked(opposite)))
    }
  }

  private func combined(
    with other: Query, _ combine: (ResolvedCondition?, ResolvedCondition?) -> ResolvedCondition?
  ) throws -> Query {
    try other.checkSteps()
    guard store.table === other.store.table, store.isLimited(as: other.store) else {
      throw VaultError(
        .invalidArgument,
        "The two queries are of different stores or partitions. Combine only queries of one store "
          + "of one vault.")
    }
    try checkIsWhole()
    try other.checkIsWhole()
    guard other.order.isEmpty, !other.reversesTies else {
      throw VaultError(
        .invalidArgument,
        "The added query has an order, which would be lost. Sort the other query, or the result.")
    }
    let condition = try combine(condition?.resolved, other.condition?.resolved)
      .map { QueryCondition.checked(try $0.checked()) }
    let query = Query(
      store: store, parts: parts.with(condition).adding(fragments: other.fragments))
    try query.checkFragments()
    return try query.adding(other.searches)
  }

  private func checkIsConditionOnly() throws(VaultError) {
    try checkHasNoSearch()
    try checkHasNoFragment()
  }

  private func checkIsWhole() throws(VaultError) {
    guard offset == 0, length == nil else {
      throw VaultError(
        .invalidArgument,
        "A query with a range cannot be combined with others, because it selects objects by "
          + "position. Apply the range to the result.")
    }
  }
}

extension Query where T: StoredObject {
  /// Unavailable: a value that is not a Bool must be compared.
  @available(
    *, unavailable,
    message:
      "a value is not a condition; compare it, as in '$0.age > 3' (a Bool needs no comparison)"
  )
  public func `where`(_ value: (T.Properties) -> some ValueExpression) -> Query { self }
}

extension Query {
  /// Returns a query that does not load owned objects; see ``ObjectStore/withoutOwned()``.
  public func withoutOwned() -> Query {
    var query = self
    query.store = store.withoutOwned()
    return query
  }
}
