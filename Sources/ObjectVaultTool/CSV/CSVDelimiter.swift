internal import ArgumentParser

/// The character between two fields of a line of CSV.
struct CSVDelimiter: Equatable, ExpressibleByArgument {
  let byte: UInt8

  static let comma = CSVDelimiter(byte: UInt8(ascii: ","))
  static let semicolon = CSVDelimiter(byte: UInt8(ascii: ";"))
  static let tab = CSVDelimiter(byte: UInt8(ascii: "\t"))

  private init(byte: UInt8) { self.byte = byte }

  /// Reads the name of a delimiter, or the character itself: any ASCII character that cannot be
  /// part of a number, a truth value or a quoted field.
  init?(argument: String) {
    switch argument {
    case "comma": self = .comma
    case "semicolon": self = .semicolon
    case "tab", "\\t": self = .tab
    default:
      guard argument.utf8.count == 1, let byte = argument.utf8.first,
        byte == UInt8(ascii: "\t") || (0x21...0x7E).contains(byte)
      else { return nil }
      let isTaken = argument.first.map { $0.isLetter || $0.isNumber || "\"+-.".contains($0) }
      guard isTaken == false else { return nil }
      self.byte = byte
    }
  }

  /// How messages call it.
  var name: String {
    switch self {
    case .comma: "a comma"
    case .semicolon: "a semicolon"
    case .tab: "a tab"
    default: "'\(UnicodeScalar(byte))'"
    }
  }

  /// Returns the delimiter that occurs most often outside quotes in a header line: a comma, a
  /// semicolon or a tab; a comma if none occurs more often.
  static func sniffed(in header: some Sequence<UInt8>) -> CSVDelimiter {
    let candidates: [CSVDelimiter] = [.comma, .semicolon, .tab]
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in header {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if let index = candidates.firstIndex(where: { $0.byte == byte }) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return counts.firstIndex(of: most).map { candidates[$0] } ?? .comma
  }
}
