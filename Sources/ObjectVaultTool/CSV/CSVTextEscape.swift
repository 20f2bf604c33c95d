import ObjectVaultTerminal

/// The escaping of CSV text that a reader could execute.
///
/// Without any option, files contain the exact text.
struct CSVTextEscape {
  /// Whether text that a spreadsheet would read as a formula gets an apostrophe as a prefix.
  var isFormulaEscaped: Bool
  /// Whether characters that control a terminal are written as escapes.
  var isForTerminal: Bool

  /// Returns the text in its escaped form.
  func escaped(_ text: String) -> String {
    let shown = isForTerminal ? PrintableText.escaped(text) : text
    return isFormulaEscaped && Self.isFormula(text) ? "'" + shown : shown
  }

  /// Returns whether spreadsheets read the text as a formula.
  ///
  /// The decision depends on the first character, as listed on OWASP's page on CSV injection.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return ["=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
      .contains(first)
  }
}
