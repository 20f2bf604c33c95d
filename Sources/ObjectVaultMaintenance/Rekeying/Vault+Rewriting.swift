import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
public import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

extension Vault {
  /// Encrypts the file with another key.
  ///
  /// A copy with the new key is made in the folder of the file, which must have room for it. Every
  /// page of the copy is authenticated, its structure is checked and its contents are compared with
  /// the original. Then the copy replaces the original. Until that moment the file opens with the
  /// old key, and from then on with the new one. An interruption at any time loses nothing. The
  /// cipher format and the page size are retained. The salt is always new, even if the key is the
  /// same.
  ///
  /// All handles of this process continue to work. If another process has the file open, the method
  /// throws `.busy`. A process that opened the file earlier and reads it later gets `.replaced`.
  ///
  /// If the vault does not need its keyring any more, the keyring is renamed to
  /// `VAULT.keyring.retired`, because earlier copies of the vault may still need it. A new keyring
  /// gets the sealing keys of the present one.
  ///
  /// ```swift
  /// try vault.rekey(to: .passphrase("new words"))
  /// ```
  ///
  /// - Parameters:
  ///   - newKey: The new key of the file.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Throws: ``VaultError``: `.noKey` and `.invalidKey` for an invalid key, `.busy`, `.diskFull`,
  ///   `.readOnly`, `.cannotOpen`, `.invalidArgument` inside a transaction, for a file with several
  ///   names (hard links), and for values that are sealed under keys of the keyring and would be
  ///   left without them, `.damaged` if the copy differs from the original. The original is
  ///   retained then, with its old key.
  public func rekey(
    to newKey: VaultKey, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    do {
      try newKey.validate()
    } catch {
      throw VaultError(error, path: path)
    }
    let file = try file()
    if file.isInMemory { throw VaultError.inMemory(path) }
    let vault = try file.read { try SystemTables($0).identity }
    let old = file.opened?.keyring
    try file.replaceFile("rekeyed") { opened in
      try progress(.beginning)
      var vault = vault
      vault.salt = opened.cipher.salt
      vault.sealingKeys = opened.keyring?.sealingKeys
      let target = try NewFileKey(
        newKey, forFileAt: path, scheme: opened.cipher.standardScheme,
        pageSize: opened.cipher.pageSize, vault: vault)
      var rewriting = FileRewriting(
        source: opened.source(path), newKey: target, place: .ofSource, settings: configuration,
        progress: progress)
      rewriting.sealingKeys = vault.sealingKeys
      return rewriting
    }
    if let old, file.keyringFile == nil { try? old.file.retire(isSpareInUse: old.isSpare) }
  }

