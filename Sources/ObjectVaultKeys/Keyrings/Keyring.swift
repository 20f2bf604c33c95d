/// What stands in the file beside a vault: slots, each of which opens the master key, and epochs,
/// whose data keys the master key opens.
///
/// A slot is rewritten without touching a page, and pages are encrypted under a new data key
/// without touching a slot, as in LUKS. Nothing in it is secret by itself; all of it is
/// authenticated by a code that only a holder of the master key can make.
package struct Keyring: Sendable, Hashable {
  /// The version of the document that this library writes.
  package static let version: UInt32 = 1
  /// The most slots a keyring may have.
  package static let maximumSlots = 64
  /// The most epochs a keyring may have; old retired ones are dropped.
  package static let maximumEpochs = 64

  /// The most changes that a keyring counts: no number from a file overflows.
  package static let maximumGeneration: UInt64 = 1 << 62
  /// The most work that all slots of a keyring together may ask for: that of 64 slots at the standard
  /// cost. A key whose slot is not named is tried on one after the other.
  package static let maximumWork = UInt64(maximumSlots) * ScryptCost.standard.work

  /// The work that all slots together ask for.
  var work: UInt64 { slots.reduce(0) { $0 + ($1.cost?.work ?? 0) } }

  /// The vault that it belongs to: the 16 bytes of its UUID.
  package let vaultID: [UInt8]
  /// Counts the writes, so that an older copy can be told.
  package var generation: UInt64
  package var slots: [KeyringSlot]
  package var epochs: [KeyringEpoch]
  /// HMAC-SHA-256 of all the above, under a key made from the master key.
  package var code: [UInt8]

  /// The epoch whose file begins with this salt.
  package func epoch(of salt: FileSalt) -> KeyringEpoch? { epochs.first { $0.salt == salt } }

  /// The slot of this name.
  package func slot(named name: String) -> KeyringSlot? {
    slots.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// What the code covers: every field, so that no two keyrings give the same bytes.
  var authenticated: [UInt8] {
    var bytes = LengthPrefixed("OVKD")
    bytes.append(Self.version)
    bytes.append(vaultID)
    bytes.append(generation)
    bytes.append(UInt32(slots.count))
    for slot in slots { slot.append(to: &bytes) }
    bytes.append(UInt32(epochs.count))
    for epoch in epochs { epoch.append(to: &bytes) }
    return bytes.bytes
  }

  /// The code that the holder of a master key makes.
  func code(under master: borrowing Secret) throws(KeyError) -> [UInt8] {
    try MessageCode.code(
      of: authenticated,
      under: try KeyDerivation.hkdf(master, purpose: "objectvault keyring v1"))
  }
}

extension Keyring {
  /// Opens the keyring with a secret.
  ///
  /// Slots of the secret's kind are tried one after the other; each costs one derivation. Naming
  /// the slot spares the others.
  ///
  /// - Parameter name: The slot, where it is known.
  /// - Throws: `noSuchSlot`; `wrongKey` where no slot opens; `keyringTampered` where one does and
  ///   the rest is not as it was written.
  package func opened(with secret: SlotSecret, slot name: String? = nil) throws(KeyError)
    -> OpenKeyring
  {
    var candidates = slots.filter { $0.kind == secret.kind }
    if let name {
      guard let slot = slot(named: name) else { throw noSuchSlot(name) }
      guard slot.kind == secret.kind else {
        throw KeyError(
          .wrongKey,
          "the slot '\(name)' is opened by a \(slot.kind.name), not by a "
            + "\(secret.kind.name)")
      }
      candidates = [slot]
    }
    guard !candidates.isEmpty else {
      throw KeyError(
        .wrongKey,
        "no slot of the keyring is opened by a \(secret.kind.name); it has "
          + Set(slots.map(\.kind.name)).sorted().joined(separator: ", "))
    }
    for slot in candidates {
      guard let master = try slot.master(opening: secret, vaultID: vaultID) else { continue }
      guard MessageCode.areEqual(try code(under: master), code) else {
        throw KeyError(
          .keyringTampered,
          "the keyring was changed by someone who does not hold its key: a slot opens, the whole "
            + "does not authenticate; restore the keyring from a backup")
      }
      return OpenKeyring(self, master: SharedSecret(master), slotID: slot.id)
    }
    throw KeyError(
      .wrongKey,
      name.map { "the \(secret.kind.name) does not open the slot '\($0)'" }
        ?? "no slot of the keyring opens with this \(secret.kind.name); check it")
  }

  func noSuchSlot(_ name: String) -> KeyError {
    KeyError(
      .noSuchSlot,
      "the keyring has no slot '\(name)'; it has "
        + slots.map { "'\($0.name)'" }.joined(separator: ", "))
  }
}
