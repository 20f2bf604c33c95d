/// The master key encrypted for a recipient, as one message of HPKE (RFC 9180).
package struct SealedMasterKey: Sendable, Hashable {
  private static let info = Array("objectvault recipient v1".utf8)

  /// The encapsulated key: 32 bytes.
  let encapsulated: [UInt8]
  /// The encrypted key and the tag: 48 bytes.
  let sealed: [UInt8]

  /// Creates a sealed key from the contents of a file; `nil` if a length is wrong.
  init?(encapsulated: [UInt8], sealed: [UInt8]) {
    guard encapsulated.count == KeyAgreement.keyCount, sealed.count == WrappedKey.sealedCount
    else { return nil }
    self.encapsulated = encapsulated
    self.sealed = sealed
  }

  /// Creates a sealed key by encrypting a master key.
  ///
  /// - Parameters:
  ///   - master: The master key.
  ///   - recipient: The recipient.
  ///   - context: Returns the additional data for an encapsulated key.
  /// - Throws: `invalidKey` for a recipient of low order; `cryptography`.
  init(
    _ master: borrowing Secret, for recipient: KeyringRecipient,
    context: (_ encapsulated: [UInt8]) -> [UInt8]
  ) throws(KeyError) {
    let shared = try PublicKeyEncryption.encapsulate(for: recipient.publicKey)
    let schedule = try PublicKeyEncryption.schedule(shared.sharedSecret, info: Self.info)
    encapsulated = shared.bytes
    sealed = try WrappedKey(
      wrapping: master, under: schedule.key, nonce: schedule.nonce, context: context(shared.bytes)
    ).sealed
  }

  /// Returns the master key, or `nil` if the private key or the context is wrong.
  func opened(with identity: KeyringIdentity, context: [UInt8]) throws(KeyError) -> Secret? {
    try identity.privateKey.withSecret { privateKey throws(KeyError) -> Secret? in
      guard
        let shared = try PublicKeyEncryption.decapsulate(encapsulated, with: privateKey)
      else { return nil }
      let schedule = try PublicKeyEncryption.schedule(shared, info: Self.info)
      return try WrappedKey(nonce: schedule.nonce, sealed: sealed)?
        .unwrapped(under: schedule.key, context: context)
    }
  }
}
