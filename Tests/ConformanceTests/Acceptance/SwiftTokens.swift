/// As much of Swift's lexical structure as finding attributes, types and functions takes.
struct SwiftTokens {
  enum Token: Equatable {
    case word(String)
    /// A literal, as it is written between its quotes.
    case text(String)
    case sign(Character)
  }

  private let source: [Character]
  private var position = 0
  private(set) var tokens: [Token] = []

  init(_ text: String) {
    source = Array(text)
    scan(untilParenthesis: false)
  }

  private func character(at position: Int) -> Character? {
    position < source.count ? source[position] : nil
  }

  private func stands(_ text: String, at position: Int) -> Bool {
    var position = position
    for expected in text {
      guard character(at: position) == expected else { return false }
      position += 1
    }
    return true
  }

  /// - Parameter untilParenthesis: Whether to end behind the `)` that nothing here opened.
  private mutating func scan(untilParenthesis: Bool) {
    var depth = 0
    while let next = character(at: position) {
      if stands("//", at: position) {
        while let next = character(at: position), !next.isNewline {
          position += next.isNewline ? 0 : 1
        }
      } else if stands("/*", at: position) {
        skipComment()
      } else if next.isLetter || next == "_" || next == "`" {
        scanWord()
      } else if next == "\"" || next == "#", let hashes = hashesBeforeQuote() {
        scanText(hashes: hashes)
      } else {
        position += 1
        if !next.isWhitespace { tokens.append(.sign(next)) }
        if next == "(" { depth += 1 }
        if next == ")" {
          depth -= 1
          if untilParenthesis, depth < 0 { return }
        }
      }
    }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if stands("/*", at: position) {
        depth += 1
        position += 2
      } else if stands("*/", at: position) {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < source.count
  }

  private mutating func scanWord() {
    let isQuoted = source[position] == "`"
    if isQuoted { position += 1 }
    let start = position
    while let next = character(at: position),
      isQuoted ? next != "`" : next.isLetter || next.isNumber || next == "_"
    {
      position += 1
    }
    tokens.append(.word(String(source[start..<position])))
    if isQuoted { position += 1 }
  }

  /// How many `#` open the literal that begins here; `nil` where none begins.
  private func hashesBeforeQuote() -> Int? {
    var end = position
    while character(at: end) == "#" { end += 1 }
    return character(at: end) == "\"" ? end - position : nil
  }

  private mutating func scanText(hashes: Int) {
    position += hashes
    let quotes = stands("\"\"\"", at: position) ? "\"\"\"" : "\""
    let end = quotes + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    position += quotes.count
    let start = position
    let place = tokens.count
    while position < source.count, !stands(end, at: position) {
      if stands(escape + "(", at: position) {
        position += escape.count + 1
        scan(untilParenthesis: true)
      } else {
        position += stands(escape, at: position) ? escape.count + 1 : 1
      }
    }
    // What is interpolated declares nothing.
    tokens.removeSubrange(place...)
    tokens.append(.text(String(source[start..<min(position, source.count)])))
    position += end.count
  }
}
