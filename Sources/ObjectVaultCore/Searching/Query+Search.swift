extension Query {
  /// The objects that have these words in their searched properties, too.
  ///
  /// ```swift
  /// try notes.search("secret plan*").count()
  /// try notes.search("(\"old man\" OR sea) NOT fish", in: "title").all()
  /// ```
  ///
  /// All words must be there, in any order and in any of the properties. `word*` stands for all
  /// words that begin so, `"two words"` for a phrase; `OR`, `NOT` and parentheses do what they say.
  /// Letters are compared without regard to case and to the marks of Latin letters.
  /// `Guides/Searching.md` has the whole of it.
  ///
  /// - Parameters:
  ///   - text: What is searched for. It reaches the engine as a value.
  ///   - property: The one property to search; all that the class declares as searched by default.
  /// - Throws: ``VaultError``: `.invalidCondition` with the place in the text; `.invalidArgument` where
  ///   the class has no searched properties, or the property is not one; `.noSuchProperty`;
  ///   `.searchUnavailable` where the engine lacks the module that keeps the class's index.
  public func search(_ text: String, in property: String? = nil) throws(VaultError) -> Query {
    let description = store.classDescription
    guard let search = description.search else {
      throw VaultError(
        .invalidArgument,
        "Class '\(description.name)' has no property that is searched for words. Mark one with "
          + "`@Searchable`, or ask with a condition, such as CONTAINS.")
    }
    if let property, !search.properties.contains(property) {
      let names = search.properties.map { "'\($0)'" }.joined(separator: ", ")
      let isThere = description.properties.contains { $0.name == property }
      throw VaultError(
        isThere ? .invalidArgument : .noSuchProperty,
        isThere
          ? "Property '\(property)' of class '\(description.name)' is not searched for words; \(names) "
            + "may be. Mark it with `@Searchable`."
          : "Class '\(description.name)' has no property '\(property)'. Searched for words are \(names)."
      )
    }
    if try search.module.isMissing { throw description.searchUnavailable(search.module) }
    let column = property.flatMap { description.columns(of: [$0]).first }
    return try adding([WordSearch(expression: SearchParser.parse(text), column: column)])
  }

  /// The query with more to search for.
  func adding(_ searches: [WordSearch]) throws(VaultError) -> Query {
    let query = Query(store: store, parts: parts.adding(searches: searches))
    // As many values as a statement can bind beside a condition's.
    guard query.searches.reduce(0, { $0 + $1.expression.count }) <= 2 * SearchParser.maximumTerms
    else {
      throw VaultError(
        .invalidCondition,
        "The searches of the query have too many words together. Search for fewer.")
    }
    return query
  }

  /// - Throws: `.invalidArgument` for a query that searches for words, where another one that does not
  ///   have them would be wanted too.
  func checkHasNoSearch() throws(VaultError) {
    guard !searches.isEmpty else { return }
    throw VaultError(
      .invalidArgument,
      "A query that searches for words is combined with others by `and` only. Say OR and NOT in the "
        + "text of the search.")
  }
}

extension ObjectStore {
  /// The objects that have these words in their searched properties.
  ///
  /// - Throws: as ``Query/search(_:in:)``.
  public func search(_ text: String, in property: String? = nil) throws(VaultError) -> Query<T> {
    try query.search(text, in: property)
  }
}
