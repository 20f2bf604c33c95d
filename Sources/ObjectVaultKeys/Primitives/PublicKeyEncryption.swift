/// Hybrid public key encryption (HPKE, RFC 9180) in base mode.
///
/// The suite is DHKEM(X25519, HKDF-SHA256) with HKDF-SHA256. Any program can encrypt for a public
/// key; only the owner of the private key can decrypt.
enum PublicKeyEncryption {
  /// A cipher of RFC 9180.
  struct Cipher {
    let id: UInt16
    let keyCount: Int

    static let aes256GCM = Cipher(id: 2, keyCount: 32)
  }

  /// A secret that is shared with the owner of a public key, and the bytes that it needs for it.
  struct Encapsulation: ~Copyable {
    let sharedSecret: Secret
    /// The public key of the ephemeral key pair: 32 bytes.
    let bytes: [UInt8]
  }

  /// The key and the nonce of one message.
  struct KeySchedule: ~Copyable {
    let key: Secret
    let nonce: [UInt8]
  }

  // MARK: Key encapsulation

  /// Returns a new secret shared with the owner of a public key.
  ///
  /// - Parameter publicKey: The public key, 32 bytes.
  /// - Returns: The secret and its encapsulation.
  /// - Throws: `invalidKey` for a public key that every private key shares the same secret with.
  static func encapsulate(for publicKey: [UInt8]) throws(KeyError) -> Encapsulation {
    try encapsulate(
      for: publicKey, ephemeral: try Secret.random(count: KeyAgreement.keyCount))
  }

  /// Returns the secret shared by an ephemeral private key, which must never be used again.
  static func encapsulate(
    for publicKey: [UInt8], ephemeral: borrowing Secret
  ) throws(KeyError) -> Encapsulation {
    let bytes = try KeyAgreement.publicKey(of: ephemeral)
    guard let agreed = try KeyAgreement.sharedSecret(ephemeral, publicKey) else {
      throw KeyError(
        .invalidKey,
        "The public key of the recipient is not a valid X25519 key. Request another one.")
    }
    return Encapsulation(
      sharedSecret: try extracted(agreed, context: bytes + publicKey), bytes: bytes)
  }

  /// Returns the secret of an encapsulation, or `nil` if the bytes are no valid public key.
  static func decapsulate(
    _ bytes: [UInt8], with privateKey: borrowing Secret
  ) throws(KeyError) -> Secret? {
    guard let agreed = try KeyAgreement.sharedSecret(privateKey, bytes) else { return nil }
    return try extracted(
      agreed, context: bytes + (try KeyAgreement.publicKey(of: privateKey)))
  }

  private static func extracted(
    _ agreed: borrowing Secret, context: [UInt8]
  ) throws(KeyError) -> Secret {
    let suite = Labels(suite: Array("KEM".utf8) + bigEndian(0x0020))
    let key = try suite.extract(agreed, label: "eae_prk")
    return try suite.expand(key, label: "shared_secret", info: context, count: 32)
  }

  // MARK: Key schedule

  /// Returns the key and the nonce of the only message of a context.
  ///
  /// - Parameters:
  ///   - sharedSecret: The secret of an encapsulation.
  ///   - info: The purpose of the message.
  ///   - cipher: The cipher of the message.
  /// - Returns: The key and the nonce.
  /// - Throws: `cryptography`.
  static func schedule(
    _ sharedSecret: borrowing Secret, info: [UInt8], cipher: Cipher = .aes256GCM
  ) throws(KeyError) -> KeySchedule {
    let suite = Labels(
      suite: Array("HPKE".utf8) + bigEndian(0x0020) + bigEndian(0x0001) + bigEndian(cipher.id))
    let empty = Secret(count: 0)
    let identifierHash = try suite.extract(empty, label: "psk_id_hash")
    let infoHash = try suite.extract(Secret(copying: info), label: "info_hash")
    // Base mode is 0.
    let context =
      [0] + identifierHash.withUnsafeBytes { Array($0) } + infoHash.withUnsafeBytes { Array($0) }
    let secret = try suite.extract(empty, salt: sharedSecret, label: "secret")
    let nonce = try suite.expand(secret, label: "base_nonce", info: context, count: 12)
    return KeySchedule(
      key: try suite.expand(secret, label: "key", info: context, count: cipher.keyCount),
      nonce: nonce.withUnsafeBytes { Array($0) })
  }

  fileprivate static func bigEndian(_ number: UInt16) -> [UInt8] {
    [UInt8(number >> 8), UInt8(number & 0xFF)]
  }
}

/// The labelled steps of HKDF in RFC 9180, section 4.
private struct Labels {
  let suite: [UInt8]

  func extract(_ key: borrowing Secret, label: String) throws(KeyError) -> Secret {
    try extract(key, salt: Secret(count: 0), label: label)
  }

  func extract(
    _ key: borrowing Secret, salt: borrowing Secret, label: String
  ) throws(KeyError) -> Secret {
    let prefix = Array("HPKE-v1".utf8) + suite + Array(label.utf8)
    var labelled = Secret(count: prefix.count + key.count)
    labelled.withUnsafeMutableBytes { labelled in
      labelled.copyBytes(from: prefix)
      key.withUnsafeBytes { key in
        UnsafeMutableRawBufferPointer(rebasing: labelled[prefix.count...]).copyBytes(from: key)
      }
    }
    return try KeyDerivation.extract(labelled, salt: salt)
  }

  func expand(
    _ key: borrowing Secret, label: String, info: [UInt8], count: Int
  ) throws(KeyError) -> Secret {
    let info =
      PublicKeyEncryption.bigEndian(UInt16(count)) + Array("HPKE-v1".utf8) + suite
      + Array(label.utf8) + info
    return try KeyDerivation.expand(key, info: info, count: count)
  }
}
