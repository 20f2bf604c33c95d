/// The commands of a key provider program.
public protocol ProviderCommands {
  /// Protects a secret.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - request: The label, the settings, and the person.
  /// - Returns: Bytes, not secret, from which ``unwrap(_:_:)`` gets the secret.
  /// - Throws: An error of the protocol.
  static func wrap(
    _ secret: borrowing ProtectedBytes, _ request: ProviderRequest
  ) throws(ProviderError) -> [UInt8]

  /// Returns the secret of wrapped bytes.
  ///
  /// - Parameters:
  ///   - wrapped: The result of ``wrap(_:_:)``, possibly damaged.
  ///   - request: The label, the settings, and the person.
  /// - Returns: The secret.
  /// - Throws: An error of the protocol.
  static func unwrap(
    _ wrapped: [UInt8], _ request: ProviderRequest
  ) throws(ProviderError) -> ProtectedBytes

  /// Returns a sentence on the protection, without access to the device.
  ///
  /// - Parameter wrapped: The result of ``wrap(_:_:)``, possibly damaged.
  /// - Returns: The sentence.
  /// - Throws: `failed` for damaged bytes.
  static func describe(_ wrapped: [UInt8]) throws(ProviderError) -> String
}

extension ProviderCommands {
  /// Serves one request of the host.
  ///
  /// - Parameter channel: The lines; by default standard input and output.
  public static func serve(_ channel: ProviderChannel = ProviderChannel()) {
    channel.sendVersion()
    do throws(ProviderError) {
      guard let first = channel.line() else { return }
      let command = first.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      switch command {
      case "objectvault-key 1 wrap":
        let request = try request(channel)
        let secret = try value("secret", channel)
        try end(channel)
        channel.send("wrapped", ProtectedBytes(copying: try wrap(secret, request)))
      case "objectvault-key 1 unwrap":
        let request = try request(channel)
        let wrapped = try bytes("wrapped", channel)
        try end(channel)
        channel.send("secret", try unwrap(wrapped, request))
      case "objectvault-key 1 describe":
        let wrapped = try bytes("wrapped", channel)
        try end(channel)
        channel.send("text", text: try describe(wrapped))
      default:
        throw .failed("The request is not of version 1. Use a matching version of the program.")
      }
    } catch {
      channel.send("error \(error.kind.rawValue)", text: error.text)
    }
  }

  private static func request(_ channel: ProviderChannel) throws(ProviderError) -> ProviderRequest {
    let line = channel.line()
    let interactive = line?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    guard interactive == "interactive yes" || interactive == "interactive no" else {
      throw malformed
    }
    let label = try bytes("label", channel)
    let settings = try bytes("settings", channel)
    return ProviderRequest(
      label: String(decoding: label, as: UTF8.self),
      settings: String(decoding: settings, as: UTF8.self),
      isInteractive: interactive == "interactive yes", channel: channel)
  }

  private static func value(
    _ keyword: String, _ channel: ProviderChannel
  ) throws(ProviderError) -> ProtectedBytes {
    guard let line = channel.line() else { throw malformed }
    guard let parsed = RequestLine(line), parsed.keyword == keyword else { throw malformed }
    return parsed.takeValue()
  }

  private static func bytes(
    _ keyword: String, _ channel: ProviderChannel
  ) throws(ProviderError) -> [UInt8] {
    try value(keyword, channel).withUnsafeBytes { Array($0) }
  }

  private static func end(_ channel: ProviderChannel) throws(ProviderError) {
    let isEnd = channel.line()?.withUnsafeBytes { $0.elementsEqual("end".utf8) }
    guard isEnd == true else { throw malformed }
  }

  private static var malformed: ProviderError {
    .failed("The request is malformed. Use a matching version of the program.")
  }
}
