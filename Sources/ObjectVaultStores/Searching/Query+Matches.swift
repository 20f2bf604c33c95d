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
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func matches(snippet: SnippetForm? = SnippetForm()) throws -> [SearchMatch<T>] {
    try checkSteps()
    let sql = try MatchSQL(self, snippet: snippet)
    return try store.readWithOwned { session in
      let clauses = try QuerySQL(
        self, firstList: session.nextList, parametersBefore: sql.parameterCount)
      var found: [(score: Double, snippet: String)] = []
      let scoreColumn = store.table.sql.quotedColumns.count
      let kept = try store.keptObjectsOfRows()
      var objects: [T] = []
      try store.access.timed(sql.text(clauses)) { text in
        try session.with(text, lists: clauses.lists) { statement in
          sql.bind(clauses, to: statement.binder)
          while try statement.step() {
            objects.append(try store.object(statement, kept))
            let row = statement.row
            found.append((row.real(at: scoreColumn), sql.snippet(of: row, at: scoreColumn + 1)))
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

/// The statement that ranks the matches of a search.
private struct MatchSQL {
  private let columns: String
  private let ranked: String
  private let text: String
  private let snippet: SnippetForm?
  /// The snippets of an index of grams, which the engine cannot write.
  private let grams: GramSnippets?

  init<T>(_ query: Query<T>, snippet: SnippetForm?) throws(VaultError) {
    let table = query.store.table
    guard let search = query.searches.first,
      let sql = SearchSQL(table.description, column: search.column)
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
    columns = table.sql.columns
    let isOfGrams = table.description.search?.tokenizer == .trigram
    grams =
      isOfGrams
      ? snippet.map { GramSnippets($0, search, in: table.description) } : nil
    let snippet = isOfGrams ? nil : snippet
    ranked = sql.ranked(snippetWords: snippet?.words)
    // Every match contains at least one of the terms; the query's own clause selects the matches.
    text = sql.match(search.expression.terms, isAll: false)
    self.snippet = snippet
  }

  /// The number of parameters before those of the query.
  var parameterCount: Int { snippet == nil ? 1 : 4 }

  func text(_ clauses: QuerySQL) -> String {
    let (score, snippet) = SearchSQL.rankColumns
    return "SELECT \(columns), \(score), \(snippet) FROM \(ranked)"
      + clauses.tail(orderedBy: "\(score) DESC")
  }

  /// Returns the snippet of a row that the statement returned.
  func snippet(of row: Row, at column: Int) -> String {
    grams?.snippet(of: row) ?? row.text(at: column) ?? ""
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