  /// Encrypts the file with another key without blocking the caller's thread.
  ///
  /// If the task is cancelled, the original is retained.
  ///
  /// - Parameters:
  ///   - newKey: The new key of the file.
  ///   - progress: Receives the progress.
  /// - Throws: The errors of ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``, and `.cancelled`.
  public func rekey(
    to newKey: VaultKey, progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws {
    try await onExecutor(.write) { try self.rekey(to: newKey, progress: progress) }
  }

  /// Encrypts the file with a new data key of its keyring.
  ///
  /// The slots do not change unless `keeping` is given: every slot key that opened the vault still
  /// opens it.
  ///
  /// If `keeping` omits the slot of `key`, the handles of this process use the first key of
  /// `keeping` that opens a slot from then on, for example to write a backup.
  ///
  /// - Parameters:
  ///   - key: A key that opens the keyring. The vault's handle does not keep the keyring open.
  ///   - slots: If given, all other slots lose access for good: the keyring gets a new master key
  ///     and only these slots. An earlier copy of the file still opens with the keys that it had
  ///     then.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Throws: ``VaultError``: `.invalidArgument` if the vault has no keyring, the errors of the
  ///   keyring, and the errors of ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``.
  public func rotate(
    unlockedBy key: SlotKey, keeping slots: [SlotKey]? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    let file = try file()
    guard let keyringFile = file.keyringFile else {
      throw VaultError.noDataKey(path)
    }
    do {
      try progress(.beginning)
      let unlocked = try UnlockedKeyring(keyringFile, key: key)
      let changed = try unlocked.changed(keeping: slots)
      let laterKey = unlocked.key(key, after: changed, keeping: slots)
      var note: KeyringNote?
      try file.replaceFile("rekeyed") { opened in
        let rotation = try KeyringNote(
          rotating: unlocked, to: changed, ofFileWith: opened.cipher.salt,
          scheme: opened.cipher.scheme, pageSize: opened.cipher.pageSize)
        note = rotation
        return FileRewriting(
          source: opened.source(path),
          newKey: NewFileKey(rotation, key: .keyring(laterKey, at: keyringFile.path)),
          place: .ofSource, settings: configuration, progress: progress)
      }
      // An older keyring has no key for the file. The recorded generation is a second protection.
      if let note { try? file.noteKeyring(generation: note.generation) }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Rotates the data key without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - key: A key that opens the keyring.
  ///   - slots: If given, all other slots lose access for good.
  ///   - progress: Receives the progress.
  /// - Throws: The errors of ``rotate(unlockedBy:keeping:progress:)-(_,_,(RekeyProgress)->Void)``,
  ///   and `.cancelled`.
  public func rotate(
    unlockedBy key: SlotKey, keeping slots: [SlotKey]? = nil,
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws {
    try await onExecutor(.write) {
      try self.rotate(unlockedBy: key, keeping: slots, progress: progress)
    }
  }

  /// Writes a backup of the vault in its present state, encrypted and verified like a rekeyed file.
  ///
  /// Reading and writing can continue during the backup. Changes after its start are not part of
  /// the copy.
  ///
  /// - Parameters:
  ///   - path: The path of the backup. No file may exist there.
  ///   - key: The key of the backup, or `nil` for the vault's own key. In the latter case, the
  ///     backup of a vault with a keyring gets its own keyring with the same slots, `PATH.keyring`.
  ///     A keyring that was left there is not used, because it may have slots that were removed.
  ///     Temporary and in-memory vaults have random keys that are never disclosed, so they require
  ///     a key here.
  ///   - omitsSealingKeys: Whether `key` does not get the sealing keys of the vault's keyring. Values
  ///     that are sealed under them can then be read only with those keys in the configuration. By
  ///     default, a new keyring gets them, and a key without a keyring is rejected if there are such
  ///     values.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The encryption of the backup.
  /// - Throws: ``VaultError``: `.invalidArgument` if a file exists at the path, the backup's keyring
  ///   exists or the key would leave sealed values without their keys, `.noKey` if a key is
  ///   required, `.diskFull`, `.cannotOpen`, `.damaged` and the errors of the key. No file is left
  ///   at the path then.
  @discardableResult
  public func backup(
    to path: String, key: VaultKey? = nil, omittingSealingKeys omitsSealingKeys: Bool = false,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    try file().backup(
      to: path, key: key, omittingSealingKeys: omitsSealingKeys, settings: configuration,
      progress: progress)
  }

  /// Writes a backup without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - path: The path of the backup. No file may exist there.
  ///   - key: The key of the backup, or `nil` for the vault's own key.
  ///   - omitsSealingKeys: Whether `key` does not get the sealing keys of the vault's keyring.
  ///   - progress: Receives the progress.
  /// - Returns: The encryption of the backup.
  /// - Throws: The errors of
  ///   ``backup(to:key:omittingSealingKeys:progress:)-(_,_,_,(RekeyProgress)->Void)``, and
  ///   `.cancelled`.
  @discardableResult
  public func backup(
    to path: String, key: VaultKey? = nil, omittingSealingKeys omitsSealingKeys: Bool = false,
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws -> CipherInfo {
    try await onExecutor(.read) {
      try self.backup(
        to: path, key: key, omittingSealingKeys: omitsSealingKeys, progress: progress)
    }
  }

  /// Returns the keyring that holds the vault's key, or `nil` if the vault has no keyring.
  ///
  /// Opens the file of the vault if it is not open.
  ///
  /// - Throws: ``VaultError``: the errors of opening, and those of
  ///   ``VaultKeyring/init(ofVaultAt:at:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func openKeyring() throws -> VaultKeyring? {
    try file().keyringFile.map { try VaultKeyring(ofVaultAt: path, at: $0.path) }
  }
}

extension VaultFile {
  /// Writes a backup of the committed contents.
  ///
  /// ``Vault/backup(to:key:omittingSealingKeys:progress:)-(_,_,_,(RekeyProgress)->Void)`` describes
  /// the steps.
  func backup(
    to copy: String, key: VaultKey?, omittingSealingKeys omitsSealingKeys: Bool = false,
    settings: VaultConfiguration,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    do {
      if key == nil, isInMemory || isTemporary {
        throw VaultError(
          .noKey,
          "The vault '\(path)' is temporary or in memory, so its copy needs its own key. Pass "
            + "`key`.")
      }
      try progress(.beginning)
      if isInMemory {
        return try DatabaseCopy(
          source: memorySource(), resolved: nil, slotKey: nil, settings: settings,
          progress: progress
        ).backup(to: copy, key: key)
      }
      return try withOpened { opened in
        try DatabaseCopy(
          source: opened.source(path, isWritable: false),
          resolved: try opened.key.resolve(besideVault: path), slotKey: nil, settings: settings,
          omitsSealingKeys: omitsSealingKeys, progress: progress
        ).backup(to: copy, key: key)
      }
    } catch {
      throw VaultError.from(error, path: copy)
    }
  }
}

extension OpenedFile {
  /// Returns the file as the source of a copy.
  func source(_ path: String, isWritable: Bool = true) -> FileRewriting.Source {
    FileRewriting.Source(path: path, held: held, cipher: cipher, isWritable: isWritable)
  }
}

extension KeyringNote {
  /// Creates a new data key in an open keyring, which may contain other changes.
  ///
  /// - Parameters:
  ///   - unlocked: The present keyring.
  ///   - changed: The keyring with other changes, or `nil` if there are none.
  ///   - salt: The salt of the present file.
  ///   - scheme: The cipher settings of the new file.
  ///   - pageSize: The page size of the new file.
  /// - Throws: ``KeyError`` if the data key cannot be generated or encrypted.
  convenience init(
    rotating unlocked: UnlockedKeyring, to changed: OpenKeyring? = nil, ofFileWith salt: FileSalt,
    scheme: CipherScheme, pageSize: Int
  ) throws(KeyError) {
    try self.init(
      unlocked.file, changed ?? unlocked.keyring, before: unlocked.keyring,
      stored: unlocked.keyring.keyring.generation, scheme: scheme, pageSize: pageSize,
      vault: VaultIdentity(salt: salt), isSpareInUse: unlocked.isSpareInUse)
  }
}

extension UnlockedKeyring {
  /// Returns the keyring with a new master key and only the given slots, or unchanged if `slots` is
  /// `nil`.
  func changed(keeping slots: [SlotKey]?) throws -> OpenKeyring {
    guard let slots else { return keyring }
    var kept: [(name: String, secret: SlotSecret)] = []
    for key in slots {
      guard let name = key.slot else {
        throw VaultError(
          .invalidArgument, "A key to keep has no slot name. Specify which slot each key opens.")
      }
      let secret = try key.resolve()
      // Check that the secret opens its slot: a typing error must not become the new key.
      try keyring.keyring.check(secret, ofSlot: name)
      kept.append((name, secret))
    }
    return try keyring.withNewMaster(keeping: kept, cost: try .chosen(for: kept.map(\.secret)))
  }

  /// Returns the key that opens the keyring after a change.
  ///
  /// - Parameters:
  ///   - key: The key that opened the keyring.
  ///   - changed: The changed keyring.
  ///   - slots: The keys of the slots that remain; `nil` if all remain.
  /// - Returns: `key` if its slot remains or no other key opens a slot; otherwise the first of
  ///   `slots` that does.
  func key(
    _ key: SlotKey, after changed: OpenKeyring, keeping slots: [SlotKey]?
  ) -> SlotKey {
    guard let slots, !changed.keyring.slots.contains(where: { $0.id == keyring.slotID }) else {
      return key
    }
    return slots.first { !$0.isPublic } ?? key
  }
}
