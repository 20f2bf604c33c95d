extension Lexer {
  mutating func name() -> String? {
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

  mutating func plainName(after sign: StaticString) throws(ConditionError) -> String {
    let start = position
    guard let name = name() else {
      throw error("A name is missing after '\(sign)'. Write one.", at: start)
    }
    return name
  }

  mutating func argumentNumber() throws(ConditionError) -> Int {
    let start = position
    _ = digits()
    try checkNumberEnds()
    // A longer number leaves a gap in any text.
    guard let number = UInt16(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw error(
        "The number of the argument is too large. Number the arguments from $0 without gaps.",
        at: start)
    }
    return Int(number)
  }

  private func checkNumberEnds() throws(ConditionError) {
    guard let (scalar, _) = scalar(), Lexer.isNamePart(scalar, first: false) else { return }
    throw error(
      "A name directly follows a number. Write a space or a quote between them.", at: position)
  }

  mutating func quoted(_ quote: UInt8, what: StaticString) throws(ConditionError) -> String {
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

  mutating func data() throws(ConditionError) -> [UInt8] {
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

  mutating func number() throws(ConditionError) -> Literal {
    let start = position
    if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
    guard digits() || isNumber(at: 0) else {
      throw error("A number is missing after the sign. Write one.", at: start)
    }
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
    try checkNumberEnds()
    var written = bytes[start..<position]
    if written.first == UInt8(ascii: "+") { written = written.dropFirst() }
    if let point = written.firstIndex(of: UInt8(ascii: ".")),
      point == written.startIndex || written[point - 1] == UInt8(ascii: "-")
    {
      // Every other text of a number has a digit before its point.
      written.insert(UInt8(ascii: "0"), at: point)
    }
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
