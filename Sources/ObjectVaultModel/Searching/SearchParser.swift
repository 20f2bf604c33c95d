import ObjectVaultCondition
package import ObjectVaultDriver

/// A parser of search texts.
///
/// ```
/// search = and { "OR" and } ;
/// and    = part { ["AND"] part } ;      part = ["NOT"] unit ;
/// unit   = word ["*"] | '"' words '"' ["*"] | "(" search ")" ;
/// ```
///
/// `AND`, `OR` and `NOT` are operators only in capitals. A part with `NOT` needs another part
/// without it, because a full-text index cannot list the objects that lack a term.
package struct SearchParser {
  /// The greatest length of a text, in UTF-8 bytes.
  static let maximumLength = 4096
  /// The greatest number of words and phrases in a search.
  package static let maximumTerms = 40
  /// The greatest number of levels of parentheses.
  private static let maximumDepth = 50

  private enum Token: Equatable {
    case and, or, not, opening, closing
    case term(SearchTerm)
  }

  private let text: String
  private var tokens: [(token: Token, offset: Int)] = []
  private var next = 0
  private var depth = 0

  /// Returns the expression of a search text.
  ///
  /// - Parameter text: The search text.
  /// - Returns: The expression.
  /// - Throws: `.invalidCondition` with the position in the text.
  package static func parse(_ text: String) throws(VaultError) -> SearchExpression {
    do throws(ConditionError) {
      var parser = try SearchParser(text)
      return try parser.readAll()
    } catch {
      throw VaultError(error)
    }
  }

  private init(_ text: String) throws(ConditionError) {
    self.text = text
    guard text.utf8.count <= Self.maximumLength else {
      throw ConditionError(
        .limit, "The search is longer than \(Self.maximumLength) bytes. Search for fewer terms.")
    }
    try readTokens()
  }

  private func failure(
    _ message: String, at offset: Int, _ code: ConditionError.Code = .syntax
  ) -> ConditionError {
    ConditionError(code, message, at: offset, in: text)
  }

  // MARK: Tokens

  private mutating func readTokens() throws(ConditionError) {
    let bytes = Array(text.utf8)
    let (quote, star) = (UInt8(ascii: "\""), UInt8(ascii: "*"))
    var place = 0
    while place < bytes.count {
      let start = place
      let space = Self.spaceLength(bytes, at: place)
      if space > 0 {
        place += space
        continue
      }
      switch bytes[place] {
      case UInt8(ascii: "("):
        tokens.append((.opening, start))
        place += 1
      case UInt8(ascii: ")"):
        tokens.append((.closing, start))
        place += 1
      case quote:
        guard let end = bytes[(start + 1)...].firstIndex(of: quote) else {
          throw failure(
            "The phrase has no closing quote. Add one after its last term.", at: start)
        }
        place = end + 1
        let isPrefix = place < bytes.count && bytes[place] == star
        if isPrefix { place += 1 }
        try append(bytes[(start + 1)..<end], isPrefix: isPrefix, at: start)
      default:
        while place < bytes.count, !Self.ends(bytes, at: place), bytes[place] != star { place += 1 }
        let word = bytes[start..<place]
        let isPrefix = place < bytes.count && bytes[place] == star
        if isPrefix { place += 1 }
        guard !isPrefix || place == bytes.count || Self.ends(bytes, at: place) else {
          throw failure(
            "A star is valid only at the end of a term, where it matches any continuation. Remove "
              + "it, or write a space after it.",
            at: place - 1)
        }
        switch isPrefix ? "" : String(decoding: word, as: UTF8.self) {
        case "AND": tokens.append((.and, start))
        case "OR": tokens.append((.or, start))
        case "NOT": tokens.append((.not, start))
        default: try append(word, isPrefix: isPrefix, at: start)
        }
      }
    }
  }

  /// Returns whether a term ends before the byte at a position.
  private static func ends(_ bytes: [UInt8], at place: Int) -> Bool {
    [UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")")].contains(bytes[place])
      || spaceLength(bytes, at: place) > 0
  }

  /// Returns the number of bytes of the white space at a position; 0 for any other character.
  ///
  /// The keyboards of China and Japan write the ideographic space U+3000, and texts of web pages
  /// contain the no-break space U+00A0.
  private static func spaceLength(_ bytes: [UInt8], at place: Int) -> Int {
    let byte = bytes[place]
    if byte < 0x80 { return byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) ? 1 : 0 }
    // No white space has more than three bytes.
    let end = min(place + 3, bytes.count)
    let scalar = String(decoding: bytes[place..<end], as: UTF8.self).unicodeScalars.first
    guard let scalar, scalar.properties.isWhitespace else { return 0 }
    return scalar.utf8.count
  }

  private mutating func append(
    _ bytes: ArraySlice<UInt8>, isPrefix: Bool, at offset: Int
  ) throws(ConditionError) {
    guard let term = SearchTerm(String(decoding: bytes, as: UTF8.self), isPrefix: isPrefix) else {
      throw failure(
        "The character is neither a letter nor a digit, and only terms are indexed. Remove it.",
        at: offset)
    }
    tokens.append((.term(term), offset))
    guard tokens.count <= Self.maximumTerms * 8 else {
      throw failure("The search has too many parts. Search for fewer terms.", at: offset, .limit)
    }
  }

  // MARK: Expressions

  private var offset: Int { next < tokens.count ? tokens[next].offset : text.utf8.count }
  private var token: Token? { next < tokens.count ? tokens[next].token : nil }

  private mutating func readAll() throws(ConditionError) -> SearchExpression {
    let expression = try readOr()
    guard token == nil else {
      throw failure("This parenthesis has no matching '('. Remove it.", at: offset)
    }
    guard expression.count <= Self.maximumTerms else {
      throw failure(
        "The search has more than \(Self.maximumTerms) terms and phrases. Search for fewer.", at: 0,
        .limit)
    }
    return expression
  }

  private mutating func readOr() throws(ConditionError) -> SearchExpression {
    depth += 1
    defer { depth -= 1 }
    // The whole text is the first level.
    guard depth <= Self.maximumDepth + 1 else {
      throw failure(
        "The parentheses are nested too deep here. Simplify the search.", at: offset, .limit)
    }
    var parts = [try readAnd()]
    while token == .or {
      next += 1
      parts.append(try readAnd())
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func readAnd() throws(ConditionError) -> SearchExpression {
    let start = offset
    var (parts, except): ([SearchExpression], [SearchExpression]) = ([], [])
    repeat {
      if token == .and, !(parts.isEmpty && except.isEmpty) { next += 1 }
      if token == .not {
        next += 1
        except.append(try readUnit())
      } else {
        parts.append(try readUnit())
      }
    } while token != nil && token != .or && token != .closing
    guard !parts.isEmpty else {
      throw failure(
        "The search only excludes terms. Write a term before NOT.", at: start
      )
    }
    return parts.count == 1 && except.isEmpty ? parts[0] : .all(parts, except: except)
  }

  private mutating func readUnit() throws(ConditionError) -> SearchExpression {
    let start = offset
    switch token {
    case .term(let term):
      next += 1
      return .term(term)
    case .opening:
      next += 1
      let expression = try readOr()
      guard token == .closing else {
        throw failure("This parenthesis has no matching ')'. Add ')' after the terms.", at: start)
      }
      next += 1
      return expression
    case .and, .or, .not:
      throw failure(
        "A term or phrase is missing here. To search for the words 'and', 'or' and 'not', write "
          + "them in lower case.",
        at: start)
    case .closing, nil:
      throw failure("A term or phrase is missing here. Add one.", at: start)
    }
  }
}
