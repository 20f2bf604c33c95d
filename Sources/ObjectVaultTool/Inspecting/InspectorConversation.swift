import ObjectVaultCore

/// A person at a terminal who inspects a vault.
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

  /// Reads and performs commands until the person ends.
  func run() throws {
    _ = try perform { .classes }
    while let line = try nextLine() {
      guard try perform({ try InspectorCommand(line) }) else { return }
    }
  }

  /// - Returns: `nil` at the end.
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

  /// Performs a command; explains what is wrong with it. Control-C ends its output.
  ///
  /// - Returns: Whether the person wants to go on.
  private func perform(_ command: () throws -> InspectorCommand?) throws -> Bool {
    if pages != nil { StopSignals.watch() }
    do {
      guard let command = try command() else { return true }
      let goesOn = try inspector.perform(command)
      try pages?.begin()
      // Also one that came while nothing was written.
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
