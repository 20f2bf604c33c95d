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
    of searches: [WordSearch], _ table: Table
  ) -> [(text: String, values: [StoredValue])] {
    searches.compactMap { search in
      guard var sql = SearchSQL(table.description, column: search.column) else { return nil }
      let text = sql.write(search.expression)
      return (text, sql.values)
    }
  }
}
