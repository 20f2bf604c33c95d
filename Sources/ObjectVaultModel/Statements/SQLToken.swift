import ObjectVaultDriver

/// A word, name, literal or sign of an SQL text, as split by SQLite's tokenizer.
package struct SQLToken: Hashable, Sendable {
  package enum Kind: Sendable {
    /// A keyword or an unquoted name.
    case word
    /// A name in double quotes, back-quotes or brackets.
    case quotedName
    /// A text in single quotes.
    case string
    /// A number, blob literal, parameter or sign.
    case other
  }

  package let kind: Kind
  /// The token as written, with its quotes.
  package let text: String

  /// The text of a word in lower case, for comparison with keywords.
  package var keyword: String? { kind == .word ? text.asciiLowercased : nil }

  /// The name that the token denotes.
  ///
  /// SQLite accepts a text in single quotes in a position that requires a name.
  package var name: String? {
    switch kind {
    case .word: return text
    case .other: return nil
    case .quotedName, .string: return SQL.unquoted(text)
    }
  }

  /// Returns a name in the quotes that the library uses.
  package static func named(_ name: String) -> SQLToken {
    SQLToken(kind: .quotedName, text: SQL.quoted(name))
  }
}

extension SQLToken {
  /// Returns the tokens of an SQL text without white space and comments.
  ///
  /// The engine must have accepted the text.
  package static func tokens(of sql: String) -> [SQLToken] {
    var cutter = Cutter(bytes: Array(sql.utf8))
    return cutter.all()
  }

  /// Returns the first word of an SQL text in lower case; `nil` if it begins otherwise, or with a long
  /// comment.
  package static func firstKeyword(of sql: String) -> String? {
    var cutter = Cutter(bytes: Array(sql.utf8.prefix(256)))
    return cutter.next()?.keyword
  }

  /// Returns whether the text of a `CREATE TABLE` statement has the option `WITHOUT ROWID`.
  package static func isWithoutRowID(_ sql: String) -> Bool {
    let tokens = tokens(of: sql)
    guard let end = tokens.lastIndex(where: { $0.text == ")" }) else { return false }
    return tokens[end...].contains { $0.keyword == "without" }
  }

  /// Returns the columns after `UPDATE OF` in the statement of a trigger, and the table of the
  /// trigger, without the name of the database.
  ///
  /// - Parameter tokens: The tokens of the `CREATE TRIGGER` statement.
  /// - Returns: The names as they are written. There are no columns if the trigger names none.
  package static func target(
    ofTrigger tokens: some Collection<SQLToken>
  ) -> (columns: [String], table: String?) {
    let event = Array(tokens.prefix { $0.keyword != "on" })
    let of = event.indices.dropFirst().first {
      event[$0].keyword == "of" && event[$0 - 1].keyword == "update"
    }
    var table = tokens.dropFirst(event.count + 1)
    if table.dropFirst().first?.text == "." { table = table.dropFirst(2) }
    return (of.map { event[($0 + 1)...].compactMap(\.name) } ?? [], table.first?.name)
  }

  /// When a trigger runs: before or after the change of a row.
  package enum TriggerTime {
    case before, after
  }

  /// Returns when a trigger runs that skips rows by `RAISE(IGNORE)`, or `nil` if the trigger skips
  /// none.
  ///
  /// - Parameter tokens: The tokens of the `CREATE TRIGGER` statement.
  /// - Returns: The time.
  package static func timeOfSkipping(_ tokens: some Sequence<SQLToken>) -> TriggerTime? {
    let words = tokens.map { $0.keyword ?? $0.text }
    guard words.indices.contains(where: { words[$0...].prefix(3) == ["raise", "(", "ignore"] })
    else { return nil }
    let time = words.prefix { !["insert", "delete", "update"].contains($0) }.last
    return time == "after" ? .after : .before
  }

  /// Returns the tokens as text, separated by spaces.
  package static func text(_ tokens: some Sequence<SQLToken>) -> String {
    tokens.map(\.text).joined(separator: " ")
  }

  private struct Cutter {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func all() -> [SQLToken] {
      var tokens: [SQLToken] = []
      while let token = next() { tokens.append(token) }
      return tokens
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
      position + offset < bytes.count ? bytes[position + offset] : nil
    }

    mutating func next() -> SQLToken? {
      skipSpace()
      guard let first = byte() else { return nil }
      switch first {
      case UInt8(ascii: "'"): return quoted(by: first, .string)
      case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(by: first, .quotedName)
      case UInt8(ascii: "["): return quoted(by: UInt8(ascii: "]"), .quotedName)
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        if byte(1) == UInt8(ascii: "'") {
          let start = position
          position += 1
          _ = quoted(by: UInt8(ascii: "'"), .string)
          return token(from: start, .other)
        }
        return word()
      case let first where Self.isWord(first) && !Self.isDigit(first): return word()
      case let first where Self.isDigit(first): return number()
      case UInt8(ascii: ".") where byte(1).map(Self.isDigit) == true: return number()
      default: return sign()
      }
    }

    private mutating func skipSpace() {
      while let current = byte() {
        if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(current) {
          position += 1
        } else if current == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF {
          // A byte order mark is a space, except inside of a word.
          position += 3
        } else if current == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") {
          while let current = byte(), current != 0x0A { position += 1 }
        } else if current == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
          position += 2
          while position < bytes.count,
            !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/"))
          { position += 1 }
          position = min(position + 2, bytes.count)
        } else {
          return
        }
      }
    }

    private mutating func quoted(by quote: UInt8, _ kind: Kind) -> SQLToken {
      let start = position
      position += 1
      while let current = byte() {
        position += 1
        guard current == quote else { continue }
        // A closing bracket cannot be escaped by doubling it.
        if quote != UInt8(ascii: "]"), byte() == quote {
          position += 1
        } else {
          break
        }
      }
      return token(from: start, kind)
    }

    private mutating func word() -> SQLToken {
      let start = position
      while let current = byte(), Self.isWord(current) { position += 1 }
      return token(from: start, .word)
    }

    private mutating func number() -> SQLToken {
      let start = position
      while let current = byte() {
        let isExponentSign =
          (current == UInt8(ascii: "+") || current == UInt8(ascii: "-"))
          && (bytes[position - 1] | 0x20) == UInt8(ascii: "e")
        guard Self.isWord(current) || current == UInt8(ascii: ".") || isExponentSign else { break }
        position += 1
      }
      return token(from: start, .other)
    }

    /// Returns a sign.
    ///
    /// Signs of several bytes stay together: `||`, `<=`, `>=`, `<>`, `!=`, `==`, `<<`, `>>`, `->`,
    /// `->>`, and `::` of PostgreSQL.
    private mutating func sign() -> SQLToken {
      let start = position
      position += 1
      let pairs = ["||", "<=", ">=", "<>", "!=", "==", "<<", ">>", "->", "::"]
      if let second = byte(),
        pairs.contains(String(decoding: [bytes[start], second], as: UTF8.self))
      {
        position += 1
        if bytes[start] == UInt8(ascii: "-"), byte() == UInt8(ascii: ">") { position += 1 }
      }
      return token(from: start, .other)
    }

    private func token(from start: Int, _ kind: Kind) -> SQLToken {
      SQLToken(kind: kind, text: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      byte >= 0x80 || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
        || (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
  }
}
