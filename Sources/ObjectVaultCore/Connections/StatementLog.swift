/// Told of the statements that a vault runs.
///
/// ```swift
/// configuration.statementLog = StatementLog { text in logger.trace("\(text)") }
/// ```
public struct StatementLog: Sendable {
  private let report: @Sendable (String) -> Void

  /// Has `report` told the text of every statement as it starts to run, on whatever connection and thread.
  ///
  /// No value is ever in a text: what was bound stands there as `?1`, and a literal, be it one of an
  /// application's own SQL or a default of a class, as `?`. What stands in double quotes is a name. What
  /// a trigger does follows the statement that set it off, with `--` before it. `report` must not use the
  /// vault.
  public init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  /// What the engine is to call.
  var trace: @Sendable (String) -> Void {
    { [report] sql in report(Self.redacted(sql)) }
  }

  /// The text without its literals and comments.
  static func redacted(_ sql: String) -> String {
    // What a trigger runs, the engine reports as a comment.
    let prefix = sql.hasPrefix("-- ") ? "-- " : ""
    var text = prefix
    var last = ""
    for token in SQLToken.tokens(of: String(sql.dropFirst(prefix.count))) {
      // The number of a parameter is no value.
      if last == "?", token.isLiteral, token.kind == .other {
        text += token.text
      } else {
        let isTight = [",", ")", ".", ";"].contains(token.text) || ["", "(", "."].contains(last)
        text += (isTight ? "" : " ") + (token.isLiteral ? "?" : token.text)
      }
      last = token.isLiteral ? "literal" : token.text
    }
    return text
  }
}

extension SQLToken {
  /// Whether it is a text, number or blob as it stands.
  fileprivate var isLiteral: Bool {
    switch kind {
    case .string: true
    case .word, .quotedName: false
    // A point alone stands between names.
    case .other:
      text.first.map { $0.isNumber || $0.isLetter || $0 == "." } == true && text != "."
    }
  }
}
