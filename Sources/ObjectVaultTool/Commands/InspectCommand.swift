internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

import ObjectVaultPlatform

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Browse a vault: classes, pages of objects, and references.",
    discussion: """
      The key is read once. Then commands are read, one per line, from the terminal or from \
      standard input. The vault is only read, and each answer shows its present state.

      \(InspectorCommand.summary)
      On a terminal a line can be edited, and the arrow keys recall earlier lines, which are \
      stored nowhere. Control-C drops the line or ends the output, Control-D on an empty line ends \
      the program. Output that is longer than the screen waits for a key.

      On a terminal a mistake is explained and the next command is read; otherwise the first one \
      ends the run with its usual exit status.
      """)

  @OptionGroup var options: VaultOptions

  func run() throws {
    let vault = try options.open(for: .reading)
    guard isatty(0) == 1 else {
      let width = StandardOutput.terminalWidth
      try readScript(Inspector(vault, to: StandardOutput.shared, lineWidth: width))
      return
    }
    try InspectorConversation(vault).run()
  }

  /// Performs the commands from standard input until the first error.
  private func readScript(_ inspector: Inspector) throws {
    while let line = readLine() {
      guard let command = try InspectorCommand(line) else { continue }
      guard try inspector.perform(command) else { return }
      try StandardOutput.shared.flush()
    }
  }
}
