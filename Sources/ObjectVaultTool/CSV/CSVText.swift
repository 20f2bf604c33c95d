import ObjectVaultCore

/// One field of a line of CSV.
struct CSVField: Equatable {
  var text: String
  /// Whether it stands in quotes. A field without quotes and characters is nil, `""` is text.
  var isQuoted: Bool

  /// Whether it is nil.
  var isNil: Bool { text.isEmpty && !isQuoted }
}

/// How CSV is written: RFC 4180 but for line ends (LF), with a header, in UTF-8.
enum CSVText {
  /// A line with its end; `nil` is a field that holds nothing.
  static func line(_ fields: [CSVField?]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let field else { continue }
      if field.isQuoted || needsQuotes(field.text) {
        bytes.append(UInt8(ascii: "\""))
        for byte in field.text.utf8 {
          if byte == UInt8(ascii: "\"") { bytes.append(byte) }
          bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
      } else {
        bytes.append(contentsOf: field.text.utf8)
      }
    }
    bytes.append(0x0A)
    return bytes
  }

  private static func needsQuotes(_ text: String) -> Bool {
    if text.isEmpty { return true }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: return true
      default: continue
      }
    }
    // Programs trim such spaces, and take such marks at the start of a file away.
    return text.first == " " || text.last == " " || text.utf8.starts(with: [0xEF, 0xBB, 0xBF])
  }

  /// Whether an import that has to find the type would take the text, without quotes, for a number
  /// or a truth value.
  static func looksTyped(_ text: String) -> Bool {
    switch text {
    case "true", "false": true
    default: NumberText(text) != nil
    }
  }
}
