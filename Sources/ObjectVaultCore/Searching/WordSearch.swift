import ObjectVaultCondition

/// A search of a query: checked, and ready to be written as SQL.
struct WordSearch: Sendable, Hashable {
  let expression: SearchExpression
  /// The column that is searched; `nil` for all that are indexed.
  let column: String?
}

extension QuerySQL {
  /// The searches as SQL, each with its values.
  static func clauses(
    of searches: [WordSearch], _ state: TableState
  ) -> [(text: String, values: [StoredValue])] {
    guard !searches.isEmpty, let definition = SearchDefinition(state.description) else { return [] }
    return searches.map { search in
      var sql = SearchSQL(definition, table: state.sql.table, column: search.column)
      let text = sql.write(search.expression)
      return (text, sql.values)
    }
  }
}
