import ObjectVaultDriver
import ObjectVaultCondition

/// The text of an object ID in the history: SQL literals, separated by a comma and a space.
struct RecordedObjectID {
  private var rest: Substring.UTF8View

  /// Returns the parts, or `nil` for text that the triggers do not write.
  static func parts(of text: String) -> [StoredValue]? {
    var reader = RecordedObjectID(rest: text[...].utf8)
    var parts: [StoredValue] = []
    repeat {
      guard let part = reader.part() else { return nil }
      parts.append(part)
    } while reader.skip(", ")
    return reader.rest.isEmpty ? parts : nil
  }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func part() -> StoredValue? {
    if skip("'") { return quoted().map(StoredValue.text) }
    if skip("X'") { return bytes() }
    let word = String(Substring(rest.prefix { $0 != UInt8(ascii: ",") }))
    rest = rest.dropFirst(word.utf8.count)
    if word == "NULL" { return .null }
    if let integer = Int64(word) { return .integer(integer) }
    // Old engines write an infinity as `Inf`, new ones as `9.0e+999`.
    return Double(word).map(StoredValue.real)
  }

  private mutating func quoted() -> String? {
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "'") {
        guard rest.first == byte else { return String(decoding: text, as: UTF8.self) }
        rest.removeFirst()
      }
      text.append(byte)
    }
    return nil
  }

  private mutating func bytes() -> StoredValue? {
    var bytes: [UInt8] = []
    while let high = rest.popFirst(), high != UInt8(ascii: "'") {
      guard let low = rest.popFirst(), let first = Character(UnicodeScalar(high)).hexDigitValue,
        let second = Character(UnicodeScalar(low)).hexDigitValue
      else { return nil }
      bytes.append(UInt8(first << 4 | second))
    }
    return .blob(bytes)
  }
}
