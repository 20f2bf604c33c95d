internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Browses a vault: its classes, pages of objects, and from object to object.",
    discussion: """
      The key is asked for once; then commands are read, one a line, from the terminal or from \
      standard input. The vault is only read, and each answer is of the moment it is given.

      \(InspectorCommand.summary)
      At a terminal a mistake is explained and the next command asked for; elsewhere the first one \
      ends the run with the status it has everywhere.
      """)

  @OptionGroup var options: VaultOptions

  func run() throws {
    let vault = try options.open(for: .reading)
    let output = StandardOutput.shared
    let inspector = Inspector(vault, to: output, lineWidth: StandardOutput.terminalWidth)
    let isConversation = isatty(0) == 1
    if isConversation { _ = try inspector.perform(.classes) }
    while true {
      if isConversation { try output.write(inspector.prompt) }
      try output.flush()
      guard let line = readLine() else { break }
      do {
        guard let command = try InspectorCommand(line) else { continue }
        guard try inspector.perform(command) else { return }
      } catch let error where isConversation && (error is ToolError || error is VaultError) {
        _ = Failure.report(error)
      }
    }
    if isConversation { try output.write("\n") }
  }
}
