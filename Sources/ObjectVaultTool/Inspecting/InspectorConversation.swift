import ObjectVaultCore
import ObjectVaultTerminal

/// An interactive inspection of a vault at a terminal.
final class InspectorConversation {
  private let inspector: Inspector
  private let editor = LineEditor()
  private let pages: PagedOutput?

  init(_ vault: Vault) {
    let width = StandardOutput.terminalWidth
    if let editor, let width {
      let pages = PagedOutput(
        StandardOutput.shared, size: (StandardOutput.terminalHeight, width),
        nextKey: editor.readKey)
      self.pages = pages
      inspector = Inspector(vault, to: pages, lineWidth: width)
    } else {
      pages = nil
      inspector = Inspector(vault, to: StandardOutput.shared, lineWidth: width)
    }
  }

  /// Reads and performs commands until the user quits.
  func run() throws {
    _ = try perform { .classes }
    while let line = try nextLine() {
      guard try perform({ try InspectorCommand(line) }) else { return }
    }
  }

  /// Returns the next line, or `nil` at the end.
  private func nextLine() throws -> String? {
    guard let editor else {
      try StandardOutput.shared.write(inspector.prompt)
      try StandardOutput.shared.flush()
      let line = readLine()
      if line == nil { try StandardOutput.shared.write("\n") }
      return line
    }
    while true {
      switch try editor.read(inspector.prompt) {
      case .line(let line): return line
      case .cancelled: continue
      case .end: return nil
      }
    }
  }

  /// Performs a command and reports its errors.
  ///
  /// Returns whether the inspection continues.
  ///
  /// Control-C ends the output of the command.
  private func perform(_ command: () throws -> InspectorCommand?) throws -> Bool {
    if pages != nil { StopSignals.watch() }
    do {
      guard let command = try command() else { return true }
      let goesOn = try inspector.perform(command)
      try pages?.begin()
      // Includes a signal that came while no output was written.
      if pages != nil { try StopSignals.check("Stopped.") }
      return goesOn
    } catch let error as Stopped where error.status == .interrupted {
      try pages?.begin()
      try StandardOutput.shared.write("\n")
      try StandardOutput.shared.flush()
      return true
    } catch let error where error is ToolError || error is VaultError {
      _ = Failure.report(error)
      return true
    }
  }
}
