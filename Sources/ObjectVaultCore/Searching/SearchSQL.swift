import ObjectVaultCondition

/// A search as SQL: an expression that holds for the rows that are found, and its values.
///
/// The engine's own operators differ from build to build (FTS4 may lack parentheses, AND and NOT), so
/// that it is asked for lists of one kind only, "all of these" and "one of these", which every build
/// reads alike; what is more is joined in SQL.
struct SearchSQL {
  let module: SearchDescription.Module
  /// The index of words, quoted.
  let index: String
  /// What is compared with the text: the index, or one column of it.
  let searched: String
  /// The number of a row of the class's table.
  let row: String
  private(set) var values: [StoredValue] = []

  init(_ definition: SearchDefinition, table: String, column: String?) {
    module = definition.module
    index = SQL.quoted(definition.name)
    searched = column.map { "\(SQL.quoted(definition.name)).\(SQL.quoted($0))" } ?? index
    row = "\(table).rowid"
  }

  /// Writes the expression, and adds its values.
  mutating func write(_ expression: SearchExpression) -> String {
    switch expression {
    case .term(let term): return found([term], isAll: true)
    case .all(let parts, let except):
      return joined(parts, isAll: true)
        + except.map { " AND NOT (\(write($0)))" }.joined()
    case .any(let parts): return "(\(joined(parts, isAll: false)))"
    }
  }

  /// All terms among the parts in one look at the index, then the other parts.
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

  /// The text for MATCH: every word and phrase in quotes, in which nothing but words is read.
  func match(_ terms: [SearchTerm], isAll: Bool) -> String {
    let texts = terms.map { term in
      switch (term.isPrefix, module) {
      case (false, _): "\"\(term.text)\""
      case (true, .fts4): "\"\(term.text)*\""
      case (true, .fts5): "\"\(term.text)\"*"
      }
    }
    // To FTS4, which may not know AND, what stands side by side must all be there.
    return texts.joined(separator: !isAll ? " OR " : module == .fts4 ? " " : " AND ")
  }
}
