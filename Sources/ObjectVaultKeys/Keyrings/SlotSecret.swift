/// The means that opens a slot of a keyring or that a slot is created for.
package struct SlotSecret: Sendable {
  enum Form: Sendable {
    /// Secret bytes of the kinds that derive the wrapping key from them.
    case bytes(SharedSecret)
    case identity(KeyringIdentity)
    /// A public key, which can only create a slot.
    case recipient(KeyringRecipient)
    case provider(any KeyProvider)
  }

  package let kind: KeyringSlot.Kind
  let form: Form

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
    return SlotSecret(kind: .passphrase, form: .bytes(SharedSecret(bytes)))
  }

  /// Returns a recovery code as it was typed.
  package static func recoveryCode(_ typed: borrowing Secret) throws(KeyError) -> SlotSecret {
    SlotSecret(
      kind: .recoveryCode, form: .bytes(SharedSecret(try RecoveryCode.bytes(of: typed))))
  }

  /// Returns the content of a key file: 32 random bytes or more.
  package static func keyFile(_ bytes: consuming Secret) throws(KeyError) -> SlotSecret {
    try key(bytes, kind: .keyFile, noun: "key file")
  }

  /// Returns a raw key: 32 random bytes or more.
  package static func raw(_ bytes: consuming Secret) throws(KeyError) -> SlotSecret {
    try key(bytes, kind: .raw, noun: "raw key")
  }

  /// Returns the private key of a recipient.
  package static func identity(_ identity: KeyringIdentity) -> SlotSecret {
    SlotSecret(kind: .recipient, form: .identity(identity))
  }

  /// Returns the public key of a recipient, which can only create a slot.
  package static func recipient(_ recipient: KeyringRecipient) -> SlotSecret {
    SlotSecret(kind: .recipient, form: .recipient(recipient))
  }

  /// Returns a provider, whose name must be valid.
  package static func provider(_ provider: any KeyProvider) throws(KeyError) -> SlotSecret {
    guard ProvidedSecret.isProviderName(provider.name) else {
      throw KeyError(
        .invalidKey,
        "The name of the key provider is invalid: a name has 1 to 32 of the characters a-z, 0-9 "
          + "and '-'.")
    }
    return SlotSecret(kind: .provider, form: .provider(provider))
  }

  /// Throws an error if the secret was created before a fork.
  func checkProcess() throws(KeyError) {
    switch form {
    case .bytes(let secret): try secret.checkProcess()
    case .identity(let identity): try identity.privateKey.checkProcess()
    case .recipient, .provider: break
    }
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
    return SlotSecret(kind: kind, form: .bytes(SharedSecret(bytes)))
  }
}
