internal import ObjectVaultPrimitives

/// Diffie-Hellman key agreement with X25519 (RFC 7748).
enum KeyAgreement {
  /// The number of bytes of a private key, a public key and a shared secret.
  static let keyCount = 32

  /// Returns the public key of a private key.
  static func publicKey(of privateKey: borrowing Secret) throws(KeyError) -> [UInt8] {
    try privateKey.checkProcess()
    var publicKey = [UInt8](repeating: 0, count: keyCount)
    let isComputed = privateKey.withUnsafeBytes { privateKey in
      publicKey.withUnsafeMutableBytes { Cryptography.publicKey(of: privateKey, into: $0) }
    }
    guard isComputed else { throw unavailable }
    return publicKey
  }

  /// Returns the secret shared with the owner of a public key.
  ///
  /// Returns `nil` if the secret would be zero, which only public keys of low order cause: such a
  /// secret is the same for every private key.
  static func sharedSecret(
    _ privateKey: borrowing Secret, _ publicKey: [UInt8]
  ) throws(KeyError) -> Secret? {
    try privateKey.checkProcess()
    guard privateKey.count == keyCount, publicKey.count == keyCount else { throw unavailable }
    var secret = Secret(count: keyCount)
    let isShared = secret.withUnsafeMutableBytes { secret in
      privateKey.withUnsafeBytes { Cryptography.agree($0, with: publicKey, into: secret) }
    }
    guard isShared else { return nil }
    return secret
  }

  private static var unavailable: KeyError { .cryptography("agree on keys with X25519") }
}
