/// The expression of a search: terms and phrases with operators.
///
/// Excluded terms always accompany required ones, so every match contains at least one of the
/// ``terms``.
package indirect enum SearchExpression: Sendable, Hashable {
  case term(SearchTerm)
  /// All of these, and none of `except`. `all` is not empty.
  case all([SearchExpression], except: [SearchExpression])
  /// At least one of these.
  case any([SearchExpression])

  /// The terms that a match can contain.
  package var terms: [SearchTerm] {
    switch self {
    case .term(let term): [term]
    case .all(let parts, _), .any(let parts): parts.flatMap(\.terms)
    }
  }

  /// The number of words and phrases, including excluded ones.
  package var count: Int {
    switch self {
    case .term: 1
    case .all(let parts, let except): (parts + except).reduce(0) { $0 + $1.count }
    case .any(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }
}

/// A word or phrase to search for.
package struct SearchTerm: Sendable, Hashable {
  /// The text without characters that have a special meaning in SQLite's query syntax.
  package let text: String
  /// Whether the last word is a prefix.
  package let isPrefix: Bool

  /// Creates a term, or returns `nil` for a text without a letter or digit and so without a word.
  ///
  /// - Parameters:
  ///   - text: The word or phrase.
  ///   - isPrefix: Whether the last word is a prefix.
  package init?(_ text: String, isPrefix: Bool) {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      // Separators, and special characters even inside quotes.
      scalars.append(["\"", "*", "^", "\0"].contains(scalar) ? " " : scalar)
    }
    guard let last = scalars.lastIndex(where: Self.isOfWord) else { return nil }
    // SQLite requires the star directly after the prefix.
    self.text = String(isPrefix ? String.UnicodeScalarView(scalars[...last]) : scalars)
    self.isPrefix = isPrefix
  }

  /// The text from its first word to its last one, without combining marks.
  package var trimmedText: String {
    let scalars = text.unicodeScalars.filter { !SearchGrams.marks.contains($0) }
    guard let first = scalars.firstIndex(where: Self.isOfWord),
      let last = scalars.lastIndex(where: Self.isOfWord)
    else { return "" }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }

  /// Returns whether `unicode61` treats a scalar as a part of words.
  ///
  /// These are letters, numbers and private-use characters. Inside a word, marks are too.
  static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return switch scalar {
      case "0"..."9", "A"..."Z", "a"..."z": true
      default: false
      }
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
