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
  /// The quoted name of the full-text index.
  package let index: String
  /// The left side of MATCH: the index, or one of its columns.
  package let searched: String
  /// The rowid of the class's table.
  let row: String
  private(set) package var values: [StoredValue] = []

  package init(_ definition: SearchDefinition, table: String, column: String?) {
    module = definition.module
    index = SQL.quoted(definition.name)
    searched = column.map { "\(SQL.quoted(definition.name)).\(SQL.quoted($0))" } ?? index
    row = "\(table).rowid"
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
    values.append(.text(match(terms, isAll: isAll)))
    return "\(row) IN (SELECT rowid FROM \(index) WHERE \(searched) MATCH ?)"
  }

  /// Returns the text for MATCH, with every word and phrase in quotes so that it has no operators.
  package func match(_ terms: [SearchTerm], isAll: Bool) -> String {
    let texts = terms.map { term in
      switch (term.isPrefix, module) {
      case (false, _): "\"\(term.text)\""
      case (true, .fts4): "\"\(term.text)*\""
      case (true, .fts5): "\"\(term.text)\"*"
      }
    }
    // FTS4 may lack AND; it requires all terms that are next to each other.
    return texts.joined(separator: !isAll ? " OR " : module == .fts4 ? " " : " AND ")
  }
}
