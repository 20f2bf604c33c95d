import Foundation
import ObjectVaultEngine
public import ObjectVaultKeys

extension Vault {
  /// Encrypts the file under another key.
  ///
  /// A copy is made under the new key, in the file's own folder, which must have room for it. Every
  /// page of it is authenticated, its structure checked and its contents compared with the original;
  /// then it takes the place of the original. Until that moment the file opens with the old key, from
  /// then on with the new one; whatever happens on the way, nothing is lost. Cipher format and page
  /// size stay; the salt is new, also where the key is the same.
  ///
  /// This handle and every other one of this process go on working. Another process that has the file
  /// open keeps this from happening (`.busy`); one that opened it before and reads later is told
  /// `.replaced`.
  ///
  /// A keyring that the vault needs no more is renamed to `VAULT.keyring.retired`: copies of the vault
  /// that were made before may need it.
  ///
  /// - Parameters:
  ///   - newKey: What encrypts the file from now on.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Throws: ``VaultError``: `.noKey` and `.invalidKey` for a key that cannot be one, `.busy`,
  ///   `.diskFull`, `.readOnly`, `.cannotOpen`, `.invalidArgument` inside a transaction and for a file
  ///   with several names (hard links), `.damaged` where the copy did not come out as the original.
  ///   The original is kept then, under its old key.
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
    let oldKeyring = file.keyringFile
    try file.replaceFile("rekeyed") { opened in
      try progress(.beginning)
      var vault = vault
      vault.salt = opened.cipher.salt
      let target = try NewFileKey(
        newKey, forFileAt: path, format: opened.cipher.format, pageSize: opened.cipher.pageSize,
        vault: vault)
      return FileRewriting(
        source: opened.source(path), newKey: target, place: .ofSource, settings: configuration,
        progress: progress)
    }
    if let oldKeyring, file.keyringFile == nil { try? oldKeyring.retire() }
  }

  /// Encrypts the file under another key, without blocking the caller's thread. When the task is
  /// cancelled the original is kept.
  ///
  /// - Throws: as ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``, and `.cancelled`.
  public func rekey(
    to newKey: VaultKey, progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws {
    try await onLane(.write) { try self.rekey(to: newKey, progress: progress) }
  }

  /// Encrypts the file under a new data key of its keyring. No slot changes: who could open the vault
  /// still can.
  ///
  /// - Parameters:
  ///   - key: What opens the keyring; the vault's handle does not keep it open.
  ///   - revoking: Whether whoever is not named in `keeping` is to lose access for good: the keyring
  ///     gets a new master key too, and only these slots. A copy of the file that was made before
  ///     still opens for whoever could open it then.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Throws: ``VaultError``: `.invalidArgument` where the key is in no keyring, the keyring's errors,
  ///   and those of ``rekey(to:progress:)-(_,(RekeyProgress)->Void)``.
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
      var note: KeyringNote?
      try file.replaceFile("rekeyed") { opened in
        let rotation = try KeyringNote(
          rotating: unlocked, to: changed, format: opened.cipher.format,
          pageSize: opened.cipher.pageSize)
        note = rotation
        return FileRewriting(
          source: opened.source(path),
          newKey: NewFileKey(rotation, key: .keyring(key, at: keyringFile.path)),
          place: .ofSource, settings: configuration, progress: progress)
      }
      // An older keyring has no key for the file: the number is a second lock.
      if let note { try? file.noteKeyring(generation: note.facts.generation) }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Rotates the data key without blocking the caller's thread; see
  /// ``rotate(unlockedBy:keeping:progress:)-(_,_,(RekeyProgress)->Void)``.
  public func rotate(
    unlockedBy key: SlotKey, keeping slots: [SlotKey]? = nil,
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws {
    try await onLane(.write) {
      try self.rotate(unlockedBy: key, keeping: slots, progress: progress)
    }
  }

  /// Writes a copy of the vault as it is at this moment, encrypted and checked like a rekeyed file.
  /// Reading and writing go on meanwhile; what is written after the start is not in the copy.
  ///
  /// - Parameters:
  ///   - path: Where the copy is to be; nothing may be there.
  ///   - key: What encrypts the copy; the vault's own key unless given. The copy of a vault with a
  ///     keyring then gets one of its own, with the same slots: `PATH.keyring`. Temporary vaults and those
  ///     in memory have no key that anybody knows: give one.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: How the copy is encrypted.
  /// - Throws: ``VaultError``: `.invalidArgument` where something is at the path, `.diskFull`,
  ///   `.cannotOpen`, `.damaged` and the key's own. Nothing is left at the path then.
  @discardableResult
  public func backup(
    to path: String, key: VaultKey? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    try file().backup(to: path, key: key, settings: configuration, progress: progress)
  }

  /// Writes a copy without blocking the caller's thread; see
  /// ``backup(to:key:progress:)-(_,_,(RekeyProgress)->Void)``.
  @discardableResult
  public func backup(
    to path: String, key: VaultKey? = nil,
    progress: @escaping @Sendable (RekeyProgress) -> Void = { _ in }
  ) async throws -> CipherFacts {
    try await onLane(.read) {
      try self.backup(to: path, key: key, progress: progress)
    }
  }

  /// The keyring that the vault's key is in; `nil` where it is in none. Opens the file.
  public var keyring: VaultKeyring? {
    get throws {
      try file().keyringFile.map { try VaultKeyring(ofVaultAt: path, at: $0.path) }
    }
  }
}

extension VaultFile {
  /// Copies the file as it is committed; see ``Vault/backup(to:key:progress:)-(_,_,(RekeyProgress)->Void)``.
  func backup(
    to copy: String, key: VaultKey?, settings: VaultConfiguration,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    do {
      if key == nil, isInMemory || isTemporary {
        throw VaultError(
          .noKey,
          "The vault '\(path)' has no key that anybody knows, and its copy needs one. Give `key`.")
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
          progress: progress
        ).backup(to: copy, key: key)
      }
    } catch {
      throw VaultError.from(error, path: copy)
    }
  }
}

extension OpenedFile {
  /// The file as something to read for a copy.
  func source(_ path: String, isWritable: Bool = true) -> FileRewriting.Source {
    FileRewriting.Source(path: path, held: held, cipher: cipher, isWritable: isWritable)
  }
}

extension KeyringNote {
  /// A new data key in a keyring that is open, which may have changed otherwise.
  convenience init(
    rotating unlocked: UnlockedKeyring, to changed: OpenKeyring? = nil, format: CipherFormat,
    pageSize: Int
  ) throws(KeyError) {
    try self.init(
      unlocked.file, changed ?? unlocked.keyring, before: unlocked.keyring,
      stored: unlocked.keyring.keyring.generation, format: format, pageSize: pageSize)
  }
}

extension UnlockedKeyring {
  /// The keyring under a new master key, with these slots alone; as it is where none are given.
  func changed(keeping slots: [SlotKey]?) throws -> OpenKeyring {
    guard let slots else { return keyring }
    var kept: [(name: String, secret: SlotSecret)] = []
    for key in slots {
      guard let name = key.slot else {
        throw VaultError(.invalidArgument, "Say of each key that stays which slot it opens.")
      }
      let secret = try key.resolve()
      // A typing error must not become the new key.
      _ = try keyring.keyring.opened(with: secret, slot: name)
      kept.append((name, secret))
    }
    return try keyring.withNewMaster(
      // So many that a higher cost would be more work than a keyring may ask for.
      keeping: kept, cost: 2 * kept.count > Keyring.maximumSlots ? .standard : .calibrated)
  }
}
