/// A slot of a keyring: the master key encrypted for the holder of a secret.
package struct KeyringSlot: Sendable, Hashable {
  /// The kind of secret that opens a slot.
  package typealias Kind = SlotKind

  /// The encrypted master key, with everything that opening it requires except the secret.
  enum Lock: Sendable, Hashable {
    /// The key is wrapped with one derived from a passphrase, a recovery code, a key file or a raw
    /// key.
    case secret(Kind, salt: [UInt8], cost: ScryptCost?, WrappedKey)
    /// The key is encrypted for a public key.
    case recipient(KeyringRecipient, SealedMasterKey)
    /// The key is wrapped with one derived from a secret that a provider decrypts.
    case provider(ProvidedSecret, salt: [UInt8], WrappedKey)
  }

  /// The number of bytes of a slot's salt.
  static let saltCount = 32

  /// The identifier: 16 random bytes that never change.
  package let id: [UInt8]
  /// The name for users, unique in its keyring.
  package let name: String
  let lock: Lock
  /// The time when the slot got its key, in seconds since 1970; `nil` if unknown.
  ///
  /// It is authenticated by ``Keyring/datesCode``.
  package var created: UInt64?

  /// Returns whether a text can be the name of a slot.
  static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
      && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  package var kind: Kind {
    switch lock {
    case .secret(let kind, _, _, _): kind
    case .recipient: .recipient
    case .provider: .provider
    }
  }

  /// The salt, which is new at every write of the slot; empty for a recipient.
  package var salt: [UInt8] {
    switch lock {
    case .secret(_, let salt, _, _), .provider(_, let salt, _): salt
    case .recipient: []
    }
  }

  /// The cost of the derivation; `nil` for secrets that are not stretched.
  package var cost: ScryptCost? {
    if case .secret(_, _, let cost, _) = lock { cost } else { nil }
  }

  /// The wrapped master key; `nil` for a recipient.
  package var wrapped: WrappedKey? {
    switch lock {
    case .secret(_, _, _, let wrapped), .provider(_, _, let wrapped): wrapped
    case .recipient: nil
    }
  }

  /// The public key of a recipient.
  package var recipient: KeyringRecipient? {
    if case .recipient(let recipient, _) = lock { recipient } else { nil }
  }

  /// The secret that a provider decrypts.
  package var provided: ProvidedSecret? {
    if case .provider(let provided, _, _) = lock { provided } else { nil }
  }

  /// The holder of the slot's key, for messages.
  var holder: String {
    switch lock {
    case .secret(let kind, _, _, _): "a " + kind.name
    case .recipient(let recipient, _): "the recipient \(recipient)"
    case .provider(let provided, _, _): "the key provider '\(provided.provider)'"
    }
  }

  /// Appends the slot to the bytes that the code of the keyring covers.
  func append(to bytes: inout LengthPrefixed) {
    bytes.append(id)
    bytes.append(kind.rawValue)
    bytes.append(name)
    switch lock {
    case .secret(_, let salt, let cost, let wrapped):
      bytes.append(salt)
      bytes.append(cost?.n ?? 0)
      bytes.append(cost?.r ?? 0)
      bytes.append(cost?.p ?? 0)
      bytes.append(wrapped.nonce)
      bytes.append(wrapped.sealed)
    case .recipient(let recipient, let sealed):
      bytes.append(recipient.publicKey)
      bytes.append(sealed.encapsulated)
      bytes.append(sealed.sealed)
    case .provider(let provided, let salt, let wrapped):
      bytes.append(provided.provider)
      bytes.append(provided.bytes)
      bytes.append(salt)
      bytes.append(wrapped.nonce)
      bytes.append(wrapped.sealed)
    }
  }
}
