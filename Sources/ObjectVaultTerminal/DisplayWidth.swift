/// The width of text in terminal columns.
///
/// It approximates Unicode Standard Annex 11 (East Asian Width) and marks without a width.
/// Terminals differ about rare characters.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  package static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    // A presentation selector or a joined sequence is displayed as one emoji.
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return isWide(first.value) ? 2 : 1
    }
  }

  /// Returns whether the character is in a block of wide or full-width characters.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x2614...0x2615,
      0x2648...0x2653, 0x26A1, 0x26BD...0x26BE, 0x2705, 0x274C, 0x2753...0x2755, 0x2795...0x2797,
      0x2B1B...0x2B1C, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F1E6...0x1F1FF,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Returns the text, cut to the width with a final `…` if it is longer.
  package static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = of(character)
      guard used + next <= width - 1 else { break }
      result.append(character)
      used += next
    }
    return width > 0 ? result + "…" : ""
  }
}
