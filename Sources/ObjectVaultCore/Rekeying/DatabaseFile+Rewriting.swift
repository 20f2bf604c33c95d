import Foundation
import ObjectVaultEngine
public import ObjectVaultKeys

extension DatabaseFile {
  /// Encrypts the file under another key; see ``Vault/rekey(to:progress:)-(_,(RekeyProgress)->Void)``
  /// for what happens. Settings that differ from the format's own stay, such as the rounds of a
  /// passphrase's derivation: the file's program goes on setting them.
  ///
  /// - Parameters:
  ///   - newKey: What encrypts the file from now on.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: How the file was, and is, encrypted.
  @discardableResult
  public func rekey(
    to newKey: VaultKey, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    let isForKeyring = newKey.keyringFile(besideVault: path) != nil
    return try whileOpen(isWritable: true, needsIdentity: isForKeyring, progress) { file in
      let cipher = try encrypted(file)
      let target = try NewFileKey(
        newKey, forFileAt: path, scheme: cipher.scheme, pageSize: cipher.pageSize,
        vault: file.vault)
      try rewrite(file, target, progress)
      if !isForKeyring, case .keyring(let unlocked)? = file.key { try? unlocked.file.retire() }
      return cipher.facts
    }
  }

  /// Encrypts the file under a new data key of its keyring; see
  /// ``Vault/rotate(unlockedBy:keeping:progress:)-(_,_,(RekeyProgress)->Void)``.
  ///
  /// - Parameters:
  ///   - slots: Where given, only these slots stay, under a new master key: each with its name.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  @discardableResult
  public func rotate(
    keeping slots: [SlotKey]? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    let rotated = try whileOpen(isWritable: true, progress) { file in
      let cipher = try encrypted(file)
      guard case .keyring(let unlocked)? = file.key else {
        throw VaultError.noDataKey(path)
      }
      let note = try KeyringNote(
        rotating: unlocked, to: try unlocked.changed(keeping: slots), format: cipher.format,
        pageSize: cipher.pageSize)
      try rewrite(file, NewFileKey(note), progress)
      return (facts: cipher.facts, keyring: note.unlocked)
    }
    // An older keyring has no key for the file: the number is a second lock.
    try? VaultKeyring.noteGeneration(of: rotated.keyring, inVaultAt: path)
    return rotated.facts
  }

  /// Encrypts a database in clear.
  ///
  /// In place, the old file's content is overwritten once the new one stands; what the file system or
  /// the disk keep of it elsewhere (snapshots, worn blocks, copies of editors) is out of reach.
  ///
  /// - Parameters:
  ///   - newKey: What encrypts it from now on.
  ///   - target: Where the encrypted file is to be; the original is kept then. `nil` is in place.
  ///   - format: The cipher format of the file.
  ///   - pageSize: The size of its pages in bytes; 4096 unless given.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: How the file is encrypted.
  /// - Throws: ``VaultError``: `.invalidArgument` for a file that is encrypted already, and where
  ///   something is at the target; otherwise as ``rekey(to:progress:)``.
  @discardableResult
  public func encrypt(
    with newKey: VaultKey, to target: String? = nil,
    format: VaultConfiguration.CipherFormat = .native, pageSize: Int? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    guard key == nil else {
      throw VaultError(.invalidArgument, "A file that has a key is encrypted already. Rekey it.")
    }
    let target = try target.map { try Vault.canonical($0) }
    let pageSize = try Self.knownPageSize(pageSize ?? 4096)
    return try whileOpen(isWritable: target == nil, needsIdentity: true, progress) { file in
      let newKey = try NewFileKey(
        newKey, forFileAt: target ?? path, format: format.format(on: try Engine.prove()),
        pageSize: pageSize, vault: file.vault)
      try rewrite(file, newKey, at: target.map { .free($0) } ?? .ofSource, progress)
      return newKey.cipher.facts
    }
  }

