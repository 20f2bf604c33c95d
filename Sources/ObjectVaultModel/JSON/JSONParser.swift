import ObjectVaultCondition
import ObjectVaultDriver

/// The reason and the position of a syntax error in JSON.
///
/// It contains no part of the text, which may be a stored value.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The description of the error and of the expected text.
  package var message: String
  /// The offset in bytes from the start.
  package var offset: Int
  /// The line, counted from 1.
  package var line: Int
  /// The byte within the line, counted from 1.
  package var column: Int

  package var description: String { "Line \(line), column \(column): \(message)" }
}

/// A strict parser for JSON text in UTF-8 (RFC 8259) with a limited depth.
///
/// Numbers retain their text, and members their order. A duplicate member name (with the same
/// bytes) is an error, because JSON readers disagree about which member applies.
package struct JSONParser {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var depth = 0

  /// Returns the single value of a JSON text, which may be surrounded by white space.
  package static func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    do throws(Failure) {
      parser.skipSpace()
      let value = try parser.value()
      parser.skipSpace()
      guard parser.position == bytes.count else {
        throw Failure("unexpected text after the value", parser.position)
      }
      return value
    } catch {
      throw parser.located(error)
    }
  }

  package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var result: Result<JSONValue, JSONError>?
    bytes.withUnsafeBytes { buffer in
      result = Result { () throws(JSONError) in try parse(buffer) }
    }
    return try result.unsafelyUnwrapped.get()
  }

  package static func parse(_ text: String) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8))
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// A failure without a line number, which is computed only for the reported error.
  private struct Failure: Error {
    let message: String
    let offset: Int
    init(_ message: String, _ offset: Int) {
      self.message = message
      self.offset = offset
    }
  }

  private func located(_ failure: Failure) -> JSONError {
    let before = bytes[..<min(failure.offset, bytes.count)]
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    return JSONError(
      message: failure.message, offset: failure.offset, line: line,
      column: failure.offset - lineStart + 1)
  }

  /// The next byte, or 0 at the end: NUL is never valid, so it terminates all rules.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws(Failure) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return try nested { (parser) throws(Failure) in try parser.object() }
    case UInt8(ascii: "["): return try nested { (parser) throws(Failure) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case 0xEF where position == 0:
      throw Failure("a byte order mark is not valid JSON; remove the first three bytes", 0)
    default:
      let what = position < bytes.count ? "unexpected character" : "unexpected end of the text"
      throw Failure(
        "\(what); expected an object, an array, text in \", a number, true, false or null",
        position)
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(Failure) -> JSONValue
  ) throws(Failure) -> JSONValue {
    guard depth < JSONValue.depthLimit else {
      throw Failure(
        "arrays and objects are nested more than \(JSONValue.depthLimit) levels deep", position)
    }
    depth += 1
    defer { depth -= 1 }
    position += 1
    skipSpace()
    return try body(&self)
  }

  private mutating func array() throws(Failure) -> JSONValue {
    var elements: [JSONValue] = []
    if next == UInt8(ascii: "]") {
      position += 1
      return .array(elements)
    }
    while true {
      elements.append(try value())
      if try ends(with: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func object() throws(Failure) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names = JSONNames()
    if next == UInt8(ascii: "}") {
      position += 1
      return .object(members)
    }
    while true {
      let start = position
      guard next == UInt8(ascii: "\"") else {
        throw Failure("expected a member's name in \"", position)
      }
      let key = try string()
      guard names.insert(key, after: members) else {
        throw Failure("the object has two members with this name", start)
      }
      skipSpace()
      guard next == UInt8(ascii: ":") else {
        throw Failure("expected a colon between a member's name and value", position)
      }
      position += 1
      skipSpace()
      members.append(JSONValue.Member(key, try value()))
      if try ends(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// Skips a comma or the closing bracket after an element or member.
  ///
  /// - Returns: Whether it was the closing bracket.
  /// - Throws: A failure if it is neither.
  private mutating func ends(with close: UInt8) throws(Failure) -> Bool {
    skipSpace()
    if next == close {
      position += 1
      return true
    }
    guard next == UInt8(ascii: ",") else {
      let bracket = Character(Unicode.Scalar(close))
      throw Failure("expected a comma or \(bracket)", position)
    }
    position += 1
    skipSpace()
    return false
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue
  {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count,
      bytes[position..<position + count].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else {
      throw Failure("unexpected word; only true, false and null are valid without quotes", position)
    }
    position += count
    return value
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if isDigit(next) {
        throw Failure("a number cannot begin with 0 followed by a digit", position)
      }
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if next | 0x20 == UInt8(ascii: "e") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private mutating func digits() throws(Failure) {
    let start = position
    while isDigit(next) { position += 1 }
    if position == start { throw Failure("expected a digit", position) }
  }

  private mutating func string() throws(Failure) -> String {
    let start = position + 1
    position = start
    var hasEscapes = false
    var isASCII = true
    while true {
      guard position < bytes.count else {
        throw Failure("the text's closing \" is missing", start - 1)
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20 else { throw Failure("a control character must be escaped", position) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position += 1
      }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    position += 1
    if hasEscapes {
      do throws(JSONEscapes.Failure) {
        let unescaped = try JSONEscapes.resolve(content)
        return try validated(unescaped, start: start)
      } catch {
        throw Failure(error.message, start + error.offset)
      }
    }
    // ASCII is valid, and most texts are.
    if isASCII { return String(decoding: content, as: UTF8.self) }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw Failure("the text in \" is not UTF-8", start)
    }
    return text
  }

  private func validated(
    _ unescaped: [UInt8], start: Int
  ) throws(JSONEscapes.Failure) -> String {
    guard let text = String(validating: unescaped, as: UTF8.self) else {
      throw JSONEscapes.Failure(message: "the text in \" is not UTF-8", offset: 0)
    }
    return text
  }
}

/// The names of an object so far, compared linearly for few names and hashed for many.
private struct JSONNames {
  private struct Name: Hashable {
    let text: String
    static func == (left: Name, right: Name) -> Bool {
      left.text.hasSameBytes(as: right.text)
    }
    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
  }

  private var hashed: Set<Name> = []

  /// Adds `key` to the names of `members`, and returns whether it is a new name.
  mutating func insert(_ key: String, after members: [JSONValue.Member]) -> Bool {
    if members.count < 12 {
      return !members.contains { $0.key.hasSameBytes(as: key) }
    }
    if hashed.isEmpty { for member in members { hashed.insert(Name(text: member.key)) } }
    return hashed.insert(Name(text: key)).inserted
  }
}
