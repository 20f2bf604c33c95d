import ObjectVaultCore

/// One field of a CSV line.
struct CSVField: Equatable {
  var text: String
  /// Whether the field is in quotes.
  ///
  /// An empty field without quotes is nil; `""` is an empty text.
  var isQuoted: Bool

  /// Whether the field is nil.
  var isNil: Bool { text.isEmpty && !isQuoted }
}

/// The CSV output format: RFC 4180 with a header, in UTF-8, but with `LF` line ends.
enum CSVText {
  /// Returns a line with its line end.
  ///
  /// A `nil` is written as an empty field.
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
      case UInt8(ascii: "\""), 0x0A, 0x0D: return true
      // An import that detects the delimiter counts these in the header, outside quotes.
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"): return true
      default: continue
      }
    }
    // Programs trim such spaces, and remove a byte order mark at the start of a file.
    return text.first == " " || text.last == " " || text.utf8.starts(with: [0xEF, 0xBB, 0xBF])
  }

  /// Returns whether an import that infers types would read the unquoted text as a number or a
  /// truth value.
  static func looksTyped(_ text: String) -> Bool {
    switch text {
    case "true", "false": true
    default: NumberText(text) != nil
    }
  }
}
