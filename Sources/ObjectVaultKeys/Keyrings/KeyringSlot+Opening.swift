extension KeyringSlot {
  /// The identity of a slot, which its encrypted master key is bound to.
  struct Place {
    let vaultID: [UInt8]
    let id: [UInt8]
    let name: String

    /// The text for people that a provider receives.
    var label: String {
      let digits = vaultID.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
      }
      let uuid = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      return "\(uuid.joined(separator: "-")) \(name)"
    }
  }

  /// Creates a slot that encrypts a master key, at the cost of one derivation.
  ///
  /// - Parameters:
  ///   - master: The master key.
  ///   - secret: The secret that opens the slot.
  ///   - name: The name of the slot.
  ///   - id: The identifier of the slot if it is rewritten; `nil` for a random one.
  ///   - vaultID: The vault of the keyring.
  ///   - cost: The cost of the derivation, used if the secret is stretched.
  ///   - created: The time when the slot got its key, in seconds since 1970.
  /// - Throws: `KeyError`.
  init(
    wrapping master: borrowing Secret, under secret: SlotSecret, name: String, id: [UInt8]? = nil,
    vaultID: [UInt8], cost: ScryptCost, created: UInt64? = SlotDate.now
  ) throws(KeyError) {
    let id = if let id { id } else { try RandomBytes.make(16) }
    let place = Place(vaultID: vaultID, id: id, name: name)
    let lock: Lock
    switch secret.form {
    case .bytes(let bytes):
      lock = try Self.lock(
        master, place, secret.kind, bytes, cost: secret.kind.isStretched ? cost : nil)
    case .identity(let identity): lock = try Self.lock(master, place, for: identity.recipient)
    case .recipient(let recipient): lock = try Self.lock(master, place, for: recipient)
    case .provider(let provider): lock = try Self.lock(master, place, by: provider)
    }
    self.init(id: id, name: name, lock: lock, created: created)
  }

  /// Returns the slot with the same secret, written again.
  ///
  /// A provider decrypts the present secret of the slot, which stays the same. The secret must open
  /// the slot.
  ///
  /// - Parameters:
  ///   - master: The master key, which can be a new one.
  ///   - name: The name of the slot, which can be a new one.
  ///   - secret: The secret that opens the slot.
  ///   - vaultID: The vault of the keyring.
  ///   - cost: The cost of the derivation, used if the secret is stretched.
  /// - Returns: The slot.
  /// - Throws: `wrongKey` if the provider returns another secret; `KeyError`.
  func rewritten(
    wrapping master: borrowing Secret, name: String, opening secret: SlotSecret, vaultID: [UInt8],
    cost: ScryptCost
  ) throws(KeyError) -> KeyringSlot {
    guard case .provider(let provider) = secret.form,
      case .provider(let provided, let salt, _) = lock
    else {
      return try KeyringSlot(
        wrapping: master, under: secret, name: name, id: id, vaultID: vaultID, cost: cost,
        created: created)
    }
    let old = Place(vaultID: vaultID, id: id, name: self.name)
    let own = try provided.secret(by: provider, label: old.label)
    // A provider can answer each request differently, so the answer that is used must be the one
    // that is checked.
    guard try self.master(under: Self.wrappingKey(own, salt: salt), vaultID: vaultID) != nil else {
      throw KeyError(
        .wrongKey,
        "The key provider '\(provider.name)' does not decrypt the secret of the slot "
          + "'\(self.name)'. Check the provider and its settings.")
    }
    let lock = try Self.lock(
      master, Place(vaultID: vaultID, id: id, name: name), provided, own)
    return KeyringSlot(id: id, name: name, lock: lock, created: created)
  }

  /// Returns whether the secret can be one of this slot, without opening it.
  func suits(_ secret: SlotSecret) -> Bool {
    switch secret.form {
    case .bytes: kind == secret.kind
    case .identity(let identity): recipient == identity.recipient
    case .recipient(let publicKey): recipient == publicKey
    case .provider(let provider): provided?.provider == provider.name
    }
  }

  /// Returns the master key, or `nil` if the secret is wrong, at the cost of one derivation.
  func master(opening secret: SlotSecret, vaultID: [UInt8]) throws(KeyError) -> Secret? {
    guard suits(secret) else { return nil }
    let place = Place(vaultID: vaultID, id: id, name: name)
    switch (secret.form, lock) {
    case (.bytes(let bytes), .secret(_, let salt, let cost, _)):
      return try master(
        under: try Self.wrappingKey(bytes, salt: salt, cost: cost), vaultID: vaultID)
    case (.identity(let identity), .recipient(_, let sealed)):
      return try sealed.opened(
        with: identity,
        context: Self.context(place, recipient: identity.recipient, sealed.encapsulated))
    case (.provider(let provider), .provider(let provided, let salt, _)):
      let secret = try provided.secret(by: provider, label: place.label)
      return try master(under: try Self.wrappingKey(secret, salt: salt), vaultID: vaultID)
    default:
      throw KeyError(
        .invalidKey,
        "A recipient is a public key and opens no slot. Use its identity to open the slot "
          + "'\(name)'.")
    }
  }

  /// Returns the master key, or `nil` if the key derived from the slot's secret is wrong.
  package func master(
    under key: borrowing Secret, vaultID: [UInt8]
  ) throws(KeyError) -> Secret? {
    let place = Place(vaultID: vaultID, id: id, name: name)
    switch lock {
    case .secret(let kind, _, let cost, let wrapped):
      return try wrapped.unwrapped(
        under: key, context: Self.context(place, kind: kind, cost: cost))
    case .provider(let provided, let salt, let wrapped):
      return try wrapped.unwrapped(
        under: key, context: Self.context(place, provided, salt: salt))
    case .recipient: return nil
    }
  }
}

