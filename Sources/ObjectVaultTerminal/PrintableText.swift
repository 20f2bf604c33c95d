/// Text that is safe to print on a terminal.
///
/// Characters that could move the cursor or change the text direction are escaped.
package enum PrintableText {
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: mustEscape) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where mustEscape(scalar):
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a text of several lines, escaped except for its line feeds.
  package static func escapedLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0)) }.joined(separator: "\n")
  }

  /// Returns a name from a file for an error message: escaped, and cut after 60 characters.
  package static func name(_ text: String) -> String {
    let limit = 60
    let start = text.prefix(limit)
    return escaped(String(start)) + (start.endIndex == text.endIndex ? "" : "…")
  }

  private static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The joiner and the non-joiner shape letters and emoji, and do not affect the cursor.
    case 0x200C, 0x200D: return false
    case 0x20..<0x7F: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
    default: return false
    }
  }
}
