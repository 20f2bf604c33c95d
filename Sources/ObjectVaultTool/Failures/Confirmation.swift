/// Questions before something that cannot be taken back.
enum Confirmation {
  /// Asks one question after the other, unless the answer was given.
  ///
  /// - Parameters:
  ///   - isGiven: Whether `--yes` was.
  ///   - refusal: What would be done, as the error names it where nobody can be asked.
  /// - Throws: ``ToolError`` unless all are answered with yes.
  static func ask(_ questions: [String], isGiven: Bool, refusal: String) throws {
    guard !isGiven else { return }
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "\(refusal), and there is no terminal to ask on. Say --yes to go on without asking. Nothing "
          + "was done.")
    }
    for question in questions {
      guard try terminal.confirm(question) else { throw ToolError(.usage, "Nothing was done.") }
    }
  }
}
