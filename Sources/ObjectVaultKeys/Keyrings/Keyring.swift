/// The content of a keyring file: slots, which unlock the master key, and epochs.
///
/// The master key decrypts the data keys of the epochs. As in LUKS, a slot can be rewritten without
/// changing a page, and pages can be encrypted with a new data key without changing a slot. No part
/// of the content is secret by itself. All of it is authenticated by a code that requires the
/// master key.
package struct Keyring: Sendable, Hashable {
  /// The version of the document that this library writes.
  package static let version: UInt32 = 1
  /// The maximum number of slots in a keyring.
  package static let maximumSlots = 64
  /// The maximum number of epochs in a keyring; the oldest retired ones are dropped.
  package static let maximumEpochs = 64

  /// The maximum generation, so that no number from a file overflows.
  package static let maximumGeneration: UInt64 = 1 << 62
  /// The maximum work of all slots of a keyring together: that of 64 slots at the standard cost.
  ///
  /// A key without a slot name is tried on one slot after the other.
  package static let maximumWork = UInt64(maximumSlots) * ScryptCost.standard.work

  /// The work of all slots together.
  var work: UInt64 { slots.reduce(0) { $0 + ($1.cost?.work ?? 0) } }

  /// The vault of the keyring: the 16 bytes of its UUID.
  package let vaultID: [UInt8]
  /// The number of writes, which reveals an older copy.
  package var generation: UInt64
  package var slots: [KeyringSlot]
  package var epochs: [KeyringEpoch]
  /// The HMAC-SHA-256 of all other fields, with a key derived from the master key.
  package var code: [UInt8]

  /// Returns the epoch of the file that begins with this salt.
  package func epoch(of salt: FileSalt) -> KeyringEpoch? { epochs.first { $0.salt == salt } }

  /// Returns the slot with this name.
  package func slot(named name: String) -> KeyringSlot? {
    slots.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The bytes that the code covers: an unambiguous encoding of every field.
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

  /// Returns the code of the keyring under a master key.
  func code(under master: borrowing Secret) throws(KeyError) -> [UInt8] {
    try MessageCode.code(
      of: authenticated,
      under: try KeyDerivation.hkdf(master, purpose: "objectvault keyring v1"))
  }
}

extension Keyring {
  /// Opens the keyring with a secret and returns it.
  ///
  /// Slots of the secret's kind are tried one after the other, at one derivation each. Pass the
  /// name of the slot to try only that one.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - name: The name of the slot, if known.
  /// - Returns: The open keyring.
  /// - Throws: `noSuchSlot`; `wrongKey` if no slot opens; `keyringTampered` if a slot opens but the
  ///   keyring fails authentication.
  package func opened(with secret: SlotSecret, slot name: String? = nil) throws(KeyError)
    -> OpenKeyring
  {
    var candidates = slots.filter { $0.kind == secret.kind }
    if let name {
      guard let slot = slot(named: name) else { throw noSuchSlot(name) }
      guard slot.kind == secret.kind else {
        throw KeyError(
          .wrongKey,
          "The key is a \(secret.kind.name), but the slot '\(name)' needs a \(slot.kind.name). Use "
            + "that key, or name another slot.")
      }
      candidates = [slot]
    }
    guard !candidates.isEmpty else {
      throw KeyError(
        .wrongKey,
        "The key is a \(secret.kind.name), but no slot of the keyring is of that kind. Use a key "
          + "of another kind: "
          + Set(slots.map(\.kind.name)).sorted().joined(separator: ", ") + ".")
    }
    for slot in candidates {
      guard let master = try slot.master(opening: secret, vaultID: vaultID) else { continue }
      guard MessageCode.areEqual(try code(under: master), code) else {
        throw KeyError(
          .keyringTampered,
          "The keyring was changed without its key: a slot opens, but the keyring does not "
            + "authenticate. Restore the keyring from a backup.")
      }
      return OpenKeyring(self, master: SharedSecret(master), slotID: slot.id)
    }
    throw KeyError(
      .wrongKey,
      name.map {
        "The \(secret.kind.name) does not open the slot '\($0)'. Check the key or the slot."
      }
        ?? "The \(secret.kind.name) does not open any slot of the keyring. Check the key.")
  }

  func noSuchSlot(_ name: String) -> KeyError {
    KeyError(
      .noSuchSlot,
      "The keyring has no slot '\(name)'. Use one of these slots: "
        + slots.map { "'\($0.name)'" }.joined(separator: ", ") + ".")
  }
}
