internal import ObjectVaultPrimitives

/// A key encrypted with another key, by AES-256-GCM (NIST SP 800-38D).
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
  ///   - nonce: The nonce of a key that wraps nothing else; random if `nil`.
  ///   - context: The context of the wrapped key; unwrapping requires the same bytes.
  /// - Throws: `madeBeforeFork`; `cryptography` if a length is wrong or the library fails.
  package init(
    wrapping key: borrowing Secret, under wrappingKey: borrowing Secret, nonce: [UInt8]? = nil,
    context: [UInt8]
  ) throws(KeyError) {
    try key.checkProcess()
    try wrappingKey.checkProcess()
    let nonce = if let nonce { nonce } else { try RandomBytes.make(Self.nonceCount) }
    var sealed = [UInt8](repeating: 0, count: Self.sealedCount)
    let isSealed = sealed.withUnsafeMutableBytes { sealed in
      key.withUnsafeBytes { key in
        wrappingKey.withUnsafeBytes { wrappingKey in
          key.count == KeyDerivation.rawKeyCount
            && Cryptography.seal(
              key, under: wrappingKey, nonce: nonce, context: context, into: sealed)
        }
      }
    }
    guard isSealed else { throw .cryptography("encrypt with AES-256-GCM") }
    self.nonce = nonce
    self.sealed = sealed
  }

  /// Returns the key, or `nil` if the wrapping key or the context is wrong or a bit was changed.
  package func unwrapped(
    under wrappingKey: borrowing Secret, context: [UInt8]
  ) throws(KeyError) -> Secret? {
    try wrappingKey.checkProcess()
    var key = Secret(count: KeyDerivation.rawKeyCount)
    let isAuthentic = key.withUnsafeMutableBytes { key in
      wrappingKey.withUnsafeBytes { wrappingKey in
        Cryptography.open(sealed, under: wrappingKey, nonce: nonce, context: context, into: key)
      }
    }
    guard isAuthentic else { return nil }
    return key
  }
}
