package import ObjectVaultCondition
import ObjectVaultDriver
package import ObjectVaultModel

/// A search as SQL: an expression that is true for matching rows, and its values.
///
/// SQLite's search operators differ between builds (FTS4 may lack parentheses, AND and NOT). This
/// type uses only two kinds of lists, "all of these" and "one of these", which every build
/// supports. SQL joins the rest.
package struct SearchSQL {
  let module: SearchDescription.Module
  private let tokenizer: SearchDescription.Tokenizer
  /// The quoted name of the full-text index.
  package let index: String
  /// The left side of MATCH: the index, or one of its columns.
  package let searched: String
  private let table: String
  /// The rowid of the class's table.
  let row: String
  private(set) package var values: [StoredValue] = []

  private let columns: [String]
  /// The position of the searched column in the index; -1 for all columns.
  private let place: Int

  /// Creates a search, or returns `nil` for a class without a full-text index.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - column: The searched column; `nil` for all indexed columns.
  package init?(_ description: ClassDescription, column: String?) {
    guard let definition = SearchDefinition(description) else { return nil }
    module = definition.module
    tokenizer = description.search?.tokenizer ?? .words
    columns = column.map { [$0] } ?? description.searchedColumns
    index = SQL.quoted(definition.name)
    searched = column.map { "\(SQL.quoted(definition.name)).\(SQL.quoted($0))" } ?? index
    table = SQL.quoted(description.table)
    row = "\(table).rowid"
    place = column.flatMap(description.searchedColumns.firstIndex) ?? -1
  }

  /// Returns the SQL of an expression and adds its values.
  package mutating func write(_ expression: SearchExpression) -> String {
    switch expression {
    case .term(let term): return found([term], isAll: true)
    case .all(let parts, let except):
      return joined(parts, isAll: true)
        + except.map { " AND NOT (\(write($0)))" }.joined()
    case .any(let parts): return "(\(joined(parts, isAll: false)))"
    }
  }

  /// Returns the parts joined: all terms in one search of the index, then the other parts.
  private mutating func joined(_ parts: [SearchExpression], isAll: Bool) -> String {
    let terms = parts.compactMap { if case .term(let term) = $0 { term } else { nil } }
    var texts = terms.isEmpty ? [] : [found(terms, isAll: isAll)]
    for part in parts {
      if case .term = part { continue }
      texts.append(write(part))
    }
    return texts.joined(separator: isAll ? " AND " : " OR ")
  }

  private mutating func found(_ terms: [SearchTerm], isAll: Bool) -> String {
    func isAmbiguous(_ term: SearchTerm) -> Bool {
      tokenizer == .trigram && SearchGrams.isAmbiguous(term.trimmedText)
    }
    let certain = terms.filter { !isAmbiguous($0) }
    var parts = certain.isEmpty ? [] : [indexed(certain, isAll: isAll)]
    for term in terms where isAmbiguous(term) {
      parts.append("(\(indexed([term], isAll: true)) AND (\(containing(term))))")
    }
    return parts.joined(separator: isAll ? " AND " : " OR ")
  }

  /// Returns whether a text itself contains a term.
  private mutating func containing(_ term: SearchTerm) -> String {
    let texts = columns.map { "\(table).\(SQL.quoted($0))" }
    let most = SearchScore.checkedTexts
    let parts = stride(from: 0, to: texts.count, by: most).map { start in
      "\(SearchScore.checkName)(?, \(texts[start...].prefix(most).joined(separator: ", ")))"
    }
    values += parts.map { _ in .text(term.trimmedText) }
    return parts.joined(separator: " OR ")
  }

  private mutating func indexed(_ terms: [SearchTerm], isAll: Bool) -> String {
    values.append(.text(match(terms, isAll: isAll)))
    return "\(row) IN (SELECT rowid FROM \(index) WHERE \(searched) MATCH ?)"
  }

  /// Returns the text for MATCH, with every word and phrase in quotes so that it has no operators.
  package func match(_ terms: [SearchTerm], isAll: Bool) -> String {
    let texts = terms.map { term in
      let (text, isPrefix) =
        switch tokenizer {
        case .words: (term.text, term.isPrefix)
        case .trigram: SearchGrams.phrase(of: term.trimmedText)
        }
      return switch (isPrefix, module) {
      case (false, _): "\"\(text)\""
      case (true, .fts4): "\"\(text)*\""
      case (true, .fts5): "\"\(text)\"*"
      }
    }
    // FTS4 may lack AND; it requires all terms that are next to each other.
    return texts.joined(separator: !isAll ? " OR " : module == .fts4 ? " " : " AND ")
  }

  // MARK: Ranking

  /// The names of the columns that ``ranked(snippetWords:)`` adds to a row.
  package static let rankColumns = (
    score: "\"ov_found\".\"ov_score\"", snippet: "\"ov_found\".\"ov_snippet\""
  )

  /// Returns the rows of the table that match a text for MATCH, with score and snippet.
  ///
  /// The parameters are the start, the end and the ellipsis of snippets, if there are any, and then
  /// the text.
  ///
  /// - Parameter words: The length of a snippet in words; `nil` for no snippets.
  /// - Returns: The tables of a `FROM` clause.
  package func ranked(snippetWords words: Int?) -> String {
    let score: String
    var snippet = "''"
    switch module {
    case .fts4:
      score = "\(SearchScore.functionName)(matchinfo(\(index), '\(SearchScore.format)'), \(place))"
      if let words { snippet = "snippet(\(index), ?, ?, ?, \(place), \(words))" }
    case .fts5:
      score = "-bm25(\(index))"
      if let words { snippet = "snippet(\(index), \(place), ?, ?, ?, \(words))" }
    }
    // The index has columns with the names of the table's columns. The subquery hides them from the
    // condition.
    return "(SELECT rowid AS \"ov_row\", \(score) AS \"ov_score\", \(snippet) AS \"ov_snippet\" "
      + "FROM \(index) WHERE \(searched) MATCH ?) AS \"ov_found\" "
      + "CROSS JOIN \(table) ON \(row) = \"ov_found\".\"ov_row\""
  }
}
