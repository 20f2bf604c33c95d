extension PluginKeyProvider: KeyProvider {
  /// Encrypts the secret of a slot with the program.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - label: A text for people, which the program can show.
  /// - Returns: The bytes that the program returned: 1 byte to 16 KiB.
  /// - Throws: `providerMissing`, `providerLocked` or `providerFailed`; `invalidKey` for an invalid
  ///   name, path or setting of the provider.
  public func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
    try secret.checkProcess()
    var request = try request(.wrap, label: label)
    request.add("secret", secret)
    return try response(to: request).withUnsafeBytes { Array($0) }
  }

  /// Decrypts the secret of a slot with the program.
  ///
  /// - Parameters:
  ///   - wrapped: The bytes that ``wrap(_:label:)`` returned.
  ///   - label: A text for people, which the program can show.
  /// - Returns: The secret.
  /// - Throws: `providerMissing`, `providerLocked` or `providerFailed`; `invalidKey` for an invalid
  ///   name, path or setting of the provider.
  public func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
    var request = try request(.unwrap, label: label)
    request.add("wrapped", Secret(copying: wrapped))
    return try response(to: request)
  }

  /// Returns the program's sentence about wrapped bytes.
  ///
  /// - Parameter wrapped: The bytes that ``wrap(_:label:)`` returned.
  /// - Returns: The sentence, at most 1,000 characters.
  /// - Throws: `providerMissing` or `providerFailed`; `invalidKey` for an invalid name or path of
  ///   the provider.
  public func describe(_ wrapped: [UInt8]) throws(KeyError) -> String {
    var request = PluginRequest(.describe)
    request.add("wrapped", Secret(copying: wrapped))
    return try response(to: request).withUnsafeBytes {
      PluginText.sanitised($0, maximum: PluginLimits.text)
    }
  }

  /// Returns a request with the lines that `wrap` and `unwrap` have.
  private func request(
    _ command: PluginRequest.Command, label: String
  ) throws(KeyError) -> PluginRequest {
    guard settings.utf8.count <= PluginLimits.settings, PluginText.isPlain(settings) else {
      throw KeyError(
        .invalidKey,
        "The settings of the key provider '\(name)' have more than \(PluginLimits.settings) bytes "
          + "or contain control characters. Correct the settings.")
    }
    var request = PluginRequest(command)
    request.add(interactive: prompt != nil)
    request.add("label", text: PluginText.sanitised(label.utf8, maximum: 200))
    request.add("settings", text: settings)
    return request
  }
}
