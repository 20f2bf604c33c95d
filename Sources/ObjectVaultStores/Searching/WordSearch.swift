import ObjectVaultCondition
import ObjectVaultModel
import ObjectVaultSchema

/// A checked full-text search of a query.
struct WordSearch: Sendable, Hashable {
  let expression: SearchExpression
  /// The searched column; `nil` for all indexed columns.
  let column: String?
}

extension QuerySQL {
  /// Returns the searches as SQL, each with its values.
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
