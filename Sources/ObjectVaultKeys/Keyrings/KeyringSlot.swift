/// A slot of a keyring: the master key wrapped with a key derived from a secret.
package struct KeyringSlot: Sendable, Hashable {
  /// The kind of secret that opens a slot.
  package typealias Kind = SlotKind

  /// The number of bytes of a slot's salt.
  static let saltCount = 32

  /// The identifier: 16 random bytes that never change.
  package let id: [UInt8]
  package let kind: Kind
  /// The name for users, unique in its keyring.
  package let name: String
  /// The salt, which is new at every write of the slot.
  package let salt: [UInt8]
  /// The cost of the derivation; `nil` for secrets that are not stretched.
  package let cost: ScryptCost?
  package let wrapped: WrappedKey

  /// Creates a slot from the fields of a file.
  init(
    id: [UInt8], kind: Kind, name: String, salt: [UInt8], cost: ScryptCost?, wrapped: WrappedKey
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.salt = salt
    self.cost = cost
    self.wrapped = wrapped
  }

  /// Creates a slot that wraps a master key, at the cost of one derivation.
  ///
  /// - Parameters:
  ///   - master: The master key.
  ///   - secret: The secret that opens the slot.
  ///   - name: The name of the slot.
  ///   - id: The identifier of the slot if it is rewritten; `nil` for a random one.
  ///   - vaultID: The vault of the keyring.
  ///   - cost: The cost of the derivation, used if the secret is stretched.
  /// - Throws: `KeyError`.
  init(
    wrapping master: borrowing Secret, under secret: SlotSecret, name: String, id: [UInt8]? = nil,
    vaultID: [UInt8], cost: ScryptCost
  ) throws(KeyError) {
    if let id { self.id = id } else { self.id = try RandomBytes.make(16) }
    self.kind = secret.kind
    self.name = name
    self.salt = try RandomBytes.make(Self.saltCount)
    self.cost = secret.kind.isStretched ? cost : nil
    let key = try Self.wrappingKey(secret, salt: salt, cost: self.cost)
    wrapped = try WrappedKey(
      wrapping: master, under: key,
      context: Self.context(
        id: self.id, kind: kind, name: name, cost: self.cost, vaultID: vaultID))
  }

  /// Returns the master key, or `nil` if the secret is wrong, at the cost of one derivation.
  func master(opening secret: SlotSecret, vaultID: [UInt8]) throws(KeyError) -> Secret? {
    guard secret.kind == kind else { return nil }
    return try master(under: try Self.wrappingKey(secret, salt: salt, cost: cost), vaultID: vaultID)
  }

  /// Returns the master key, or `nil` if the key derived from the slot's secret is wrong.
  func master(under key: borrowing Secret, vaultID: [UInt8]) throws(KeyError) -> Secret? {
    try wrapped.unwrapped(
      under: key,
      context: Self.context(id: id, kind: kind, name: name, cost: cost, vaultID: vaultID))
  }

  private static func wrappingKey(
    _ secret: SlotSecret, salt: [UInt8], cost: ScryptCost?
  ) throws(KeyError) -> Secret {
    try secret.secret.withSecret { bytes throws(KeyError) in
      if let cost { return try KeyDerivation.scrypt(bytes, salt: salt, cost: cost) }
      return try KeyDerivation.hkdf(bytes, salt: salt, purpose: "objectvault slot v1")
    }
  }

  /// Returns the context of a slot's wrapped key, which cannot be unwrapped in any other context.
  private static func context(
    id: [UInt8], kind: Kind, name: String, cost: ScryptCost?, vaultID: [UInt8]
  ) -> [UInt8] {
    var context = LengthPrefixed("OVKR")
    context.append(Keyring.version)
    context.append(vaultID)
    context.append(id)
    context.append(kind.rawValue)
    context.append(cost?.n ?? 0)
    context.append(cost?.r ?? 0)
    context.append(cost?.p ?? 0)
    context.append(name)
    return context.bytes
  }

  /// Appends the slot to the bytes that the code of the keyring covers.
  func append(to bytes: inout LengthPrefixed) {
    bytes.append(id)
    bytes.append(kind.rawValue)
    bytes.append(name)
    bytes.append(salt)
    bytes.append(cost?.n ?? 0)
    bytes.append(cost?.r ?? 0)
    bytes.append(cost?.p ?? 0)
    bytes.append(wrapped.nonce)
    bytes.append(wrapped.sealed)
  }
}
