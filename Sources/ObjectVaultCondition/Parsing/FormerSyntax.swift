/// Hints for syntax of SQL, NSPredicate and Realm that conditions do not support.
enum FormerSyntax {
  /// Returns the replacement for a word, with a leading space, or an empty string for other words.
  static func hint(for word: String) -> String {
    if let hint = operatorHint(for: word) { return hint }
    return switch word.uppercased() {
    case "SORT", "ORDER", "DISTINCT", "LIMIT", "OFFSET", "GROUP":
      " A condition only selects objects. Sort, limit and group the query."
    case "XOR": " Write (a && !b) || (!a && b)."
    default: ""
    }
  }

  /// Returns the replacement for a binary operator, with a leading space, or nil for other words.
  static func operatorHint(for word: String) -> String? {
    switch word.uppercased() {
    case "IS", "ISNULL", "NOTNULL", "ISNOT": " Write == nil or != nil."
    case "ILIKE": " Write LIKE, which ignores the case of A-Z, or CONTAINS[c]."
    case "GLOB": " Write LIKE, with % for any text and _ for one character."
    case "REGEXP", "RLIKE", "REGEX": " Write MATCHES."
    case "MOD": " Calculate the remainder of integers as a - a / 2 * 2."
    case "EQUALS": " Write ==."
    default: nil
    }
  }

  /// Returns the message for a name before parentheses.
  static func function(_ name: String) -> String {
    let name = name.count > 40 ? name.prefix(40) + "…" : name
    let hint =
      switch name.uppercased() {
      case "SUBQUERY":
        "Write ANY students (students.age > 5), or compare students.@count."
      case "NOW", "DATE", "DATETIME", "TODAY", "CURRENT_TIMESTAMP", "CAST":
        "Pass a date as an argument, or write it as text, such as '2024-01-01T00:00:00Z'."
      case "SORT", "DISTINCT", "LIMIT": "Sort and limit the query, not its condition."
      case "LOWER", "LOWERCASE", "UPPER", "UPPERCASE":
        "Compare case-insensitively with ==[c] or CONTAINS[c]."
      case "COUNT", "MIN", "MAX", "AVG", "AVERAGE", "SUM":
        "Write an aggregate after its path, such as students.@count."
      default: "Calculate the value first and pass it as an argument."
      }
    return "The function '\(name)' does not exist. \(hint)"
  }
}

extension Token {
  /// The replacement for the token, with a leading space, or an empty string.
  var hint: String {
    if case .name(let name) = self { FormerSyntax.hint(for: name) } else { "" }
  }

  /// Whether the token is a binary operator in another query language.
  var isFormerOperator: Bool {
    if case .name(let name) = self { FormerSyntax.operatorHint(for: name) != nil } else { false }
  }
}
