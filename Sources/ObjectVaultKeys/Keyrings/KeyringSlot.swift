/// One way to open a keyring: a secret that wraps the master key.
package struct KeyringSlot: Sendable, Hashable {
  /// What kind of secret opens a slot.
  package typealias Kind = SlotKind

  /// The bytes of a slot's salt.
  static let saltCount = 32

  /// 16 random bytes, for life.
  package let id: [UInt8]
  package let kind: Kind
  /// What people call it; no two slots of a keyring have the same.
  package let name: String
  /// New at every write of the slot.
  package let salt: [UInt8]
  /// `nil` for secrets that are not stretched.
  package let cost: ScryptCost?
  package let wrapped: WrappedKey

  /// A slot as a file describes it.
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

  /// Wraps a master key under a secret: one derivation.
  ///
  /// - Parameters:
  ///   - id: The slot's, when it is written anew; a random one otherwise.
  ///   - vaultID: The vault that the keyring belongs to.
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

  /// The master key, or `nil` where the secret is another: one derivation.
  func master(opening secret: SlotSecret, vaultID: [UInt8]) throws(KeyError) -> Secret? {
    guard secret.kind == kind else { return nil }
    let key = try Self.wrappingKey(secret, salt: salt, cost: cost)
    return try wrapped.unwrapped(
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

  /// What a slot's wrapped key belongs to: it opens nowhere else.
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

  /// The slot as the keyring's code covers it.
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
