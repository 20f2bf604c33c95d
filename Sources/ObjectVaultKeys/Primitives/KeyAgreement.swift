internal import COpenSSL

/// Diffie-Hellman key agreement with X25519 (RFC 7748), by OpenSSL.
enum KeyAgreement {
  /// The number of bytes of a private key, a public key and a shared secret.
  static let keyCount = 32

  /// Returns the public key of a private key.
  static func publicKey(of privateKey: borrowing Secret) throws(KeyError) -> [UInt8] {
    let key = try loaded(privateKey)
    defer { EVP_PKEY_free(key) }
    var bytes = [UInt8](repeating: 0, count: keyCount)
    var count = keyCount
    guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == keyCount else {
      throw unavailable
    }
    return bytes
  }

  /// Returns the secret shared with the owner of a public key.
  ///
  /// Returns `nil` if the secret would be zero, which only public keys of low order cause: such a
  /// secret is the same for every private key.
  static func sharedSecret(
    _ privateKey: borrowing Secret, _ publicKey: [UInt8]
  ) throws(KeyError) -> Secret? {
    let own = try loaded(privateKey)
    defer { EVP_PKEY_free(own) }
    guard publicKey.count == keyCount,
      let other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, publicKey, keyCount)
    else { throw unavailable }
    defer { EVP_PKEY_free(other) }
    guard let context = EVP_PKEY_CTX_new(own, nil) else { throw unavailable }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other) == 1 else {
      throw unavailable
    }
    var secret = Secret(count: keyCount)
    // OpenSSL itself fails for a secret of zeros. The comparison does not rely on that.
    let isShared = secret.withUnsafeMutableBytes { secret in
      var count = secret.count
      let start = secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return EVP_PKEY_derive(context, start, &count) == 1 && count == keyCount
        && secret.reduce(0, |) != 0
    }
    guard isShared else { return nil }
    return secret
  }

  /// Returns OpenSSL's form of a private key, which it wipes when the caller frees it.
  private static func loaded(_ privateKey: borrowing Secret) throws(KeyError) -> OpaquePointer {
    try privateKey.checkProcess()
    let key = privateKey.withUnsafeBytes {
      EVP_PKEY_new_raw_private_key(
        EVP_PKEY_X25519, nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
    }
    guard privateKey.count == keyCount, let key else { throw unavailable }
    return key
  }

  private static var unavailable: KeyError {
    KeyError(.cryptography, "OpenSSL cannot agree on keys with X25519. Check its configuration.")
  }
}
