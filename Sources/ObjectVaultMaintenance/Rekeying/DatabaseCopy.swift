import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys

/// A copy of a database in a new file: a backup, or a vault restored from one.
struct DatabaseCopy {
  let source: FileRewriting.Source
  /// The key that opens the source.
  let resolved: ResolvedKey?
  /// The slot key that opened the source's keyring, or `nil` without a keyring.
  let slotKey: SlotKey?
  let settings: VaultConfiguration
  /// Whether another key of the copy does not get the sealing keys of the source's keyring.
  var omitsSealingKeys = false
  let progress: (RekeyProgress) throws -> Void

  /// The file that a copy is written to.
  private struct Destination {
    let path: String
    let place: FileRewriting.Place
    /// Whether a keyring that is in use at the path stays in use, with its current slots.
    let mayReuseKeyring: Bool

    init(_ path: String, _ place: FileRewriting.Place, mayReuseKeyring: Bool) {
      self.path = path
      self.place = place
      self.mayReuseKeyring = mayReuseKeyring
    }
  }

  /// Writes a backup.
  ///
  /// Its key is the key of the source unless `newKey` is given.
  func backup(to path: String, key newKey: VaultKey?) throws -> CipherInfo {
    let path = try Vault.canonical(path)
    return try write(to: Destination(path, .free(path), mayReuseKeyring: false), key: newKey)
  }

  /// Restores a vault from the backup.
  ///
  /// - Parameters:
  ///   - path: The path of the vault.
  ///   - isReplacing: Whether an existing file at the path is replaced.
  ///   - newKey: The vault's key, or `nil` for the key of the backup.
  /// - Returns: The encryption of the restored vault.
  /// - Throws: ``VaultError``: `.invalidArgument` if the path is the backup itself or a file that
  ///   belongs to it, and the errors of the copy.
  func restore(to path: String, replacing isReplacing: Bool, key newKey: VaultKey?) throws
    -> CipherInfo
  {
    let path = try Vault.canonical(path)
    guard isReplacing, HeldFile.Identity(path: path) != nil else {
      return try write(to: Destination(path, .free(path), mayReuseKeyring: true), key: newKey)
    }
    try CompanionFile.refuse(path)
    guard !isPartOfSource(path) else {
      throw VaultError(
        .invalidArgument, "'\(path)' is the backup itself. Pass the path of the vault.")
    }
    return try HandleRegistry.whileOpening(path) {
      try DatabaseFile.checkNotOpen(path)
      try DatabaseFile.waitUntilClosed(path, within: settings.busyTimeout)
      try LogsAside.restore(of: path)
      let old = KeyringFile(besideVault: path)
      let place = FileRewriting.Place.of(try LockedFile(at: path))
      let facts = try write(to: Destination(path, place, mayReuseKeyring: true), key: newKey)
      // The restored vault may not need the keyring of the old vault.
      let isNeeded = newKey.map { $0.keyringFile(besideVault: path) != nil } ?? (slotKey != nil)
      if !isNeeded, old.exists { try? old.retire() }
      return facts
    }
  }

  /// Returns whether the path of an existing file leads to the source or its keyring.
  private func isPartOfSource(_ path: String) -> Bool {
    var parts = [source.held?.identity]
    if case .keyring(let unlocked)? = resolved {
      parts += [unlocked.file.path, unlocked.file.sparePath].map(HeldFile.Identity.init(path:))
    }
    return parts.contains(HeldFile.Identity(path: path))
  }

  private func write(to copy: Destination, key newKey: VaultKey?) throws -> CipherInfo {
    // Check this before a keyring is opened or a passphrase is stretched.
    try RewritingPreconditions(destination: copy.path, size: source.size).check(copy.place)
    let sealingKeys = try self.sealingKeys(given: newKey)
    let target = try self.newKey(of: copy, given: newKey, sealingKeys)
    if case .of(let file) = copy.place, let keyring = target.changedKeyring {
      try file.vaultIdentity(openedBy: keyring)?.check(keyring, path: copy.path)
    }
    try FileRewriting(
      source: source, newKey: target, place: copy.place, settings: settings, progress: progress,
      sealingKeys: sealingKeys
    ).run()
    return target.cipher.info
  }

  /// Returns the sealing keys of the source's keyring, unless the copy does not get them.
  ///
  /// - Throws: `.invalidArgument` if the copy has the keyring itself, which contains them.
  private func sealingKeys(given newKey: VaultKey?) throws -> SealingKeys? {
    guard let keyring = try resolved?.keyringFacts() else { return nil }
    guard omitsSealingKeys else { return keyring.sealingKeys }
    if newKey != nil { return nil }
    throw VaultError.keepsSealingKeys(source.path)
  }

