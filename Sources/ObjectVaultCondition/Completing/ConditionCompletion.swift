/// The part of a condition that can follow an unfinished text.
package struct ConditionCompletion: Sendable, Hashable {
  /// A kind of word that can follow.
  package enum Expected: Sendable, Hashable {
    /// A property or an association at the start of a comparison, or a quantifier.
    case subject
    /// A property or a value after an operator.
    case value
    /// An operator of a comparison; after a Bool property also `AND` and `OR`.
    case comparison
    /// `AND` or `OR`.
    case connective
  }

  /// The kind of word; `nil` if no word can follow, as inside quotes.
  package var expected: Expected?
  /// The associations before the last dot, from the object on.
  package var path: [String] = []
  /// The word that is being typed.
  package var prefix = ""
  /// The offset of the word in UTF-8 bytes.
  package var start: Int

  /// Creates the completion of a text that ends at the insertion point.
  package init(_ text: String) {
    var text = text
    start = text.utf8.count
    // The lexer accepts only complete aggregates.
    if let sign = text.lastIndex(where: { !$0.isLetter }), text[sign] == "@",
      text[..<sign].last == "."
    {
      prefix = String(text[sign...])
      text.removeSubrange(sign...)
      start = text.utf8.count
    }
    guard var tokens = Self.tokens(of: text) else { return }
    if prefix.isEmpty, let last = tokens.last, last.end == start, last.token.isWord {
      prefix = String(decoding: text.utf8.dropFirst(last.start), as: UTF8.self)
      start = last.start
      tokens.removeLast()
    }
    while tokens.last?.token == .dot, case .name(let name)? = tokens.dropLast().last?.token {
      path.insert(name, at: 0)
      tokens.removeLast(2)
    }
    let isJoined = prefix.isEmpty && path.isEmpty && tokens.last?.end == start
    if isJoined, tokens.last?.token.endsOperand == true { return }
    expected = Self.expected(after: tokens.map(\.token))
    // A path is an operand.
    if !path.isEmpty, expected != .subject, expected != .value { expected = nil }
  }

  private typealias Place = (token: Token, start: Int, end: Int)

  /// Returns the tokens of a text, or `nil` if it is not divisible into tokens.
  private static func tokens(of text: String) -> [Place]? {
    var lexer = Lexer(text)
    var tokens: [Place] = []
    while let (token, start) = try? lexer.next() {
      if token == .end { return tokens }
      tokens.append((token, start, lexer.position))
    }
    return nil
  }

  /// Returns the kind of word that can follow tokens.
  private static func expected(after tokens: [Token]) -> Expected {
    /// Whether the current comparison has its operator, for each open parenthesis.
    var isCompared = [false]
    var last: Token?
    for token in tokens {
      switch token {
      case .leftParenthesis: isCompared.append(false)
      case .rightParenthesis:
        let inner = isCompared.count > 1 ? isCompared.removeLast() : false
        // A condition in parentheses ends like a comparison, a calculation like an operand.
        if inner { isCompared[isCompared.count - 1] = true }
      case .compare: isCompared[isCompared.count - 1] = true
      case .keyword(.and), .keyword(.or): isCompared[isCompared.count - 1] = false
      case .keyword(.in), .keyword(.between), .keyword(.truePredicate), .keyword(.falsePredicate):
        isCompared[isCompared.count - 1] = true
      case .keyword(let keyword) where keyword.textOperator != nil:
        isCompared[isCompared.count - 1] = true
      default: break
      }
      last = token == .keyword(.not) && last?.endsOperand == true ? last : token
    }
    let isAfterOperator = isCompared[isCompared.count - 1]
    switch last {
    case .rightBrace, .keyword(.truePredicate), .keyword(.falsePredicate): return .connective
    case let token? where token.endsOperand: return isAfterOperator ? .connective : .comparison
    default: return isAfterOperator ? .value : .subject
    }
  }

  /// Returns the words that can follow, apart from names.
  package var words: [String] {
    guard path.isEmpty else { return [] }
    return switch expected {
    case .subject: ["ANY", "ALL", "NONE", "NOT", "TRUEPREDICATE"]
    case .value: ["nil", "TRUE", "FALSE"]
    case .comparison:
      [
        "==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
        "BETWEEN", "IN", "NOT", "AND", "OR",
      ]
    case .connective: ["AND", "OR"]
    case nil: []
    }
  }

  /// Returns the spelling of a name in a condition, in backquotes if it needs them.
  package static func spelling(ofName name: String) -> String {
    let scalars = name.unicodeScalars
    let isPlain =
      !scalars.isEmpty && Keyword(word: name) == nil
      && scalars.indices.allSatisfy {
        Lexer.isNamePart(scalars[$0], first: $0 == scalars.startIndex)
      }
    return isPlain ? name : name.quoted(by: "`")
  }
}

extension Token {
  /// Whether the token is a name or a keyword, which may be the beginning of another word.
  fileprivate var isWord: Bool {
    switch self {
    case .name, .keyword: true
    default: false
    }
  }
}
