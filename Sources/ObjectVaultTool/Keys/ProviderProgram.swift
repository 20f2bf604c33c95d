import ObjectVaultCore
import ObjectVaultTerminal

/// The key providers of the tool, which are programs.
enum ProviderProgram {
  /// Returns the provider with a name.
  ///
  /// A question of the provider, such as for a PIN, is shown on the terminal.
  ///
  /// - Parameters:
  ///   - name: The name of the provider; the program is `objectvault-key-NAME`.
  ///   - settings: The settings for a new slot.
  /// - Returns: The provider.
  static func named(_ name: String, settings: String = "") -> any KeyProvider {
    PluginKeyProvider(name, settings: settings, prompt: hasTerminal ? ask : nil)
  }

  private static var hasTerminal: Bool { TerminalPrompt() != nil }

  private static let ask: @Sendable (String) throws -> Secret? = { question in
    guard let terminal = TerminalPrompt() else { return nil }
    return try terminal.readHidden("\(PrintableText.escaped(question)) ")
  }
}
