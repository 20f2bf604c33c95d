/// Hints for syntax of SQL, NSPredicate and Realm that conditions do not support.
enum FormerSyntax {
  /// Returns the replacement for a word, with a leading space, or an empty string for other words.
  static func hint(for word: String) -> String {
    if let hint = operatorHint(for: word) { return hint }
    return switch word.uppercased() {
    case "SORT", "ORDER", "DISTINCT", "LIMIT", "OFFSET", "GROUP":
      " A condition only selects objects. Sort, limit and group the query."
    case "XOR": " Write (a && !b) || (!a && b)."
    case "WHEN": " Write the cases as conditions, such as (a && b) || (!a && c)."
    case "ESCAPE": " LIKE always escapes with a backslash."
    case "COLLATE": " Write an option after the operator, such as ==[c]."
    default: ""
    }
  }

  /// Returns the replacement for a binary operator, with a leading space, or nil for other words.
  static func operatorHint(for word: String) -> String? {
    switch word.uppercased() {
    case "ISNULL", "NOTNULL", "ISNOT": " Write IS NULL or IS NOT NULL."
    case "ILIKE": " Write LIKE, which ignores the case of A-Z, or CONTAINS[c]."
    case "GLOB": " Write LIKE, with % for any text and _ for one character."
    case "REGEXP", "RLIKE", "REGEX": " Write MATCHES."
    case "MOD": " Write % for the remainder of integers."
    case "EQUALS": " Write ==."
    default: nil
    }
  }

  /// Returns the reason why an option of NSPredicate does not exist, with a leading space, or an
  /// empty string for other letters.
  static func option(_ letter: UInt8) -> String {
    switch letter {
    case UInt8(ascii: "i"): " [c] ignores case."
    case UInt8(ascii: "n"): " [n] is unnecessary, because texts always compare by their bytes."
    case UInt8(ascii: "l"): " [l] does not exist, because a locale would change the result."
    default: ""
    }
  }

  /// Returns the hint for a word where a value is expected, with a leading space, or an empty
  /// string.
  static func valueHint(for token: Token) -> String {
    if token == .arithmetic(.divide) {
      return " Write a regular expression as text, such as MATCHES '(?i)a.*'."
    }
    return ""
  }

  /// Returns the message for a name before parentheses.
  static func function(_ name: String) -> String {
    let name = name.count > 40 ? name.prefix(40) + "…" : name
    let hint =
      switch name.uppercased() {
      case "DATE", "DATETIME", "STRFTIME", "JULIANDAY", "TODAY", "CURRENT_TIMESTAMP", "GETDATE":
        "Write now(), a date as text such as '2024-01-01', or pass a date as an argument."
      case "CAST", "FUNCTION":
        "Every value is compared as a value of the property's type. Remove the conversion."
      case "COALESCE", "IFNULL", "NVL", "IIF", "CASE", "TERNARY":
        "Write the cases as conditions, such as (a != nil && a > 3) || (a == nil && b > 3)."
      case "EXISTS": "Write ANY students (students.age > 5)."
      case "LENGTH", "LEN", "CHAR_LENGTH": "Write .length after the property, such as name.length."
      case "ABS": "Compare with both signs, such as age BETWEEN {-3, 3}."
      case "SORT", "DISTINCT", "LIMIT": "Sort and limit the query, not its condition."
      case "LOWER", "LCASE", "UPPER", "UCASE":
        "Write lowercase(name) or uppercase(name), or compare case-insensitively with ==[c]."
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
