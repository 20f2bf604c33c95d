/// A keyring that was opened with the key of a slot, and its file.
package struct UnlockedKeyring: Sendable {
  package let file: KeyringFile
  package let keyring: OpenKeyring
  /// The reason why the spare copy was read instead of the keyring; `nil` if it was not.
  package let spareReason: String?
  /// Whether the spare copy was read instead of the keyring.
  package var isSpareInUse: Bool { spareReason != nil }

  /// Creates the keyring by reading and opening it, at one derivation for each tried slot.
  ///
  /// - Parameters:
  ///   - file: The file of the keyring.
  ///   - key: The key of a slot.
  /// - Throws: `keyringMissing`, `keyringMalformed`, `keyringNewer`, `keyringTampered`,
  ///   `noSuchSlot`, `wrongKey`, and the errors of the key's source.
  package init(_ file: KeyringFile, key: SlotKey) throws(KeyError) {
    // Check before the secret is requested.
    guard file.exists else { throw file.missing }
    let opened = try file.open(with: try key.resolve(), slot: key.slot)
    self.init(file, keyring: opened.keyring, spareReason: opened.spareReason)
  }

  package init(_ file: KeyringFile, keyring: OpenKeyring, spareReason: String? = nil) {
    self.file = file
    self.keyring = keyring
    self.spareReason = spareReason
  }

  /// Returns the epoch of the file with this salt.
  ///
  /// - Parameter salt: The salt of the file.
  /// - Returns: The epoch.
  /// - Throws: `keyringMismatch` if the keyring has no such epoch.
  package func epoch(of salt: FileSalt) throws(KeyError) -> KeyringEpoch {
    guard let epoch = keyring.keyring.epoch(of: salt) else { throw noKeyForFile }
    return epoch
  }

  /// Returns the epoch of the file that begins with this salt.
  ///
  /// - Parameter salt: The first bytes of the file.
  /// - Returns: The epoch.
  /// - Throws: `keyringMismatch` if the keyring has no such epoch.
  func epoch(ofFileBeginningWith salt: FileSalt) throws(KeyError) -> KeyringEpoch {
    guard let epoch = keyring.keyring.epoch(ofFileBeginningWith: salt) else { throw noKeyForFile }
    return epoch
  }

  var noKeyForFile: KeyError {
    KeyError(
      .keyringMismatch,
      "The keyring '\(file.path)' has no key for this file. It belongs to another vault or to "
        + "another copy of this one, or the file has had its own key since. Put the right "
        + "keyring next to the file, or open the file with its own key.")
  }

  /// Returns the key of the file with this salt.
  package func dataKey(of salt: FileSalt) throws(KeyError) -> SharedSecret {
    try keyring.dataKey(of: epoch(of: salt))
  }

  /// The epochs of files that can be next to this keyring: the current one and pending ones.
  var livingEpochs: [KeyringEpoch] { keyring.keyring.epochs.filter { $0.state != .retired } }

  /// Changes and stores the keyring, and returns the changed keyring.
  ///
  /// - Parameter change: A closure that changes the keyring.
  /// - Returns: The stored keyring.
  /// - Throws: `keyringChanged` if another process changed the keyring first; `keyringUnwritable`.
  package func storing(
    _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws(KeyError) -> UnlockedKeyring {
    var changed = keyring
    try change(&changed)
    try file.store(
      changed.keyring, replacing: keyring.keyring.generation, isSpareInUse: isSpareInUse)
    return UnlockedKeyring(file, keyring: changed)
  }
}
