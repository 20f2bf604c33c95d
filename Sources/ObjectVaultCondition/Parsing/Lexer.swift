/// Divides condition text into tokens, one at a time.
struct Lexer {
  let text: String
  let bytes: [UInt8]
  var position = 0
  /// The previous token.
  private var last: Token = .end
  /// Whether the previous token can be the end of an operand.
  private var isBehindOperand: Bool { last.endsOperand }

  init(_ text: String) {
    self.text = text
    self.bytes = Array(text.utf8)
  }

  /// Returns the next token and the offset of its start.
  mutating func next() throws(ConditionError) -> (token: Token, offset: Int) {
    skipSpace()
    let start = position
    guard let byte = peek() else { return (.end, start) }
    let token = try token(beginningWith: byte)
    last = token
    return (token, start)
  }

  private mutating func token(beginningWith byte: UInt8) throws(ConditionError) -> Token {
    switch byte {
    case UInt8(ascii: "("): return take(1, .leftParenthesis)
    case UInt8(ascii: ")"): return take(1, .rightParenthesis)
    case UInt8(ascii: "{"): return take(1, .leftBrace)
    case UInt8(ascii: "}"): return take(1, .rightBrace)
    case UInt8(ascii: ","): return take(1, .comma)
    case UInt8(ascii: "."):
      return isBehindOperand || !isDigit(at: 1) ? take(1, .dot) : .literal(try number())
    case UInt8(ascii: "?"): return take(1, .placeholder(.any))
    case UInt8(ascii: "&"):
      return try both("&&", .keyword(.and))
    case UInt8(ascii: "|"):
      return try both("||", .keyword(.or))
    case UInt8(ascii: "!"):
      return peek(1) == UInt8(ascii: "=")
        ? take(2, .compare(.notEqual)) : take(1, .keyword(.not))
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"): return comparison(byte)
    case UInt8(ascii: "["):
      return isBehindOperand ? take(1, .leftBracket) : try options()
    case UInt8(ascii: "]"): return take(1, .rightBracket)
    case UInt8(ascii: "%"):
      return try isBehindOperand ? remainder() : placeholder()
    case UInt8(ascii: "$"):
      position += 1
      return isDigit(at: 0)
        ? .numberedArgument(try argumentNumber()) : .namedArgument(try plainName(after: "$"))
    case UInt8(ascii: "#"):
      position += 1
      return .name(try plainName(after: "#"))
    case UInt8(ascii: "`"): return .name(try quoted(byte, what: "name"))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .literal(.text(try quoted(byte, what: "text")))
    case UInt8(ascii: "@"): return try aggregate()
    case UInt8(ascii: "*"): return take(1, .arithmetic(.multiply))
    case UInt8(ascii: "/"): return take(1, .arithmetic(.divide))
    case UInt8(ascii: "+") where isBehindOperand: return take(1, .arithmetic(.add))
    case UInt8(ascii: "-") where isBehindOperand || !isNumber(at: 1): return try minus()
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .literal(try number())
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      if peek(1) == UInt8(ascii: "'") { return .literal(.data(try data())) }
    default: break
    }
    guard let name = name() else { throw unexpectedCharacter() }
    if let keyword = Keyword(word: name) { return .keyword(keyword) }
    return .name(name)
  }

  // MARK: Bytes

  func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  func isDigit(at distance: Int) -> Bool {
    peek(distance).map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
  }

  /// Whether a number without a sign begins at a distance.
  func isNumber(at distance: Int) -> Bool {
    isDigit(at: distance) || (peek(distance) == UInt8(ascii: ".") && isDigit(at: distance + 1))
  }