/// The locks of each kind of secret.
extension KeyringSlot {
  private static func lock(
    _ master: borrowing Secret, _ place: Place, _ kind: Kind, _ secret: SharedSecret,
    cost: ScryptCost?
  ) throws(KeyError) -> Lock {
    let salt = try RandomBytes.make(saltCount)
    let key = try wrappingKey(secret, salt: salt, cost: cost)
    return .secret(
      kind, salt: salt, cost: cost,
      try WrappedKey(
        wrapping: master, under: key, context: context(place, kind: kind, cost: cost)))
  }

  private static func lock(
    _ master: borrowing Secret, _ place: Place, for recipient: KeyringRecipient
  ) throws(KeyError) -> Lock {
    .recipient(
      recipient,
      try SealedMasterKey(master, for: recipient) {
        context(place, recipient: recipient, $0)
      })
  }

  private static func lock(
    _ master: borrowing Secret, _ place: Place, by provider: any KeyProvider
  ) throws(KeyError) -> Lock {
    let secret = try Secret.random(count: ProvidedSecret.secretCount)
    return try lock(
      master, place, try ProvidedSecret(wrapping: secret, by: provider, label: place.label), secret)
  }

  private static func lock(
    _ master: borrowing Secret, _ place: Place, _ provided: ProvidedSecret,
    _ secret: borrowing Secret
  ) throws(KeyError) -> Lock {
    let salt = try RandomBytes.make(saltCount)
    return .provider(
      provided, salt: salt,
      try WrappedKey(
        wrapping: master, under: try wrappingKey(secret, salt: salt),
        context: context(place, provided, salt: salt)))
  }

  private static func wrappingKey(
    _ secret: SharedSecret, salt: [UInt8], cost: ScryptCost?
  ) throws(KeyError) -> Secret {
    try secret.withSecret { bytes throws(KeyError) in
      if let cost { return try KeyDerivation.scrypt(bytes, salt: salt, cost: cost) }
      return try wrappingKey(bytes, salt: salt)
    }
  }

  private static func wrappingKey(
    _ secret: borrowing Secret, salt: [UInt8]
  ) throws(KeyError) -> Secret {
    try KeyDerivation.hkdf(secret, salt: salt, purpose: "objectvault slot v1")
  }
}

/// The contexts of encrypted master keys, which cannot be decrypted in any other context.
extension KeyringSlot {
  private static func context(_ place: Place, kind: Kind, cost: ScryptCost?) -> [UInt8] {
    var context = LengthPrefixed("OVKR")
    // The kinds of version 1 have that version in every document, so that older versions of the
    // library open them after the other slots are removed.
    context.append(UInt32(1))
    context.append(place.vaultID)
    context.append(place.id)
    context.append(kind.rawValue)
    context.append(cost?.n ?? 0)
    context.append(cost?.r ?? 0)
    context.append(cost?.p ?? 0)
    context.append(place.name)
    return context.bytes
  }

  private static func context(
    _ place: Place, recipient: KeyringRecipient, _ encapsulated: [UInt8]
  ) -> [UInt8] {
    var context = newContext(place, kind: .recipient)
    context.append(recipient.publicKey)
    context.append(encapsulated)
    return context.bytes
  }

  private static func context(
    _ place: Place, _ provided: ProvidedSecret, salt: [UInt8]
  ) -> [UInt8] {
    var context = newContext(place, kind: .provider)
    context.append(provided.provider)
    context.append(provided.bytes)
    context.append(salt)
    return context.bytes
  }

  private static func newContext(_ place: Place, kind: Kind) -> LengthPrefixed {
    var context = LengthPrefixed("OVKR")
    context.append(UInt32(2))
    context.append(place.vaultID)
    context.append(place.id)
    context.append(kind.rawValue)
    context.append(place.name)
    return context
  }
}
