internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// A check for misspelled subcommands.
enum SubcommandCheck {
  /// Throws an error with a suggestion if a word is not a subcommand.
  ///
  /// - Parameter arguments: The command line without the program's name.
  /// - Throws: ``ToolError`` if another word is in the place of a subcommand.
  static func run(_ arguments: some Sequence<String>) throws {
    var command: any ParsableCommand.Type = RootCommand.self
    var path = "objectvault"
    for word in arguments {
      let subcommands = command.configuration.subcommands
      // An option, or the argument of a command without subcommands.
      guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      let names = subcommands.map { $0.configuration.commandName ?? "" }
      guard let position = names.firstIndex(of: word) else {
        let close = SpellingSuggestion.closest(to: word, among: names)
        throw ToolError(
          .usage,
          "'\(PrintableText.escaped(word))' is not a subcommand of '\(path)'. "
            + (close.map { "Did you mean '\($0)'? " } ?? "") + "See '\(path) --help'.")
      }
      command = subcommands[position]
      path += " \(word)"
    }
  }
}
