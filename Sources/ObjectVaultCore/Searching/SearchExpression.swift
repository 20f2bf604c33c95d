/// What a search asks for: words and phrases, joined.
///
/// Whatever an object must *not* have stands beside what it must have, so that every object that is
/// found has at least one of the ``terms``.
indirect enum SearchExpression: Sendable, Hashable {
  case term(SearchTerm)
  /// All of these, and none of `except`. There is at least one of `all`.
  case all([SearchExpression], except: [SearchExpression])
  /// At least one of these.
  case any([SearchExpression])

  /// What an object may be found by.
  var terms: [SearchTerm] {
    switch self {
    case .term(let term): [term]
    case .all(let parts, _), .any(let parts): parts.flatMap(\.terms)
    }
  }

  /// How many words and phrases there are, also those that must be absent.
  var count: Int {
    switch self {
    case .term: 1
    case .all(let parts, let except): (parts + except).reduce(0) { $0 + $1.count }
    case .any(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }
}

/// A word or phrase that is searched for.
struct SearchTerm: Sendable, Hashable {
  /// The text between characters that mean something to the engine.
  let text: String
  /// Whether the last word may go on.
  let isPrefix: Bool

  /// - Returns: `nil` for a text that has neither a letter nor a digit, and so no word.
  init?(_ text: String, isPrefix: Bool) {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      // Between words, and special to the engine even inside quotes.
      scalars.append(["\"", "*", "^", "\0"].contains(scalar) ? " " : scalar)
    }
    guard let last = scalars.lastIndex(where: Self.isOfWord) else { return nil }
    // The engine wants the star directly after the word that may go on.
    self.text = String(isPrefix ? String.UnicodeScalarView(scalars[...last]) : scalars)
    self.isPrefix = isPrefix
  }

  /// What the engine's `unicode61` makes words of: letters, numbers, and what is for private use; and
  /// marks, inside a word.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
