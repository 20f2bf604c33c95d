public import ObjectVaultDriver
import ObjectVaultModel

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
  /// - Returns: The query with the search.
  /// - Throws: ``VaultError``: `.invalidCondition` with the position in the text;
  ///   `.invalidArgument` if the class has no searched properties or the property is not one of
  ///   them; `.noSuchProperty`; `.searchUnavailable` if the engine lacks the module of the class's
  ///   full-text index.
  public func search(_ text: String, in property: String? = nil) throws(VaultError) -> Query {
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
    if try search.module.isMissing { throw description.searchUnavailable(search.module) }
    let column = property.flatMap { description.columns(of: [$0]).first }
    return try adding([WordSearch(expression: SearchParser.parse(text), column: column)])
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

extension ObjectStore {
  /// Returns a query for the objects with these terms in their searched properties.
  ///
  /// - Throws: The errors of ``Query/search(_:in:)``.
  public func search(_ text: String, in property: String? = nil) throws(VaultError) -> Query<T> {
    try query.search(text, in: property)
  }
}
