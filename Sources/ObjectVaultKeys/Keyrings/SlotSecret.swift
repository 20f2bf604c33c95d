/// The secret bytes that open a slot of a keyring.
package struct SlotSecret: Sendable {
  package let kind: KeyringSlot.Kind
  let secret: SharedSecret

  /// The minimum number of bytes of a key file or a raw key.
  package static let minimumKeyCount = 32

  /// Returns a passphrase, whose bytes are used unchanged.
  package static func passphrase(_ bytes: consuming Secret) throws(KeyError) -> SlotSecret {
    try bytes.checkProcess()
    let count = bytes.count
    guard count > 0 else {
      throw KeyError(.noKey, "The passphrase is empty. Enter at least one character.")
    }
    guard count <= ResolvedKey.maximumPassphraseCount else {
      throw ResolvedKey.passphraseTooLong(count)
    }
    return SlotSecret(kind: .passphrase, secret: SharedSecret(bytes))
  }

  /// Returns a recovery code as it was typed.
  package static func recoveryCode(_ typed: borrowing Secret) throws(KeyError) -> SlotSecret {
    SlotSecret(kind: .recoveryCode, secret: SharedSecret(try RecoveryCode.bytes(of: typed)))
  }

  /// Returns the content of a key file: 32 random bytes or more.
  package static func keyFile(_ bytes: consuming Secret) throws(KeyError) -> SlotSecret {
    try key(bytes, kind: .keyFile, noun: "key file")
  }

  /// Returns a raw key: 32 random bytes or more.
  package static func raw(_ bytes: consuming Secret) throws(KeyError) -> SlotSecret {
    try key(bytes, kind: .raw, noun: "raw key")
  }

  private static func key(
    _ bytes: consuming Secret, kind: KeyringSlot.Kind, noun: String
  ) throws(KeyError) -> SlotSecret {
    try bytes.checkProcess()
    let count = bytes.count
    guard count > 0 else {
      throw KeyError(
        .noKey, "The \(noun) is empty. Use one of at least \(minimumKeyCount) random bytes.")
    }
    guard count >= minimumKeyCount else {
      throw KeyError(
        .invalidKey,
        "The \(noun) of a slot needs at least \(minimumKeyCount) random bytes, but this one has "
          + "\(count). Use a passphrase for a text that people remember.")
    }
    return SlotSecret(kind: kind, secret: SharedSecret(bytes))
  }
}
