internal import ArgumentParser

/// The character between two fields of a CSV line.
struct CSVDelimiter: Equatable, ExpressibleByArgument {
  let byte: UInt8

  static let comma = CSVDelimiter(byte: UInt8(ascii: ","))
  static let semicolon = CSVDelimiter(byte: UInt8(ascii: ";"))
  static let tab = CSVDelimiter(byte: UInt8(ascii: "\t"))

  private init(byte: UInt8) { self.byte = byte }

  /// Creates a delimiter from its name or from the character itself.
  ///
  /// The character can be any ASCII character that is not part of a number, a truth value or a
  /// quoted field.
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

  /// The name of the delimiter in messages.
  var name: String {
    switch self {
    case .comma: "a comma"
    case .semicolon: "a semicolon"
    case .tab: "a tab"
    default: "'\(UnicodeScalar(byte))'"
    }
  }

  /// Returns the most frequent delimiter in a header line, ignoring quoted text.
  ///
  /// The candidates are comma, semicolon and tab. The comma is returned if none occurs more often.
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
