import ObjectVaultModel

/// A receiver of the statements that a vault runs.
///
/// ```swift
/// configuration.statementLog = StatementLog { text in logger.trace("\(text)") }
/// ```
public struct StatementLog: Sendable {
  private let report: @Sendable (String) -> Void

  /// Creates a log that calls `report` with the text of every statement as it begins to run.
  ///
  /// Texts never contain values. A bound value appears as `?1`, and a literal as `?`, whether it is
  /// in an application's own SQL or a default of a class. Text in double quotes counts as a name,
  /// also where SQLite takes it for a value: write no values so. With SQLCipher 4, the statements of
  /// a trigger follow the statement that fired it, prefixed with `--`; with 3.4, its name does.
  ///
  /// - Parameter report: The closure to call, on any connection and thread. It must not use the
  ///   vault.
  public init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  /// The trace callback for the engine.
  var trace: @Sendable (String) -> Void {
    { [report] sql in report(Self.redacted(sql)) }
  }

  /// Returns the text without its literals and comments.
  package static func redacted(_ sql: String) -> String {
    // The engine reports the statements of a trigger as comments.
    let prefix = sql.hasPrefix("-- ") ? "-- " : ""
    var text = prefix
    var last = ""
    for token in SQLToken.tokens(of: String(sql.dropFirst(prefix.count))) {
      // The number of a parameter is not a value.
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
  /// Whether the token is a literal string, number or blob.
  fileprivate var isLiteral: Bool {
    switch kind {
    case .string: true
    case .word, .quotedName: false
    // A single dot separates names.
    case .other:
      text.first.map { $0.isNumber || $0.isLetter || $0 == "." } == true && text != "."
    }
  }
}
