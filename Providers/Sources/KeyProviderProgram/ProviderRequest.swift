/// The circumstances of a request to wrap or unwrap a key.
public struct ProviderRequest {
  /// A text that names the vault, for people.
  public let label: String
  /// The settings; not secret.
  public let settings: String
  /// Whether a person can answer prompts and dialogs.
  public let isInteractive: Bool
  private let channel: ProviderChannel

  init(label: String, settings: String, isInteractive: Bool, channel: ProviderChannel) {
    self.label = label
    self.settings = settings
    self.isInteractive = isInteractive
    self.channel = channel
  }

  /// Prompts a person through the host.
  ///
  /// - Parameter text: The prompt, such as `PIN of the token 'vaults':`.
  /// - Returns: The answer.
  /// - Throws: `cancelled` if the person does not answer; `locked` if no person can answer.
  public func answer(to text: String) throws(ProviderError) -> ProtectedBytes {
    guard isInteractive else {
      throw .locked("A person must answer '\(text)'. Run the command at a terminal.")
    }
    return try channel.answer(to: text)
  }

  /// Returns the settings as parts `NAME=VALUE`.
  ///
  /// - Parameter names: The supported names.
  /// - Returns: The values by their names.
  /// - Throws: `failed` if a part has another form or an unsupported name, or is repeated.
  public func settings(named names: Set<String>) throws(ProviderError) -> [String: String] {
    var values: [String: String] = [:]
    for part in settings.split(separator: " ") {
      let words = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard words.count == 2, names.contains(words[0]), values[words[0]] == nil else {
        let supported = names.sorted().map { "\($0)=…" }.joined(separator: ", ")
        throw .failed("The setting '\(part)' is not supported. Use each of \(supported) once.")
      }
      values[words[0]] = words[1]
    }
    return values
  }
}
