/// A key provider that is a program of its own, `objectvault-key-NAME`.
///
/// The library starts the program for each request and exchanges lines with it over its standard
/// input and output, as `Providers/PROTOCOL.md` defines. No code of the provider runs in this
/// process, and a secret is passed in these lines only.
///
/// ```swift
/// let tpm = PluginKeyProvider("tpm2", settings: "pcrs=7")
/// ```
///
/// A request waits for the program. It ends the program, together with the processes that the
/// program started, if the time limit is exceeded or the task is cancelled. A program that runs as
/// another user, for example through `sudo`, cannot be ended; the request does not wait for it.
public struct PluginKeyProvider: Sendable {
  /// The name of the provider: the program is `objectvault-key-` and this name.
  public let name: String
  /// The settings that every request contains; not secret.
  public let settings: String
  /// The time for the program, without the time in which a person answers a prompt.
  public let timeLimit: Duration

  private let program: PluginProgram
  let prompt: (@Sendable (String) throws -> Secret?)?
  private let isCancelled: (@Sendable () -> Bool)?

  /// Creates a provider; the program is searched for at each request.
  ///
  /// - Parameters:
  ///   - name: The name: 1 to 32 lower-case letters, digits and hyphens.
  ///   - path: The absolute path of the program; by default it is searched for in the absolute
  ///     folders of `PATH`.
  ///   - settings: The settings for the program, at most 4,000 bytes. They are not secret.
  ///   - timeLimit: The time for the program; 60 seconds by default.
  ///   - prompt: Answers a prompt of the program, such as for a PIN; `nil` cancels the request. By
  ///     default no person can answer, and the program must not show dialogs.
  ///   - isCancelled: Returns whether to end the request. By default it returns whether the current
  ///     task, or the asynchronous operation that opens the vault, is cancelled.
  public init(
    _ name: String, program path: String? = nil, settings: String = "",
    timeLimit: Duration = .seconds(60),
    prompt: (@Sendable (String) throws -> Secret?)? = nil,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.name = name
    self.settings = settings
    self.timeLimit = timeLimit
    self.isCancelled = isCancelled
    self.prompt = prompt
    program = PluginProgram(name: name, path: path)
  }

  /// Sends a request to a started program and returns the value of its response.
  func response(to request: consuming PluginRequest) throws(KeyError) -> Secret {
    let command = request.command
    var exchange = try PluginExchange(
      with: program, timeLimit: timeLimit,
      isCancelled: isCancelled ?? KeyCancellation.isCancelled ?? { Task.isCancelled })
    try expectVersion(&exchange)
    try exchange.send(request.secret())
    var prompts = 0
    while true {
      let line = try PluginLine(try exchange.line(), from: exchange)
      switch line.keyword {
      case "prompt" where line.value.count > PluginLimits.text,
        "error" where line.value.count > PluginLimits.text:
        throw exchange.failure("sent a text of more than \(PluginLimits.text) bytes.")
      case "prompt":
        prompts += 1
        guard prompts <= PluginLimits.prompts else {
          throw exchange.failure("prompts more than \(PluginLimits.prompts) times.")
        }
        try answer(line, in: &exchange)
      case "error":
        let error = error(line)
        exchange.finish()
        throw error
      case command.response where (1...command.maximum).contains(line.value.count):
        let value = line.value.copy()
        exchange.finish()
        return value
      default:
        throw exchange.failure("sent a line that is no response to '\(command.rawValue)'.")
      }
    }
  }

  /// Checks that the program speaks version 1, before it receives a secret.
  private func expectVersion(_ exchange: inout PluginExchange) throws(KeyError) {
    let line = try exchange.line()
    let words = line.withUnsafeBytes { bytes in
      bytes.prefix(200).split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
    guard words.first == "objectvault-key" else {
      throw exchange.failure("does not begin with the line 'objectvault-key' and its versions.")
    }
    guard words.dropFirst().contains("1") else {
      throw exchange.failure("does not support version 1 of the protocol.")
    }
  }

  /// Answers a prompt of the program, or refuses it.
  private func answer(
    _ line: borrowing PluginLine, in exchange: inout PluginExchange
  ) throws(KeyError) {
    let text = line.text(maximum: PluginLimits.text)
    guard let prompt else { return try exchange.send(Secret(utf8: "refused\n")) }
    let answer: Secret?
    do {
      answer = try exchange.withoutTime { try prompt(text) }
    } catch {
      throw KeyError(
        .providerFailed,
        "The prompt of the key provider '\(name)' was not answered: \(type(of: error)). See the "
          + "underlying error.",
        underlying: error)
    }
    guard let answer else { return try exchange.send(Secret(utf8: "refused\n")) }
    guard answer.count <= PluginLimits.secret else {
      throw KeyError(
        .invalidKey,
        "The answer to the prompt of the key provider '\(name)' has \(answer.count) bytes, but at "
          + "most \(PluginLimits.secret) are possible. Check the answer.")
    }
    var reply = SecretBuffer()
    reply.append("answer")
    if answer.count > 0 {
      reply.append(" ")
      reply.append(answer.base64())
    }
    reply.append("\n")
    try exchange.send(reply.secret())
  }

  /// Returns the error of an `error` line.
  private func error(_ line: borrowing PluginLine) -> KeyError {
    let text = line.text(maximum: PluginLimits.text)
    let reason = text.isEmpty ? "The program says no more." : text
    return switch line.kind {
    case "missing":
      KeyError(.providerMissing, "The key provider '\(name)' does not find the key. \(reason)")
    case "locked":
      KeyError(.providerLocked, "The key provider '\(name)' is locked. \(reason)")
    case "cancelled":
      KeyError(
        .providerFailed, "The request to the key provider '\(name)' was cancelled. \(reason)")
    default: KeyError(.providerFailed, "The key provider '\(name)' failed. \(reason)")
    }
  }
}
