import ObjectVaultConformance

/// What CSV does to text that would do something where it is read. Files are exact unless options say
/// otherwise.
struct CSVTextEscape {
  /// Whether text that a spreadsheet would take for a formula gets an apostrophe in front.
  var isFormulaEscaped: Bool
  /// Whether characters that control a terminal are written as escapes.
  var isForTerminal: Bool

  /// The text as it is written.
  func escaped(_ text: String) -> String {
    let shown = isForTerminal ? PrintableText.escaped(text) : text
    return isFormulaEscaped && Self.isFormula(text) ? "'" + shown : shown
  }

  /// Whether spreadsheets take the text for a formula: by its first character, as OWASP's page on CSV
  /// injection lists them.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return ["=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
      .contains(first)
  }
}
