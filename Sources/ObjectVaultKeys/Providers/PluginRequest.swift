/// A request to the program of a key provider, as lines in protected memory.
struct PluginRequest: ~Copyable {
  /// A command of the protocol.
  enum Command: String {
    case wrap
    case unwrap
    case describe

    /// The keyword of the response.
    var response: String {
      switch self {
      case .wrap: "wrapped"
      case .unwrap: "secret"
      case .describe: "text"
      }
    }

    /// The maximum number of bytes in the response.
    var maximum: Int {
      switch self {
      case .wrap: PluginLimits.wrapped
      case .unwrap: PluginLimits.secret
      case .describe: PluginLimits.text
      }
    }
  }

  let command: Command
  private var lines = SecretBuffer()

  /// Creates a request without values.
  init(_ command: Command) {
    self.command = command
    lines.append("objectvault-key 1 \(command.rawValue)\n")
  }

  /// Appends a line with bytes.
  mutating func add(_ keyword: String, _ value: borrowing Secret) {
    lines.append(keyword)
    if value.count > 0 {
      lines.append(" ")
      lines.append(value.base64())
    }
    lines.append("\n")
  }

  /// Appends a line with a text.
  mutating func add(_ keyword: String, text: String) { add(keyword, Secret(utf8: text)) }

  /// Appends the line that says whether a person can answer.
  mutating func add(interactive: Bool) {
    lines.append("interactive \(interactive ? "yes" : "no")\n")
  }

  /// Returns all lines, with the one that ends the request.
  consuming func secret() -> Secret {
    lines.append("end\n")
    return lines.secret()
  }
}
