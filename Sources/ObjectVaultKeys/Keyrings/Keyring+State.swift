/// The relation of a keyring to the file next to it, as detected without a key.
public enum KeyringState: String, Sendable, Hashable, CaseIterable {
  /// The keyring has the key that encrypts the file.
  case matches
  /// A rotation was interrupted.
  ///
  /// The file is still encrypted with its old data key, which older keyrings and slots removed
  /// since then can open. Rotate the data key again. The slots and the master key are already the
  /// new ones.
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
  /// The start of a file with a plaintext header does not show the epoch of the file. If the keyring
  /// has a current and a pending epoch of such a file, a rotation counts as interrupted.
  ///
  /// - Parameter start: The first bytes of the file.
  /// - Returns: The relation.
  package func state(beside start: FileStart) -> KeyringState {
    if let epoch = epoch(beside: start) { return state(in: epoch) }
    return isNeverFinished(beside: start) ? .neverFinished : .ofAnotherFile
  }

  /// Returns the relation of the keyring to the file with this salt, without authenticating either.
  ///
  /// - Parameter salt: The salt of the file, which a key proved.
  /// - Returns: The relation.
  package func state(ofFileWith salt: FileSalt) -> KeyringState {
    epoch(of: salt).map(state) ?? .ofAnotherFile
  }

  private func state(in epoch: KeyringEpoch) -> KeyringState {
    // The next opening records a pending key of the file itself.
    let isInterrupted = epoch.state == .current && epochs.contains { $0.state == .pending }
    return isInterrupted ? .unfinishedRotation : .matches
  }

  /// Returns an epoch that a file with this start can have, the current one first.
  package func epoch(beside start: FileStart) -> KeyringEpoch? {
    switch start {
    case .salt(let salt): return epoch(ofFileBeginningWith: salt)
    case .plaintextHeader:
      let candidates = epochs.filter { $0.header == .plaintext }
      return candidates.first { $0.state == .current } ?? candidates.first { $0.state == .pending }
        ?? candidates.last
    }
  }

  /// Returns whether the keyring was created for a file that never reached its place.
  ///
  /// - Parameter start: The first bytes of the file that is there now; `nil` if there is none.
  /// - Returns: Whether all epochs are pending and are not of that file.
  package func isNeverFinished(beside start: FileStart?) -> Bool {
    epochs.allSatisfy { $0.state == .pending } && start.flatMap { epoch(beside: $0) } == nil
  }
}
