/// The content of a keyring file: slots, which unlock the master key, and epochs.
///
/// The master key decrypts the data keys of the epochs. As in LUKS, a slot can be rewritten without
/// changing a page, and pages can be encrypted with a new data key without changing a slot. No part
/// of the content is secret by itself. All of it is authenticated by a code that requires the
/// master key.
package struct Keyring: Sendable, Hashable {
  /// The latest version of the document that this library supports.
  package static let latestVersion: UInt32 = 3
  /// The maximum number of slots in a keyring.
  package static let maximumSlots = 64
  /// The maximum number of epochs in a keyring; the oldest retired ones are dropped.
  package static let maximumEpochs = 64
  /// The maximum number of sealing keys of earlier master keys.
  package static let maximumSealingKeys = 1000

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
  /// The HMAC-SHA-256 of all other fields except the dates, with a key derived from the master key.
  package var code: [UInt8]
  /// The HMAC-SHA-256 of the dates of the slots; `nil` if they are unknown.
  package var datesCode: [UInt8]?
  /// The sealing keys of earlier master keys, encrypted, with the numbers from 1.
  package var sealing: [WrappedKey] = []

  /// The version of the document: the lowest one that can have all slots and epochs.
  package var version: UInt32 {
    if !sealing.isEmpty { return 3 }
    return max(
      slots.map(\.kind.documentVersion).max() ?? 1, epochs.map(\.documentVersion).max() ?? 1)
  }

  /// Returns the epoch of the file with this salt.
  package func epoch(of salt: FileSalt) -> KeyringEpoch? { epochs.first { $0.salt == salt } }

  /// Returns the epoch of the file that begins with this salt.
  ///
  /// A file that begins with the salt of an epoch with a plaintext header is not of that epoch.
  package func epoch(ofFileBeginningWith salt: FileSalt) -> KeyringEpoch? {
    epochs.first { $0.salt == salt && $0.header == .encrypted }
  }

  /// Returns the slot with this name.
  package func slot(named name: String) -> KeyringSlot? {
    slots.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The bytes that the code covers: an unambiguous encoding of every field.
  var authenticated: [UInt8] {
    var bytes = LengthPrefixed("OVKD")
    bytes.append(version)
    bytes.append(vaultID)
    bytes.append(generation)
    bytes.append(UInt32(slots.count))
    for slot in slots { slot.append(to: &bytes) }
    bytes.append(UInt32(epochs.count))
    for epoch in epochs { epoch.append(to: &bytes) }
    if !sealing.isEmpty {
      bytes.append(UInt32(sealing.count))
      for key in sealing {
        bytes.append(key.nonce)
        bytes.append(key.sealed)
      }
    }
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
  /// - Throws: `noSuchSlot`; `wrongKey` if no slot opens; the error of a provider if no slot opens;
  ///   `keyringTampered` if a slot opens but the keyring fails authentication; `cancelled`.
  package func opened(with secret: SlotSecret, slot name: String? = nil) throws(KeyError)
    -> OpenKeyring
  {
    let candidates = try candidates(for: secret, slot: name)
    var failure: KeyError?
    for slot in candidates {
      try KeyCancellation.check()
      do throws(KeyError) {
        guard let master = try slot.master(opening: secret, vaultID: vaultID) else { continue }
        guard try isAuthentic(under: master) else { throw Self.tampered }
        return OpenKeyring(self, master: SharedSecret(master), slotID: slot.id)
      } catch {
        // A provider can have the key of another slot.
        guard secret.kind == .provider, error.isOfProvider || error.code == .wrongKey else {
          throw error
        }
        if error.isOfProvider { failure = failure ?? error }
      }
    }
    // The error of a provider can be that of the cancellation.
    try KeyCancellation.check()
    if let failure { throw failure }
    throw KeyError(
      .wrongKey,
      name.map {
        "The \(secret.kind.name) does not open the slot '\($0)'. Check the key or the slot."
      }
        ?? "The \(secret.kind.name) does not open any slot of the keyring. Check the key.")
  }

  /// Throws an error unless a slot has this secret, so that it can be written again.
  ///
  /// A typing error must not become the new key. The public key of a recipient is compared.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - name: The name of the slot.
  /// - Throws: The errors of ``opened(with:slot:)``.
  package func check(_ secret: SlotSecret, ofSlot name: String) throws(KeyError) {
    guard case .recipient = secret.form else {
      _ = try opened(with: secret, slot: name)
      return
    }
    _ = try candidates(for: secret, slot: name)
  }

  /// Returns the slots that the secret can open: the named one, or all of its kind.
  private func candidates(
    for secret: SlotSecret, slot name: String?
  ) throws(KeyError) -> [KeyringSlot] {
    if let name {
      guard let slot = slot(named: name) else { throw noSuchSlot(name) }
      guard slot.kind == secret.kind else {
        throw KeyError(
          .wrongKey,
          "The key is \(secret.kind.nameWithArticle), but the slot '\(name)' needs "
            + "\(slot.kind.nameWithArticle). Use that key, or name another slot.")
      }
      guard slot.suits(secret) else {
        throw KeyError(
          .wrongKey,
          "The slot '\(name)' is for \(slot.holder), not for this \(secret.kind.name). Check the "
            + "key or the slot.")
      }
      return [slot]
    }
    let candidates = slots.filter { $0.suits(secret) }
    guard candidates.isEmpty else { return candidates }
    guard !slots.contains(where: { $0.kind == secret.kind }) else {
      throw KeyError(
        .wrongKey,
        "No slot of the keyring is for this \(secret.kind.name). Check the key, or add a slot.")
    }
    throw KeyError(
      .wrongKey,
      "The key is \(secret.kind.nameWithArticle), but no slot of the keyring is of that kind. Use a "
        + "key of another kind: "
        + Set(slots.map(\.kind.name)).sorted().joined(separator: ", ") + ".")
  }

  private static var tampered: KeyError {
    KeyError(
      .keyringTampered,
      "The keyring was changed without its key: a slot opens, but the keyring does not "
        + "authenticate. Restore the keyring from a backup.")
  }

  package func noSuchSlot(_ name: String) -> KeyError {
    KeyError(
      .noSuchSlot,
      "The keyring has no slot '\(name)'. Use one of these slots: "
        + slots.map { "'\($0.name)'" }.joined(separator: ", ") + ".")
  }
}
