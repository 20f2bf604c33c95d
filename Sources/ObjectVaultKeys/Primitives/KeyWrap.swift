internal import COpenSSL

/// A key encrypted with another key, by AES-256-GCM (NIST SP 800-38D) from OpenSSL.
package struct WrappedKey: Sendable, Hashable {
  /// The number of bytes of a nonce.
  package static let nonceCount = 12
  /// The number of bytes of the encrypted key and the tag after it.
  package static let sealedCount = KeyDerivation.rawKeyCount + tagCount
  private static let tagCount = 16

  /// A random nonce, never used twice with one key.
  package let nonce: [UInt8]
  /// The encrypted key of 32 bytes, followed by the tag of 16 bytes.
  package let sealed: [UInt8]

  /// Creates a wrapped key from the contents of a file; `nil` if a length is wrong.
  package init?(nonce: [UInt8], sealed: [UInt8]) {
    guard nonce.count == Self.nonceCount, sealed.count == Self.sealedCount else { return nil }
    self.nonce = nonce
    self.sealed = sealed
  }

  /// Creates a wrapped key by encrypting a key of 32 bytes.
  ///
  /// - Parameters:
  ///   - key: The key to wrap.
  ///   - wrappingKey: A key of 32 bytes.
  ///   - context: The context of the wrapped key; unwrapping requires the same bytes.
  /// - Throws: `madeBeforeFork`; `cryptography` if a length is wrong or OpenSSL fails.
  package init(
    wrapping key: borrowing Secret, under wrappingKey: borrowing Secret, context: [UInt8]
  ) throws(KeyError) {
    try key.checkProcess()
    try wrappingKey.checkProcess()
    let nonce = try RandomBytes.make(Self.nonceCount)
    var sealed = [UInt8](repeating: 0, count: Self.sealedCount)
    let done = sealed.withUnsafeMutableBufferPointer { sealed in
      key.withUnsafeBytes { key in
        key.count == KeyDerivation.rawKeyCount
          && Self.withCipher(wrappingKey, nonce, context, encrypting: true) { cipher in
            var count: Int32 = 0
            return EVP_CipherUpdate(
              cipher, sealed.baseAddress, &count,
              key.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(key.count)) == 1
              && EVP_CipherFinal_ex(cipher, sealed.baseAddress.map { $0 + Int(count) }, &count) == 1
              && EVP_CIPHER_CTX_ctrl(
                cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount),
                sealed.baseAddress.map { $0 + KeyDerivation.rawKeyCount }) == 1
          }
      }
    }
    guard done else { throw Self.unavailable }
    self.nonce = nonce
    self.sealed = sealed
  }

  /// Returns the key, or `nil` if the wrapping key or the context is wrong or a bit was changed.
  package func unwrapped(
    under wrappingKey: borrowing Secret, context: [UInt8]
  ) throws(KeyError) -> Secret? {
    try wrappingKey.checkProcess()
    var key = Secret(count: KeyDerivation.rawKeyCount)
    var tag = Array(sealed.suffix(Self.tagCount))
    let isAuthentic = key.withUnsafeMutableBytes { key in
      Self.withCipher(wrappingKey, nonce, context, encrypting: false) { cipher in
        let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var count: Int32 = 0
        return EVP_CipherUpdate(cipher, start, &count, sealed, Int32(KeyDerivation.rawKeyCount))
          == 1
          && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), &tag) == 1
          && EVP_CipherFinal_ex(cipher, start.map { $0 + Int(count) }, &count) == 1
      }
    }
    guard isAuthentic else { return nil }
    return key
  }

  /// Calls a closure with a cipher that has its key, nonce and context.
  private static func withCipher(
    _ key: borrowing Secret, _ nonce: [UInt8], _ context: [UInt8], encrypting: Bool,
    _ body: (OpaquePointer) -> Bool
  ) -> Bool {
    guard key.count == KeyDerivation.rawKeyCount, let cipher = EVP_CIPHER_CTX_new() else {
      return false
    }
    // Wipes the cipher's copy of the key.
    defer { EVP_CIPHER_CTX_free(cipher) }
    var count: Int32 = 0
    return key.withUnsafeBytes { key in
      // GCM uses a nonce of 12 bytes by default.
      EVP_CipherInit_ex(
        cipher, EVP_aes_256_gcm(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
        nonce, encrypting ? 1 : 0) == 1
    } && EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
      && body(cipher)
  }

  private static var unavailable: KeyError {
    KeyError(.cryptography, "OpenSSL cannot encrypt with AES-256-GCM. Check its configuration.")
  }
}
