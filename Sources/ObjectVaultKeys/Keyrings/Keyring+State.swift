/// The relation of a keyring to the file next to it, as detected without a key.
public enum KeyringState: String, Sendable, Hashable, CaseIterable {
  /// The keyring has the key that encrypts the file.
  case matches
  /// A rotation was interrupted.
  ///
  /// The file is still encrypted with its old data key, which older keyrings and slots removed
  /// since then can open. Run the rotation again.
  case unfinishedRotation
  /// The keyring was created for a file that was never finished; the file has its own key.
  case neverFinished
  /// The keyring has no key of the file.
  ///
  /// It belongs to another file, or the file was given its own key later.
  case ofAnotherFile
}

extension Keyring {
  /// Returns the relation of the keyring to a file, without authenticating either.
  ///
  /// - Parameter salt: The first 16 bytes of the file.
  /// - Returns: The relation.
  package func state(beside salt: FileSalt) -> KeyringState {
    if let epoch = epoch(of: salt) {
      // The next opening records a pending key of the file itself.
      let isInterrupted = epoch.state == .current && epochs.contains { $0.state == .pending }
      return isInterrupted ? .unfinishedRotation : .matches
    }
    return isNeverFinished(beside: salt) ? .neverFinished : .ofAnotherFile
  }

  /// Returns whether the keyring was created for a file that never reached its place.
  ///
  /// - Parameter salt: The salt of the file that is there now; `nil` if there is none.
  /// - Returns: Whether all epochs are pending and have other salts.
  package func isNeverFinished(beside salt: FileSalt?) -> Bool {
    epochs.allSatisfy { $0.state == .pending && $0.salt != salt }
  }
}
