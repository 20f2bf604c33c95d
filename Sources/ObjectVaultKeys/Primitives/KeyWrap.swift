internal import COpenSSL

/// A key encrypted under another: AES-256-GCM (NIST SP 800-38D), by OpenSSL.
package struct WrappedKey: Sendable, Hashable {
  /// The bytes of a nonce.
  package static let nonceCount = 12
  /// The bytes of what is wrapped, and of the tag behind it.
  package static let sealedCount = KeyDerivation.rawKeyCount + tagCount
  private static let tagCount = 16

  /// Random, and never used twice under one key.
  package let nonce: [UInt8]
  /// The encrypted key of 32 bytes and the tag of 16.
  package let sealed: [UInt8]

  /// What a file holds; `nil` where a length is wrong.
  package init?(nonce: [UInt8], sealed: [UInt8]) {
    guard nonce.count == Self.nonceCount, sealed.count == Self.sealedCount else { return nil }
    self.nonce = nonce
    self.sealed = sealed
  }

  /// Wraps a key of 32 bytes.
  ///
  /// - Parameters:
  ///   - key: what is wrapped.
  ///   - wrappingKey: 32 bytes.
  ///   - context: what the wrapped key belongs to; unwrapping needs the same bytes.
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

  /// The key, or `nil` where the wrapping key or the context is another, or a bit was changed.
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

  /// Lends a cipher that knows its key, nonce and context.
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
      // A nonce of 12 bytes is what GCM takes unless told otherwise.
      EVP_CipherInit_ex(
        cipher, EVP_aes_256_gcm(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
        nonce, encrypting ? 1 : 0) == 1
    } && EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
      && body(cipher)
  }

  private static var unavailable: KeyError {
    KeyError(.cryptography, "OpenSSL cannot encrypt with AES-256-GCM; check its configuration")
  }
}