  /// Whether the token at an offset is a name without quotes or `#`.
  func isPlainName(at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] != UInt8(ascii: "`") && bytes[offset] != UInt8(ascii: "#")
  }

  private mutating func take(_ count: Int, _ token: Token) -> Token {
    position += count
    return token
  }

  /// Returns the scalar at the position and the number of its bytes.
  func scalar() -> (scalar: Unicode.Scalar, length: Int)? {
    guard let first = peek() else { return nil }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    // The bytes are from a String, so they are valid UTF-8.
    var value = length == 1 ? UInt32(first) : UInt32(first & (0x7F >> UInt8(length)))
    for distance in 1..<max(1, length) { value = value << 6 | UInt32((peek(distance) ?? 0) & 0x3F) }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  private mutating func skipSpace() {
    while let (scalar, length) = scalar(), scalar.properties.isWhitespace { position += length }
  }

  func error(_ message: String, at offset: Int) -> ConditionError {
    ConditionError(.syntax, message, at: offset, in: text)
  }

  private func unexpectedCharacter() -> ConditionError {
    let hint =
      peek() == UInt8(ascii: "~")
      ? "Write MATCHES for a regular expression." : "Remove it, or quote the text."
    return error("The character has no meaning outside quotes. \(hint)", at: position)
  }

  // MARK: Operators

  private mutating func minus() throws(ConditionError) -> Token {
    let minus = UInt8(ascii: "-")
    let isSecond = position > 0 && bytes[position - 1] == minus
    if !isBehindOperand, isSecond || peek(1) == minus {
      throw error(
        "'--' does not begin a comment. Write a space between two minus signs.",
        at: position)
    }
    return take(1, .arithmetic(.subtract))
  }

  private mutating func remainder() throws(ConditionError) -> Token {
    if peek(1) == UInt8(ascii: "@") {
      throw error(
        "The placeholder follows a value directly. Write an operator such as == between them.",
        at: position)
    }
    return take(1, .arithmetic(.remainder))
  }

  private mutating func both(_ symbol: StaticString, _ token: Token) throws(ConditionError) -> Token
  {
    guard peek(1) == peek() else {
      throw error(
        "A single '\(Unicode.Scalar(bytes[position]))' has no meaning. Write '\(symbol)'.",
        at: position)
    }
    return take(2, token)
  }

  private mutating func comparison(_ first: UInt8) -> Token {
    let second = peek(1)
    switch (first, second) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): return take(2, .compare(.equal))
    case (UInt8(ascii: "="), UInt8(ascii: "<")), (UInt8(ascii: "<"), UInt8(ascii: "=")):
      return take(2, .compare(.lessOrEqual))
    case (UInt8(ascii: "="), UInt8(ascii: ">")), (UInt8(ascii: ">"), UInt8(ascii: "=")):
      return take(2, .compare(.greaterOrEqual))
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): return take(2, .compare(.notEqual))
    case (UInt8(ascii: "<"), _): return take(1, .compare(.less))
    case (UInt8(ascii: ">"), _): return take(1, .compare(.greater))
    default: return take(1, .compare(.equal))
    }
  }

  private mutating func options() throws(ConditionError) -> Token {
    let start = position
    if last == .keyword(.in) || last == .keyword(.between) {
      throw error("'[' does not begin a list. Write a list in braces: {1, 2, 3}.", at: start)
    }
    var options: TextOptions = []
    position += 1
    while let byte = peek() {
      position += 1
      switch byte | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseBlind)
      case UInt8(ascii: "d"): options.insert(.diacriticBlind)
      default:
        if byte == UInt8(ascii: "]"), !options.isEmpty { return .options(options) }
        throw error(
          "The options of a comparison are invalid. Use [c], [d] or [cd]."
            + FormerSyntax.option(byte | 0x20),
          at: start)
      }
    }
    throw error("The options of a comparison are invalid. Use [c], [d] or [cd].", at: start)
  }

  private mutating func placeholder() throws(ConditionError) -> Token {
    let start = position
    position += 1
    if peek() == UInt8(ascii: "@") { return take(1, .placeholder(.any)) }
    if peek() == UInt8(ascii: "K") { return take(1, .pathPlaceholder) }
    var modifiers = 0
    while let byte = peek(), "hlqLzjt".utf8.contains(byte), modifiers < 2 {
      position += 1
      modifiers += 1
    }
    switch peek().map({ Unicode.Scalar($0) }) {
    case "d", "D", "i", "u", "U", "x", "X", "o", "O": return take(1, .placeholder(.integer))
    case "f", "F", "e", "E", "g", "G", "a", "A": return take(1, .placeholder(.real))
    case "s", "S": return take(1, .placeholder(.text))
    default:
      throw error(
        "The placeholder is unknown. Write %@ for a value, or %K for the name of a property.",
        at: start)
    }
  }

  private mutating func aggregate() throws(ConditionError) -> Token {
    let start = position
    position += 1
    guard let name = name(), let aggregate = Aggregate(rawValue: "@" + name) else {
      throw error(
        "'@' begins only an aggregate. Write @count, @min, @max, @avg or @sum.", at: start)
    }
    return .aggregate(aggregate)
  }
}