  private func newKey(
    of copy: Destination, given: VaultKey?, _ sealingKeys: SealingKeys?
  ) throws -> NewFileKey {
    let inMemory = try source.memory.map {
      try (format: $0.format(settings), pageSize: $0.pageSize)
    }
    guard var scheme = source.cipher?.standardScheme ?? inMemory.map({ CipherScheme($0.format) }),
      let pageSize = source.cipher?.pageSize ?? inMemory?.pageSize
    else {
      throw VaultError(.notEncrypted, "'\(source.path)' is unencrypted. Encrypt it first.")
    }
    let path = copy.path
    let beside = KeyringFile(besideVault: path)
    try checkOwnKeyring(given.map { $0.keyringFile(besideVault: path) } ?? beside, copy.place)
    let start = try copy.place.start
    var wanted = given
    if !copy.mayReuseKeyring, let file = given?.keyringFile(besideVault: path) {
      try file.checkUnused(beside: start)
    }
    if wanted == nil, case .keyring(let unlocked)? = resolved {
      if !copy.mayReuseKeyring { try beside.checkUnused(beside: start) }
      let isInUse = try beside.isInUse(beside: start)
      guard isInUse, let slotKey else {
        return try NewFileKey(
          copying: unlocked, beside: beside, inPlaceOf: start, scheme: scheme, pageSize: pageSize)
      }
      // An existing keyring stays in use, with its current slots.
      wanted = .keyring(slotKey)
    }
    guard let key = wanted ?? resolved.map({ VaultKey($0.withoutSalt) }) else {
      throw VaultError(.noKey, "'\(path)' needs a key. Provide one.")
    }
    // Without a keyring, the salt must be in the file.
    if key.keyringFile(besideVault: path) == nil { scheme.header = .encrypted }
    var vault = try source.identity(settings)
    vault.replacedStart = start
    vault.sealingKeys = sealingKeys
    do {
      return try NewFileKey(
        key, forFileAt: path, scheme: scheme, pageSize: pageSize, vault: vault)
    } catch let error as KeyError
      where given == nil && wanted != nil && [.wrongKey, .noSuchSlot].contains(error.code)
    {
      throw VaultError.opensOnlyBackup(source.path, error, keyring: beside)
    }
  }
}

extension DatabaseCopy {
  /// Checks that a copy in addition to its original gets another keyring.
  ///
  /// The key of the copy would become the current one in the keyring of the original, which drops
  /// its oldest keys.
  ///
  /// - Throws: `.invalidArgument` if the keyring of the copy is that of the original.
  private func checkOwnKeyring(_ file: KeyringFile?, _ place: FileRewriting.Place) throws {
    if case .of = place { return }
    guard let file, case .keyring(let unlocked)? = resolved, file.isSame(as: unlocked.file) else {
      return
    }
    throw VaultError(
      .invalidArgument,
      "'\(file.path)' is the keyring of '\(source.path)'. A copy needs its own.")
  }
}

extension VaultError {
  /// Returns the error for a key that opens a backup, but not the keyring of the restored vault.
  fileprivate static func opensOnlyBackup(
    _ path: String, _ error: KeyError, keyring: KeyringFile
  ) -> VaultError {
    var rejection = VaultError(error, path: path)
    rejection.message =
      "The key opens the backup '\(path)', but no slot of '\(keyring.path)', which stays in use: "
      + "its slots were changed since the backup. Use the key of a slot that was not changed, or "
      + "restore the backup to another path, where the vault gets the slots of the backup."
    return rejection
  }

  /// Returns the error for a copy without sealing keys that would have the keyring of its original.
  static func keepsSealingKeys(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "The copy of '\(path)' would have its keyring, which contains the sealing keys. Use another "
        + "key for the copy.")
  }
}

extension LockedFile {
  /// Returns the identity of the vault in the file, or `nil` if the keyring does not open the file
  /// or the file is too damaged.
  ///
  /// The file is read without the engine, because closing a connection would drop the lock.
  fileprivate func vaultIdentity(openedBy keyring: UnlockedKeyring) throws -> VaultIdentity? {
    let formats = try Engine.prove().formatsToTry(from: .format2)
    let read: StoredPages.Reader = { offset, count in try self.read(at: offset, count: count) }
    do {
      let encryption = try FileEncryption(
        examining: path, size: size, key: .keyring(keyring),
        recogniser: FormatRecogniser(formats: formats), read: read)
      let pages = try encryption.pages(of: path, size: size, usesJournal: true, read: read)
      return try LostClasses.identity(in: pages, StoredSchema(pages))
    } catch is KeyError {
      return nil
    } catch let error as VaultError where error.code == .damaged {
      return nil
    }
  }
}

extension KeyringFile {
  /// Returns whether a keyring exists that was not created for a file that was never finished.
  fileprivate func isInUse(beside start: FileStart?) throws(KeyError) -> Bool {
    guard exists else { return false }
    return try !read().keyring.isNeverFinished(beside: start)
  }

  /// Checks that a new keyring can be created.
  ///
  /// The slots of a keyring that was left at the path may have been removed from the vault since,
  /// and would open the copy.
  ///
  /// - Parameter start: The first bytes of the file that is now at the path of the copy; `nil` if
  ///   there is none.
  /// - Throws: `.invalidArgument` if a keyring in use exists; the errors of reading it.
  func checkUnused(beside start: FileStart?) throws {
    guard try isInUse(beside: start) else { return }
    throw VaultError(
      .invalidArgument,
      "'\(path)' already exists and was left unchanged. Move it away, or choose another path.")
  }
}

extension FileRewriting.Place {
  /// The first bytes of the locked file that is replaced; `nil` if there is none.
  fileprivate var start: FileStart? {
    get throws(VaultError) {
      guard case .of(let file) = self else { return nil }
      return try file.start
    }
  }
}
