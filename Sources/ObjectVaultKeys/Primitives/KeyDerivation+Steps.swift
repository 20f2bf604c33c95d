internal import ObjectVaultPrimitives

/// The two steps of HKDF-HMAC-SHA-256 (RFC 5869) alone.
extension KeyDerivation {
  /// Returns the pseudorandom key of 32 bytes that HKDF extracts from a key: its HMAC under the
  /// salt (section 2.2).
  static func extract(
    _ key: borrowing Secret, salt: borrowing Secret
  ) throws(KeyError) -> Secret {
    try key.checkProcess()
    try salt.checkProcess()
    // Without a salt, RFC 5869 prescribes as many zeros as the hash has bytes.
    let salt = salt.count > 0 ? salt.copy() : Secret(count: rawKeyCount)
    var extracted = Secret(count: rawKeyCount)
    let isExtracted = extracted.withUnsafeMutableBytes { extracted in
      key.withUnsafeBytes { key in
        salt.withUnsafeBytes { Cryptography.authenticate(key, under: $0, into: extracted) }
      }
    }
    guard isExtracted else { throw .cryptography("derive keys with HKDF-SHA-256") }
    return extracted
  }

  /// Returns bytes that HKDF expands from a pseudorandom key.
  static func expand(
    _ key: borrowing Secret, info: [UInt8], count: Int
  ) throws(KeyError) -> Secret {
    try key.checkProcess()
    var derived = Secret(count: count)
    let isDerived = derived.withUnsafeMutableBytes { derived in
      key.withUnsafeBytes { Cryptography.expand($0, info: info, into: derived) }
    }
    guard isDerived else { throw .cryptography("derive keys with HKDF-SHA-256") }
    return derived
  }
}
