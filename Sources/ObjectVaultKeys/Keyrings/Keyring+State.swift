/// How a keyring and the file beside it go together, as far as that shows without a key.
public enum KeyringState: String, Sendable, Hashable, CaseIterable {
  /// The keyring has the key that the file is encrypted with.
  case matches
  /// A rotation was interrupted: the file is still encrypted under its old data key, which older
  /// keyrings and slots that were removed since open. Run the rotation again.
  case unfinishedRotation
  /// The keyring was made for a file that was never finished. The file has a key of its own.
  case neverFinished
  /// The keyring has no key of the file: it belongs to another file, or the file was given a key of its
  /// own since.
  case ofAnotherFile
}

extension Keyring {
  /// How the keyring and a file go together. Nothing of it is authenticated.
  ///
  /// - Parameter salt: The first 16 bytes of the file.
  package func state(beside salt: FileSalt) -> KeyringState {
    if let epoch = epoch(of: salt) {
      // A pending key of the file itself is noted by the next opening.
      let isInterrupted = epoch.state == .current && epochs.contains { $0.state == .pending }
      return isInterrupted ? .unfinishedRotation : .matches
    }
    return isNeverFinished(beside: salt) ? .neverFinished : .ofAnotherFile
  }

  /// Whether it was made for a file that never got its place.
  ///
  /// - Parameter salt: The salt of the file that is there now; `nil` if there is none.
  package func isNeverFinished(beside salt: FileSalt?) -> Bool {
    epochs.allSatisfy { $0.state == .pending && $0.salt != salt }
  }
}
