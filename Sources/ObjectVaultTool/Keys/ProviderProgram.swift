import ObjectVaultCore
import ObjectVaultTerminal

/// A key provider of the tool, which is a program.
///
/// SIGHUP, SIGINT and SIGTERM end the program too. It does not receive those of the terminal,
/// because it has a process group of its own.
struct ProviderProgram: KeyProvider {
  private let plugin: PluginKeyProvider

  var name: String { plugin.name }

  /// Creates the provider with a name.
  ///
  /// A question of the provider, such as for a PIN, is shown on the terminal.
  ///
  /// - Parameters:
  ///   - name: The name of the provider; the program is `objectvault-key-NAME`.
  ///   - settings: The settings for a new slot.
  init(_ name: String, settings: String = "") {
    plugin = PluginKeyProvider(
      name, settings: settings, prompt: Self.hasTerminal ? Self.ask : nil,
      isCancelled: { StopSignals.wasReceived })
  }

  func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
    let recording = StopSignals.Recording()
    defer { recording.end() }
    return try plugin.wrap(secret, label: label)
  }

  func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
    let recording = StopSignals.Recording()
    defer { recording.end() }
    return try plugin.unwrap(wrapped, label: label)
  }

  func describe(_ wrapped: [UInt8]) throws(KeyError) -> String {
    let recording = StopSignals.Recording()
    defer { recording.end() }
    return try plugin.describe(wrapped)
  }

  private static var hasTerminal: Bool { TerminalPrompt() != nil }

  private static let ask: @Sendable (String) throws -> Secret? = { question in
    guard let terminal = TerminalPrompt() else { return nil }
    return try terminal.readHidden("\(PrintableText.escaped(question)) ")
  }
}
