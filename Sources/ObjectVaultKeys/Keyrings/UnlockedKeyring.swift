/// A keyring that a slot's key opened, with the file that it was read from.
package struct UnlockedKeyring: Sendable {
  package let file: KeyringFile
  package let keyring: OpenKeyring
  /// Why the spare copy was read instead of the keyring; `nil` where it was not.
  package let spareReason: String?

  /// Reads and opens a keyring: one derivation for each slot that is tried.
  ///
  /// - Throws: `keyringMissing`, `keyringMalformed`, `keyringNewer`, `keyringTampered`, `noSuchSlot`,
  ///   `wrongKey`, and what the key's source throws.
  package init(_ file: KeyringFile, key: SlotKey) throws(KeyError) {
    // Before a secret is asked for.
    guard file.exists else { throw file.missing }
    let opened = try file.open(with: try key.resolve(), slot: key.slot)
    self.init(file, keyring: opened.keyring, spareReason: opened.spareReason)
  }

  package init(_ file: KeyringFile, keyring: OpenKeyring, spareReason: String? = nil) {
    self.file = file
    self.keyring = keyring
    self.spareReason = spareReason
  }

  /// The epoch of the file that begins with this salt.
  ///
  /// - Throws: `keyringMismatch` where there is none.
  package func epoch(of salt: FileSalt) throws(KeyError) -> KeyringEpoch {
    guard let epoch = keyring.keyring.epoch(of: salt) else {
      throw KeyError(
        .keyringMismatch,
        "the keyring '\(file.path)' has no key for this file: it belongs to another vault or to "
          + "another copy of this one, or the file was given a key of its own since. Put the right "
          + "keyring beside the file, or open it with its own key")
    }
    return epoch
  }

  /// The key of the file that begins with this salt.
  package func dataKey(of salt: FileSalt) throws(KeyError) -> SharedSecret {
    try keyring.dataKey(of: epoch(of: salt))
  }

  /// The epochs of files that this keyring may stand beside: the current one and pending ones.
  var livingEpochs: [KeyringEpoch] { keyring.keyring.epochs.filter { $0.state != .retired } }

  /// Puts a changed keyring in the place of this one.
  ///
  /// - Throws: `keyringChanged` where another process was faster; `keyringUnwritable`.
  package func storing(
    _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws(KeyError) -> UnlockedKeyring {
    var changed = keyring
    try change(&changed)
    try file.store(changed.keyring, replacing: keyring.keyring.generation)
    return UnlockedKeyring(file, keyring: changed)
  }
}
