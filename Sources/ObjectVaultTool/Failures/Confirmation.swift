/// Confirmations before irreversible work.
enum Confirmation {
  /// Asks the questions in order, unless `--yes` was given.
  ///
  /// - Parameters:
  ///   - questions: The questions.
  ///   - isGiven: Whether `--yes` was given.
  ///   - refusal: The text for the error if no terminal is available: the work that would be done.
  /// - Throws: ``ToolError`` unless all questions are answered with yes.
  static func ask(_ questions: [String], isGiven: Bool, refusal: String) throws {
    guard !isGiven else { return }
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "\(refusal), and there is no terminal to ask on. Use --yes to continue without "
          + "confirmation. Nothing was done.")
    }
    for question in questions {
      guard try terminal.confirm(question) else { throw ToolError(.usage, "Nothing was done.") }
    }
  }
}
