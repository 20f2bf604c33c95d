internal import COpenSSL

extension Cryptography {
  private static let keyCount = 32

  package static func publicKey(
    of privateKey: UnsafeRawBufferPointer, into publicKey: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let key = loaded(privateKey) else { return false }
    defer { EVP_PKEY_free(key) }
    var count = publicKey.count
    return EVP_PKEY_get_raw_public_key(key, publicKey.octets, &count) == 1 && count == keyCount
  }

  package static func agree(
    _ privateKey: UnsafeRawBufferPointer, with publicKey: [UInt8],
    into secret: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let own = loaded(privateKey) else { return false }
    defer { EVP_PKEY_free(own) }
    guard publicKey.count == keyCount, secret.count == keyCount,
      let other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, publicKey, keyCount)
    else { return false }
    defer { EVP_PKEY_free(other) }
    guard let context = EVP_PKEY_CTX_new(own, nil) else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    var count = secret.count
    // OpenSSL itself fails for a secret of zeros. The comparison does not rely on that.
    return EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1
      && EVP_PKEY_derive(context, secret.octets, &count) == 1 && count == keyCount
      && secret.reduce(0, |) != 0
  }

  /// Returns OpenSSL's form of a private key, which it wipes when the caller frees it.
  private static func loaded(_ privateKey: UnsafeRawBufferPointer) -> OpaquePointer? {
    guard privateKey.count == keyCount else { return nil }
    return EVP_PKEY_new_raw_private_key(
      EVP_PKEY_X25519, nil, privateKey.octets, privateKey.count)
  }
}
