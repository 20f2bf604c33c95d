/// The secret of a slot as its provider encrypted it.
package struct ProvidedSecret: Sendable, Hashable {
  /// The number of bytes of the secret.
  static let secretCount = 32
  /// The numbers of bytes that a provider can return.
  static let counts = 1...(16 << 10)

  /// The name of the provider.
  package let provider: String
  /// The bytes that the provider returned.
  package let bytes: [UInt8]

  /// Creates an encrypted secret; `nil` if the name or the number of bytes is invalid.
  init?(provider: String, bytes: [UInt8]) {
    guard Self.isProviderName(provider), Self.counts.contains(bytes.count) else { return nil }
    self.provider = provider
    self.bytes = bytes
  }

  /// Creates an encrypted secret by calling the provider, which also decrypts it once.
  ///
  /// A slot that its provider does not open could replace the only key of a vault.
  ///
  /// - Parameters:
  ///   - secret: The secret, 32 random bytes.
  ///   - provider: The provider.
  ///   - label: The text for people.
  /// - Throws: `providerFailed` for an invalid answer or another secret, and the errors of the
  ///   provider.
  init(
    wrapping secret: borrowing Secret, by provider: any KeyProvider, label: String
  ) throws(KeyError) {
    let bytes: [UInt8]
    do throws(KeyError) {
      bytes = try provider.wrap(secret, label: label)
    } catch {
      throw Self.failure(error, of: provider)
    }
    guard let made = ProvidedSecret(provider: provider.name, bytes: bytes) else {
      throw KeyError(
        .providerFailed,
        "The key provider '\(provider.name)' returned \(bytes.count) bytes; "
          + "\(Self.counts.lowerBound) to \(Self.counts.upperBound) are allowed. Check the provider."
      )
    }
    try made.check(secret, by: provider, label: label)
    self = made
  }

  /// Throws an error unless the provider decrypts the secret that it encrypted.
  private func check(
    _ secret: borrowing Secret, by provider: any KeyProvider, label: String
  ) throws(KeyError) {
    var reason: KeyError?
    do throws(KeyError) {
      if try self.secret(by: provider, label: label).isEqual(to: secret) { return }
    } catch {
      guard error.isOfProvider || error.code == .wrongKey else { throw error }
      reason = error
    }
    if var reason, reason.isOfProvider {
      reason.message += " Nothing was written."
      throw reason
    }
    throw KeyError(
      .providerFailed,
      "The key provider '\(provider.name)' does not decrypt what it encrypted, so nothing was "
        + "written. Check the provider and its settings.",
      underlying: reason)
  }

  /// Returns the secret, which the provider decrypts.
  func secret(by provider: any KeyProvider, label: String) throws(KeyError) -> Secret {
    let secret: Secret
    do throws(KeyError) {
      secret = try provider.unwrap(bytes, label: label)
    } catch {
      throw Self.failure(error, of: provider)
    }
    guard secret.count == Self.secretCount else {
      throw KeyError(
        .providerFailed,
        "The key provider '\(provider.name)' returned a secret of \(secret.count) bytes instead of "
          + "\(Self.secretCount). Check the provider.")
    }
    return secret
  }

  /// Returns the error of a provider as one that is about the provider.
  ///
  /// Other errors, such as one about a missing keyring, would describe the vault instead.
  private static func failure(_ error: KeyError, of provider: any KeyProvider) -> KeyError {
    if error.isOfProvider || error.code == .wrongKey || error.code == .madeBeforeFork {
      return error
    }
    return KeyError(
      .providerFailed, "The key provider '\(provider.name)' failed: \(error.message)",
      detail: error.detail, systemError: error.systemError, underlying: error)
  }

  /// Returns whether a text is a valid name: 1 to 32 bytes of a-z, 0-9 and `-`.
  static func isProviderName(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
