import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultKeys

// Changes after which the vault rejects every older keyring.

extension VaultKeyring {
  /// Changes the keyring so that no older copy of it opens the vault any more.
  ///
  /// A process can be killed after it has stored the change and before the vault has recorded it.
  /// The same call then fails, because the slot does not exist or the present key opens none, and
  /// completes the record. No opening of the vault does so.
  ///
  /// - Parameters:
  ///   - done: The change, for the error of a vault that could not record it.
  ///   - present: A key that opens the keyring now.
  ///   - newKey: The key of the changed slot; `nil` if none gets another key.
  ///   - change: A closure that changes the keyring.
  /// - Throws: The errors of the key, of the change and of the vault.
  func changeForGood(
    _ done: String, unlockedBy present: SlotKey, or newKey: SlotKey? = nil,
    _ change: (inout OpenKeyring) throws(KeyError) -> Void
  ) throws {
    try mapping {
      try checkNotInTransaction()
      // If the vault cannot be written, its keyring must not be changed.
      let (unlocked, opened) = try unlockedForChange(by: present, or: newKey)
      let changed: UnlockedKeyring
      do throws(KeyError) {
        changed = try unlocked.storing(change)
      } catch {
        guard error.code == .noSuchSlot else { throw error }
        try opened.noteKeyring(generation: unlocked.keyring.keyring.generation)
        throw VaultError(error, path: path).recorded("")
      }
      do {
        try opened.noteKeyring(generation: changed.keyring.keyring.generation)
      } catch {
        // If this method throws, the keyring must be unchanged for the caller.
        if Self.isPutBack(unlocked, after: changed) { throw error }
        let reason = VaultError.from(error, path: vaultPath) as? VaultError
        throw VaultError(
          reason?.code ?? .inputOutput,
          "\(done.asSentence.dropLast()), but the vault cannot record the change, so an older copy "
            + "of the keyring still opens it. Fix the cause, then repeat the same change. "
            + (reason?.message ?? ""),
          underlying: error)
      }
    }
  }

  /// Returns the keyring that the present key unlocks, and the open vault.
  ///
  /// If it opens no slot, but the new key does, the vault records the generation of the keyring.
  private func unlockedForChange(
    by present: SlotKey, or newKey: SlotKey?
  ) throws -> (keyring: UnlockedKeyring, vault: VaultFile) {
    do {
      return try unlockedForChange(by: present)
    } catch let error as KeyError where error.code == .wrongKey {
      guard let newKey, let slot = try? recordGeneration(foundBy: newKey) else { throw error }
      throw VaultError(error, path: path)
        .recorded(" The new key already opens the slot '\(slot.name)'.")
    }
  }

  /// Records the generation of the keyring that a key opens, and returns the slot of the key.
  private func recordGeneration(foundBy key: SlotKey) throws -> Slot {
    let (unlocked, opened) = try unlockedForChange(by: key)
    try opened.noteKeyring(generation: unlocked.keyring.keyring.generation)
    return try Self.openedSlot(of: unlocked.keyring)
  }

  /// Restores the keyring as it was before a change, and returns whether that succeeded.
  private static func isPutBack(
    _ before: UnlockedKeyring, after changed: UnlockedKeyring
  ) -> Bool {
    do throws(KeyError) {
      _ = try changed.storing { keyring throws(KeyError) in
        keyring = try before.keyring.following(keyring.keyring.generation)
      }
      return true
    } catch {
      return false
    }
  }
}

extension VaultError {
  /// Returns the error of a change after which the vault has recorded the present keyring.
  fileprivate func recorded(_ fact: String) -> VaultError {
    var error = self
    error.message += fact + " No older copy of the keyring opens the vault any more."
    return error
  }
}
