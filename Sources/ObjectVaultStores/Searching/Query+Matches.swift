import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema

extension Query {
  /// Returns the objects that match the query's search, best matches first, with snippets.
  ///
  /// The ranking is BM25: a term counts more if fewer objects contain it and if it is frequent in a
  /// short text. If the query is sorted, its order is kept. If the query has several searches, the
  /// first one ranks.
  ///
  /// - Parameter snippet: The format of the snippets; `nil` for no snippets, which is faster.
  /// - Returns: The matches, in order.
  /// - Throws: ``VaultError`` `.invalidArgument` for a query without a search, or a snippet of
  ///   fewer than 1 or more than 64 words.
  public func matches(snippet: SnippetForm? = SnippetForm()) throws -> [SearchMatch<T>] {
    let sql = try MatchSQL(self, snippet: snippet)
    return try store.readWithOwned { session in
      let clauses = QuerySQL(self, firstList: session.nextList)
      var found: [(score: Double, snippet: String)] = []
      let scoreColumn = store.state.sql.quotedColumns.count
      let kept = try store.keptObjectsOfRows()
      var objects: [T] = []
      try store.access.timed(sql.text(clauses)) { text in
        try session.with(text, lists: clauses.lists) { statement in
          sql.bind(clauses, to: statement.binder)
          while try statement.step() {
            objects.append(try store.object(statement, kept))
            let row = statement.row
            found.append((row.real(at: scoreColumn), row.text(at: scoreColumn + 1) ?? ""))
          }
        }
      }
      try store.complete(&objects, on: session)
      return zip(objects, found).map {
        SearchMatch(object: $0, score: $1.score, snippet: $1.snippet)
      }
    }
  }
}

extension Query where T: Sendable {
  /// Returns the objects that match the query's search without blocking the caller's thread.
  ///
  /// See ``matches(snippet:)-(SnippetForm?)``.
  public func matches(snippet: SnippetForm? = SnippetForm()) async throws -> [SearchMatch<T>] {
    try await store.reading { try matches(snippet: snippet) }
  }
}

/// The statement that ranks the matches of a search.
private struct MatchSQL {
  private let state: TableState
  private let index: String
  private let score: String
  private let searched: String
  private let text: String
  private let snippet: SnippetForm?
  private let snippetCall: String

  init<T>(_ query: Query<T>, snippet: SnippetForm?) throws(VaultError) {
    state = query.store.state
    guard let search = query.searches.first, let definition = SearchDefinition(state.description)
    else {
      throw VaultError(
        .invalidArgument,
        "The query has no full-text search, so its objects cannot be ranked. Call `search(_:)` "
          + "first, or `all()` instead.")
    }
    if let snippet, !(1...64).contains(snippet.words) {
      throw VaultError(
        .invalidArgument, "The length of a snippet is out of range. Use 1 to 64 words.")
    }
    let sql = SearchSQL(definition, table: state.sql.table, column: search.column)
    index = sql.index
    searched = sql.searched
    // Every match contains at least one of the terms; the query's own clause selects the matches.
    text = sql.match(search.expression.terms, isAll: false)
    let column = search.column.flatMap(state.description.searchedColumns.firstIndex) ?? -1
    self.snippet = snippet
    switch definition.module {
    case .fts4:
      score = "\(SearchScore.functionName)(matchinfo(\(index), '\(SearchScore.format)'), \(column))"
      snippetCall = "snippet(\(index), ?, ?, ?, \(column), \(snippet?.words ?? 0))"
    case .fts5:
      score = "-bm25(\(index))"
      snippetCall = "snippet(\(index), \(column), ?, ?, ?, \(snippet?.words ?? 0))"
    }
  }

  func text(_ clauses: QuerySQL) -> String {
    let snippet = snippet == nil ? "''" : snippetCall
    // The index has columns with the names of the table's columns. The subquery hides them from the
    // condition.
    let found =
      "(SELECT rowid AS \"ov_row\", \(score) AS \"ov_score\", \(snippet) AS \"ov_snippet\" "
      + "FROM \(index) WHERE \(searched) MATCH ?) AS \"ov_found\""
    return
      "SELECT \(state.sql.columns), \"ov_found\".\"ov_score\", \"ov_found\".\"ov_snippet\" FROM "
      + "\(found) CROSS JOIN \(state.sql.table) ON \(state.sql.table).rowid = "
      + "\"ov_found\".\"ov_row\""
      + clauses.tail(orderedBy: "\"ov_found\".\"ov_score\" DESC")
  }

  func bind(_ clauses: QuerySQL, to binder: Binder) {
    var values: [StoredValue] = []
    if let snippet {
      values += [.text(snippet.start), .text(snippet.end), .text(snippet.ellipsis)]
    }
    values.append(.text(text))
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
    clauses.bind(to: binder, at: values.count)
  }
}
