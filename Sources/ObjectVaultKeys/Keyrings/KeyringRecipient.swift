/// A public key that a keyring slot can be created for.
///
/// The owner of the matching ``KeyringIdentity`` opens the slot. A recipient is not secret: send it
/// to the person who manages the keyring. Nothing secret has to be exchanged.
///
/// ```swift
/// let server = try KeyringRecipient("ovrecipient1…")
/// try keyring.addSlot("server", .recipient(server), unlockedBy: .passphrase("first words"))
/// ```
public struct KeyringRecipient: Sendable, Hashable {
  /// The prefix of the text.
  static let prefix = "ovrecipient"

  /// The X25519 public key: 32 bytes.
  public let publicKey: [UInt8]

  /// Creates a recipient from the bytes of a public key.
  init?(publicKey: [UInt8]) {
    guard publicKey.count == KeyAgreement.keyCount else { return nil }
    self.publicKey = publicKey
  }

  /// Creates a recipient from its text.
  ///
  /// - Parameter text: The text, which begins with `ovrecipient1`; white space around it is ignored.
  /// - Throws: ``KeyError``: `.invalidKey` if the text is incomplete or has a typing error.
  public init(_ text: String) throws(KeyError) {
    let text = Secret(copying: text.utf8.prefix(1_000)).withoutSpace()
    guard let bytes = Bech32.bytes(of: text, prefix: Self.prefix) else {
      throw KeyError(
        .invalidKey,
        "The text is not a recipient: it is incomplete, or has a typing error. A recipient begins "
          + "with '\(Self.prefix)1' and has 70 characters.")
    }
    publicKey = bytes.withUnsafeBytes { Array($0) }
  }
}

extension KeyringRecipient: CustomStringConvertible {
  /// The text of the recipient.
  public var description: String {
    Bech32.text(prefix: Self.prefix, of: Secret(copying: publicKey))
      .withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension Secret {
  /// Returns the text without spaces, tabs and line ends at both ends.
  borrowing func withoutSpace() -> Secret {
    withUnsafeBytes { bytes in
      func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
      let start = bytes.firstIndex { !isSpace($0) } ?? bytes.count
      let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
      return Secret(copying: bytes[start..<end])
    }
  }
}
