/// The type of an unquoted scalar, if all YAML parsers agree on it.
enum PlainScalar: Equatable {
  case text
  case bool(Bool)
  case integer(Int64)
  /// A whole number beyond ±2^53.
  case bigInteger
  /// A text that YAML 1.1 and 1.2, or their parsers, read differently.
  case ambiguous

  /// The whole numbers that a double represents exactly, so that every parser preserves them.
  static let exactIntegers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  init(_ text: String) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first else {
      self = .ambiguous
      return
    }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      self = Self.number(text, bytes)
    default:
      switch text {
      case "true": self = .bool(true)
      case "false": self = .bool(false)
      default: self = Self.isAmbiguousWord(bytes) ? .ambiguous : .text
      }
    }
  }

  private static func isAmbiguousWord(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= 5 else { return false }
    let word = String(
      decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    switch word {
    case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<": return true
    default: return false
    }
  }

  private static func number(_ text: String, _ bytes: [UInt8]) -> PlainScalar {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    if let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      first != 0x30 || bytes == [0x30]
    {
      guard let value = Int64(text), exactIntegers.contains(value) else { return .bigInteger }
      return .integer(value)
    }
    return isAmbiguousNumber(text) ? .ambiguous : .text
  }

  /// Whether YAML 1.1 or 1.2 reads the text as a number, a time or a date.
  private static func isAmbiguousNumber(_ text: String) -> Bool {
    let forms: [Regex<Substring>] = [
      #/[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?0x[0-9a-fA-F_]+/#,
      #/[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?/#,
      #/[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?/#,
      #/[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)/#,
      #/[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:.*)?/#,
    ]
    return forms.contains { text.wholeMatch(of: $0) != nil }
  }
}
