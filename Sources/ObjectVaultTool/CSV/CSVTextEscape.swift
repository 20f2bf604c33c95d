import ObjectVaultCore
import ObjectVaultTerminal

/// The escaping of CSV text that a reader could execute.
///
/// Without any option, files contain the exact text.
struct CSVTextEscape {
  /// Whether text that a spreadsheet would read as a formula gets an apostrophe as a prefix.
  var isFormulaEscaped: Bool
  /// Whether characters that control a terminal are written as escapes.
  var isForTerminal: Bool

  /// Returns the text of a field in its escaped form.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - canBeNumber: Whether a text that looks like a number is one, such as `-5`.
  /// - Returns: The escaped text.
  func escaped(_ text: String, canBeNumber: Bool = false) -> String {
    let shown = isForTerminal ? PrintableText.escaped(text) : text
    guard isFormulaEscaped, Self.isFormula(text), !canBeNumber || NumberText(text) == nil else {
      return shown
    }
    return "'" + shown
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