  /// Writes the content into a file in clear that only its owner may read. Whoever can read that file
  /// can read everything in it: remove it as soon as it is not needed.
  ///
  /// - Parameters:
  ///   - target: Where the file in clear is to be; nothing may be there.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  public func decrypt(
    to target: String, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    let target = try Vault.canonical(target)
    try whileOpen(isWritable: false, progress) { file in
      _ = try encrypted(file)
      try rewrite(file, nil, at: .free(target), progress)
    }
  }

  /// Brings the file into another cipher format or page size, under the same key.
  ///
  /// - Parameters:
  ///   - format: The newest that the engine writes, or the portable one, which every engine reads.
  ///   - pageSize: The size of its pages in bytes. Default: that of the file, at least 1024; for the
  ///     portable format 4096.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: How the file is encrypted now. Where it was so before, nothing is done.
  @discardableResult
  public func upgrade(
    to format: VaultConfiguration.CipherFormat = .native, pageSize: Int? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    let wantedSize = try pageSize.map(Self.knownPageSize)
    return try whileOpen(isWritable: true, progress) { file in
      let cipher = try encrypted(file)
      let wantedFormat = format.format(on: try Engine.prove())
      let scheme = CipherScheme(wantedFormat)
      let wanted = CipherFacts(
        scheme,
        pageSize: wantedSize
          ?? (format == .portable ? 4096 : max(cipher.pageSize, scheme.smallestPageSize)))
      if wanted == cipher.facts { return wanted }
      let target = try NewFileKey(
        sameAs: file.key, forFileAt: path, format: wantedFormat, pageSize: wanted.pageSize)
      try rewrite(file, target, progress)
      return target.cipher.facts
    }
  }

  /// Writes a copy of the file, encrypted and checked like a rekeyed one; see
  /// ``Vault/backup(to:key:progress:)-(_,_,(RekeyProgress)->Void)``.
  @discardableResult
  public func backup(
    to path: String, key newKey: VaultKey? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    try whileOpen(isWritable: false, progress) {
      try copy($0, progress).backup(to: path, key: newKey)
    }
  }

  /// Makes a vault of this file, which is a backup: copied, encrypted and checked like a rekeyed file.
  /// The backup stays.
  ///
  /// - Parameters:
  ///   - path: Where the vault is to be.
  ///   - isReplacing: Whether a file that is at the path may go. Nobody may have it open. A keyring
  ///     that it has stays in use where it belongs to the same vault, with the slots it has today.
  ///   - newKey: The vault's key; that of the backup unless given.
  ///   - progress: Told on the calling thread how far the work is; what it throws ends it.
  /// - Returns: How the vault is encrypted.
  @discardableResult
  public func restore(
    to path: String, replacing isReplacing: Bool = false, key newKey: VaultKey? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherFacts {
    try whileOpen(isWritable: false, progress) {
      try copy($0, progress).restore(to: path, replacing: isReplacing, key: newKey)
    }
  }

  // MARK: Parts

  private func copy(
    _ file: ProvedFile, _ progress: @escaping (RekeyProgress) throws -> Void
  ) throws -> DatabaseCopy {
    _ = try encrypted(file)
    return DatabaseCopy(
      source: file.source, resolved: file.key, slotKey: key?.slotKey, settings: settings,
      progress: progress)
  }

  private func encrypted(_ file: ProvedFile) throws -> FileCipher {
    guard let cipher = file.source.cipher else {
      throw VaultError(
        .notEncrypted, "'\(path)' was given without a key. Give its key, or encrypt it first.")
    }
    return cipher
  }

  private func rewrite(
    _ file: ProvedFile, _ newKey: NewFileKey?, at place: FileRewriting.Place = .ofSource,
    _ progress: @escaping (RekeyProgress) throws -> Void
  ) throws {
    try FileRewriting(
      source: file.source, newKey: newKey, place: place, settings: settings, progress: progress
    ).run()
  }
}

extension VaultError {
  /// There is nothing to rotate.
  static func noDataKey(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "'\(path)' has its key in no keyring, so that there is no data key to rotate. Rekey it.")
  }
}

extension NewFileKey {
  /// The same key with another salt; of a keyring another data key.
  convenience init(
    sameAs key: ResolvedKey?, forFileAt path: String, format: CipherFormat, pageSize: Int
  ) throws {
    guard let key else { throw VaultError(.noKey, "'\(path)' has no key.") }
    if case .keyring(let unlocked) = key {
      self.init(try KeyringNote(rotating: unlocked, format: format, pageSize: pageSize))
    } else {
      try self.init(
        VaultKey(key.withoutSalt), forFileAt: path, format: format, pageSize: pageSize)
    }
  }
}
