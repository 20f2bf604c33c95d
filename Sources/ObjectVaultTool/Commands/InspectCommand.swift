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

      --web shows the vault as a page instead, for a browser on this computer, and prints its \
      address, which works once. The page is served until Control-C, or until it was not used for \
      15 minutes. The server is a program of its own, 'objectvault-inspect', which is searched \
      next to this one and on PATH.
      """)

  @OptionGroup var options: VaultOptions

  @Flag(help: "Show the vault as a page for a browser on this computer.")
  var web = false

  @Option(help: ArgumentHelp("With --web: the port; a free one by default.", valueName: "number"))
  var port: UInt16?

  @Option(
    help: ArgumentHelp(
      "With --web: the minutes without use after which the inspector ends. Default: 15.",
      valueName: "minutes"))
  var idleLimit: Int?

  @Flag(help: "With --web: allow the page to change objects.")
  var write = false

  func validate() throws {
    if !web, port != nil || idleLimit != nil || write {
      throw ValidationError("--port, --idle-limit and --write require --web.")
    }
    if !web, options.keys.usesStandardInput, isatty(0) == 0 {
      throw ValidationError(
        "Standard input cannot provide both the key and the commands. Read the key from a file.")
    }
    if let idleLimit, !(1...1440).contains(idleLimit) {
      throw ValidationError("--idle-limit must be 1 to 1440 minutes, not \(idleLimit).")
    }
  }

  func run() throws {
    if web { return try runWeb() }
    let vault = try options.open(for: .reading)
    guard isatty(0) == 1 else {
      let width = StandardOutput.terminalWidth
      try readScript(Inspector(vault, to: StandardOutput.shared, lineWidth: width))
      return
    }
    try InspectorConversation(vault).run()
  }

  /// Serves the vault as a page, in this program or in the one that contains the server.
  private func runWeb() throws {
    guard let serve = Tool.inspectionServer else { try CompanionProgram.inspector.replaceThisOne() }
    let vault = try options.open(for: write ? .writing : .reading)
    defer { vault.close() }
    StopSignals.watch()
    let minutes = idleLimit ?? 15
    let inspection = VaultInspection(
      vault, isWritable: write, idleLimit: .seconds(60 * minutes))
    try serve(inspection, port)
    if inspection.end == .idle {
      StandardError.write(
        "The inspector was not used for \(counted(minutes, "minute")) and ended.\n")
    }
  }

  /// Performs the commands from standard input until the first error.
  private func readScript(_ inspector: Inspector) throws {
    let input = try ByteInput(path: "-")
    var number = 0
    while var bytes = try input.nextLine() {
      number += 1
      if bytes.last == 0x0D { bytes.removeLast() }
      // A repaired condition would match other values.
      guard let line = String(validating: bytes, as: UTF8.self) else {
        throw ToolError(
          .usage, "Line \(number) of \(input.name) is not valid UTF-8. Check its encoding.")
      }
      guard let command = try InspectorCommand(line) else { continue }
      guard try inspector.perform(command) else { return }
      try StandardOutput.shared.flush()
    }
  }
}
