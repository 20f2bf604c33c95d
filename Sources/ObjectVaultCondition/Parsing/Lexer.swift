/// Divides condition text into tokens, one at a time.
struct Lexer {
  let text: String
  let bytes: [UInt8]
  private(set) var position = 0
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
    case UInt8(ascii: "."): return take(1, .dot)
    case UInt8(ascii: "?"): return take(1, .placeholder(.any))
    case UInt8(ascii: "&"):
      return try both("&&", .keyword(.and))
    case UInt8(ascii: "|"):
      return try both("||", .keyword(.or))
    case UInt8(ascii: "!"):
      return peek(1) == UInt8(ascii: "=")
        ? take(2, .compare(.notEqual)) : take(1, .keyword(.not))
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"): return comparison(byte)
    case UInt8(ascii: "["): return try options()
    case UInt8(ascii: "%"): return try placeholder()
    case UInt8(ascii: "$"):
      position += 1
      return .namedArgument(try plainName(after: "$"))
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
    case UInt8(ascii: "-") where isBehindOperand: return take(1, .arithmetic(.subtract))
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

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  private mutating func take(_ count: Int, _ token: Token) -> Token {
    position += count
    return token
  }

  /// Returns the scalar at the position and the number of its bytes.
  private func scalar() -> (scalar: Unicode.Scalar, length: Int)? {
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
    error(
      "The character has no meaning outside quotes. Remove it, or quote the text.", at: position)
  }

  // MARK: Operators

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
        throw error("The options of a comparison are invalid. Use [c], [d] or [cd].", at: start)
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
      if isBehindOperand {
        throw error(
          "'%' is not an operator; it begins placeholders such as %@. Calculate the remainder of "
            + "integers as a - a / 2 * 2.",
          at: start)
      }
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

  // MARK: Names, text, data, numbers

  private mutating func name() -> String? {
    let start = position
    while let (scalar, length) = scalar() {
      guard Lexer.isNamePart(scalar, first: position == start) else { break }
      position += length
    }
    return position == start ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Returns whether a scalar is allowed in a name without backquotes.
  static func isNamePart(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    case "0"..."9": !first
    default: scalar.value >= 0xA0 && !scalar.properties.isWhitespace
    }
  }

  private mutating func plainName(after sign: StaticString) throws(ConditionError) -> String {
    let start = position
    guard let name = name() else {
      if let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        throw error(
          "A number follows '\(sign)', but arguments are not numbered. Write %@ for each argument "
            + "in order, or $name.",
          at: start)
      }
      throw error("A name is missing after '\(sign)'. Write one.", at: start)
    }
    return name
  }

  private mutating func quoted(_ quote: UInt8, what: StaticString) throws(ConditionError) -> String
  {
    let start = position
    var content: [UInt8] = []
    position += 1
    while let byte = peek() {
      position += 1
      if byte == quote {
        guard peek() == quote else { return String(decoding: content, as: UTF8.self) }
        position += 1
      }
      content.append(byte)
    }
    throw error("The closing quote of this \(what) is missing. Add it.", at: start)
  }

  private mutating func data() throws(ConditionError) -> [UInt8] {
    let start = position
    position += 2
    var digits: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: "'") {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error(
          "The data is not pairs of hexadecimal digits. Write it like x'0AFF'.", at: position)
      }
      digits.append(UInt8(digit))
      position += 1
    }
    guard peek() != nil else {
      throw error("The closing quote of this data is missing. Add it.", at: start)
    }
    guard digits.count % 2 == 0 else {
      throw error("The data is not pairs of hexadecimal digits. Write it like x'0AFF'.", at: start)
    }
    position += 1
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    return position > start
  }

  private mutating func number() throws(ConditionError) -> Literal {
    let start = position
    if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
    guard digits() else { throw error("A number is missing after the sign. Write one.", at: start) }
    var isInteger = true
    if peek() == UInt8(ascii: ".") {
      position += 1
      isInteger = false
      guard digits() else {
        throw error("Digits are missing after the decimal point. Write at least one.", at: position)
      }
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      position += 1
      isInteger = false
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      guard digits() else {
        throw error(
          "Digits are missing after the exponent's 'e'. Write at least one.", at: position)
      }
    }
    if let (scalar, _) = scalar(), Lexer.isNamePart(scalar, first: false) {
      throw error(
        "A name directly follows a number. Write a space or a quote between them.", at: position)
    }
    var written = bytes[start..<position]
    if written.first == UInt8(ascii: "+") { written = written.dropFirst() }
    let text = String(decoding: written, as: UTF8.self).lowercased()
    guard isInteger else { return .number(text) }
    guard let value = Int64(text) else {
      throw error(
        "The integer is beyond 64 bits. Write it with a decimal point to compare it as a number.",
        at: start)
    }
    return .integer(value)
  }
}
