import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// Writes a database into a file of its own: a backup, or a vault from one.
struct DatabaseCopy {
  let source: FileRewriting.Source
  /// What opens the source.
  let resolved: ResolvedKey?
  /// What opened its keyring, where it has one.
  let slotKey: SlotKey?
  let settings: VaultConfiguration
  let progress: (RekeyProgress) throws -> Void

  /// - Parameter newKey: The copy's key; the source's unless given.
  func backup(to path: String, key newKey: VaultKey?) throws -> CipherFacts {
    let path = try Vault.canonical(path)
    return try write(at: path, .free(path), key: newKey)
  }

  /// - Parameters:
  ///   - isReplacing: Whether a file may be at the path, which is gone then.
  ///   - newKey: The vault's key; that of the backup unless given.
  func restore(to path: String, replacing isReplacing: Bool, key newKey: VaultKey?) throws
    -> CipherFacts
  {
    let path = try Vault.canonical(path)
    guard isReplacing, HeldFile.Identity(path: path) != nil else {
      return try write(at: path, .free(path), key: newKey)
    }
    guard HeldFile.Identity(path: path) != source.held?.identity else {
      throw VaultError(
        .invalidArgument, "'\(path)' is the backup itself. Give the path of the vault.")
    }
    return try HandleRegistry.whileOpening(path) {
      try DatabaseFile.checkNotOpen(path)
      let old = KeyringFile(besideVault: path)
      let facts = try write(at: path, .of(LockedFile(at: path)), key: newKey)
      // What is restored may have no use for the keyring that the old vault had.
      let isNeeded = newKey.map { $0.keyringFile(besideVault: path) != nil } ?? (slotKey != nil)
      if !isNeeded, old.exists { try? old.retire() }
      return facts
    }
  }

  private func write(
    at path: String, _ place: FileRewriting.Place, key newKey: VaultKey?
  ) throws -> CipherFacts {
    // Before a keyring is opened or a passphrase stretched.
    try RewritingPreconditions(destination: path, size: source.size).check(place)
    let target = try self.newKey(at: path, given: newKey)
    try FileRewriting(
      source: source, newKey: target, place: place, settings: settings, progress: progress
    ).run()
    return target.cipher.facts
  }

  private func newKey(at path: String, given: VaultKey?) throws -> NewFileKey {
    let inMemory = try source.memory.map {
      try (format: $0.format(settings), pageSize: $0.pageSize)
    }
    guard let format = source.cipher?.format ?? inMemory?.format,
      let pageSize = source.cipher?.pageSize ?? inMemory?.pageSize
    else {
      throw VaultError(.notEncrypted, "'\(source.path)' is in clear. Encrypt it first.")
    }
    let beside = KeyringFile(besideVault: path)
    var wanted = given
    if wanted == nil, case .keyring(let unlocked)? = resolved {
      let salt = try HeldFile.salt(ofFileAt: path)
      let isInUse = try beside.exists && !beside.read().keyring.isNeverFinished(beside: salt)
      guard isInUse, let slotKey else {
        return try NewFileKey(
          copying: unlocked, beside: beside, inPlaceOf: salt, format: format, pageSize: pageSize)
      }
      // A keyring that is there stays in use, with the slots that it has today.
      wanted = .keyring(slotKey)
    }
    guard let key = wanted ?? resolved.map({ VaultKey($0.withoutSalt) }) else {
      throw VaultError(.noKey, "'\(path)' needs a key.")
    }
    return try NewFileKey(
      key, forFileAt: path, format: format, pageSize: pageSize,
      vault: try source.identity(settings))
  }
}
