/// A key or key combination, as sent by a terminal.
enum KeyPress: Equatable {
  case text(Character)
  /// Control and a letter, in lower case.
  case control(Character)
  /// Alt and a character.
  case alternate(Character)
  case enter, backspace, delete, left, right, up, down, home, end, wordLeft, wordRight
  /// A key without a function.
  case other
  /// The end of the input, because the terminal was closed.
  case endOfInput

  /// Reads the next key.
  ///
  /// `byte` returns the next byte, or `nil` at the end.
  init(_ byte: () -> UInt8?) {
    guard let first = byte() else {
      self = .endOfInput
      return
    }
    switch first {
    case 0x0A, 0x0D: self = .enter
    case 0x08, 0x7F: self = .backspace
    case 0x1B: self = Self.escape(byte)
    case 0x01...0x1A: self = .control(Character(UnicodeScalar(first + 0x60)))
    case 0x00...0x1F: self = .other
    default: self = Self.character(first, byte).map(Self.text) ?? .other
    }
  }

  /// Reads a character of one to four bytes.
  private static func character(_ first: UInt8, _ byte: () -> UInt8?) -> Character? {
    var bytes = [first]
    let count =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    while bytes.count < count, let next = byte() { bytes.append(next) }
    return String(validating: bytes, as: UTF8.self)?.first
  }

  /// Reads the rest of an escape sequence: `ESC [ 1 ; 5 D`, `ESC O H`, or Alt and a key.
  private static func escape(_ byte: () -> UInt8?) -> KeyPress {
    guard let kind = byte() else { return .endOfInput }
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else {
      if kind == 0x7F || kind == 0x08 { return .control("w") }
      return .alternate(Character(UnicodeScalar(kind)))
    }
    var parameters = ""
    while let next = byte() {
      let character = Character(UnicodeScalar(next))
      if (0x20...0x3F).contains(next) {
        guard parameters.count < 16 else { return .other }
        parameters.append(character)
        continue
      }
      return key(character, parameters)
    }
    return .endOfInput
  }

  private static func key(_ last: Character, _ parameters: String) -> KeyPress {
    // 3 is Alt, 5 is Control.
    let isByWord = parameters.hasSuffix(";5") || parameters.hasSuffix(";3")
    switch (last, parameters) {
    case ("A", _): return .up
    case ("B", _): return .down
    case ("C", _): return isByWord ? .wordRight : .right
    case ("D", _): return isByWord ? .wordLeft : .left
    case ("H", _), ("~", "1"), ("~", "7"): return .home
    case ("F", _), ("~", "4"), ("~", "8"): return .end
    case ("~", "3"): return .delete
    default: return .other
    }
  }
}
