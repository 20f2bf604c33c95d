internal import Foundation

/// The JSON form of a slot.
extension Keyring.Document.Slot {
  init(_ slot: KeyringSlot) {
    id = UUID(bytes: slot.id)
    kind = slot.kind.rawValue
    name = slot.name
    (n, r, p) = (slot.cost?.n ?? 0, slot.cost?.r ?? 0, slot.cost?.p ?? 0)
    created = slot.created
    switch slot.lock {
    case .secret(_, let salt, _, let wrapped):
      self.salt = Data(salt)
      nonce = Data(wrapped.nonce)
      key = Data(wrapped.sealed)
    case .recipient(let recipient, let sealed):
      self.recipient = Data(recipient.publicKey)
      encapsulated = Data(sealed.encapsulated)
      key = Data(sealed.sealed)
    case .provider(let secret, let salt, let wrapped):
      provider = secret.provider
      provided = Data(secret.bytes)
      self.salt = Data(salt)
      nonce = Data(wrapped.nonce)
      key = Data(wrapped.sealed)
    }
  }

  /// Returns the slot after checking the range of every number and the length of every field.
  ///
  /// - Parameter hasDate: Whether the date is authenticated by a code.
  /// - Returns: The slot.
  /// - Throws: `keyringMalformed`.
  func slot(withDate hasDate: Bool) throws(KeyError) -> KeyringSlot {
    guard let kind = KeyringSlot.Kind(rawValue: kind) else {
      throw Keyring.malformed("the slot '\(name)' has an unknown kind")
    }
    guard let lock = try lock(of: kind) else {
      throw Keyring.malformed("the slot '\(name)' has a missing field or one of a wrong length")
    }
    let created = created.flatMap { SlotDate.range.contains($0) ? $0 : nil }
    return KeyringSlot(
      id: id.bytes, name: name, lock: lock, created: hasDate ? created : nil)
  }

  /// Returns the lock; `nil` if a field is missing or has a wrong length.
  private func lock(of kind: KeyringSlot.Kind) throws(KeyError) -> KeyringSlot.Lock? {
    let cost = try cost(of: kind)
    switch kind {
    case .passphrase, .recoveryCode, .keyFile, .raw:
      guard let salt = validSalt, let wrapped else { return nil }
      return .secret(kind, salt: salt, cost: cost, wrapped)
    case .recipient:
      guard let recipient = recipient.flatMap({ KeyringRecipient(publicKey: [UInt8]($0)) }),
        let encapsulated,
        let sealed = SealedMasterKey(encapsulated: [UInt8](encapsulated), sealed: [UInt8](key))
      else { return nil }
      try checkName()
      return .recipient(recipient, sealed)
    case .provider:
      guard let salt = validSalt, let wrapped, let provider, let provided,
        let secret = ProvidedSecret(provider: provider, bytes: [UInt8](provided))
      else { return nil }
      try checkName()
      return .provider(secret, salt: salt, wrapped)
    }
  }

  private func cost(of kind: KeyringSlot.Kind) throws(KeyError) -> ScryptCost? {
    let cost = ScryptCost(n: n, r: r, p: p)
    guard kind.isStretched ? cost.isBounded : cost == ScryptCost(n: 0, r: 0, p: 0) else {
      throw Keyring.malformed("the slot '\(name)' requires more or less work than is allowed")
    }
    return kind.isStretched ? cost : nil
  }

  private var validSalt: [UInt8]? {
    salt.flatMap { $0.count == KeyringSlot.saltCount ? [UInt8]($0) : nil }
  }

  private var wrapped: WrappedKey? {
    nonce.flatMap { WrappedKey(nonce: [UInt8]($0), sealed: [UInt8](key)) }
  }

  /// Throws an error for a name that no program should receive as part of a label.
  private func checkName() throws(KeyError) {
    guard KeyringSlot.isName(name) else {
      throw Keyring.malformed("the name of a slot is empty, too long, or has control characters")
    }
  }
}
