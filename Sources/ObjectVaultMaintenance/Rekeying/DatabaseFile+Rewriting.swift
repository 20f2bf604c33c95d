import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
public import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession

extension DatabaseFile {
  /// Encrypts the file with another key.
  ///
  /// ``Vault/rekey(to:progress:)-(_,(RekeyProgress)->Void)`` describes the steps. Settings that
  /// differ from the defaults of the format are retained, such as the rounds of the passphrase
  /// derivation, because the program that uses the file continues to set them.
  ///
  /// - Parameters:
  ///   - newKey: The new key of the file.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The encryption settings of the file, which do not change.
  /// - Throws: ``VaultError``: the errors of
  ///   ``Vault/rekey(to:progress:)-(_,(RekeyProgress)->Void)``, `.wrongKey` and the other errors of
  ///   opening the file; any error of `progress`.
  @discardableResult
  public func rekey(
    to newKey: VaultKey, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    let isForKeyring = newKey.keyringFile(besideVault: path) != nil
    return try whileOpen(isWritable: true, needsIdentity: isForKeyring, progress) { file in
      let cipher = try encrypted(file)
      var vault = file.vault
      vault.sealingKeys = try file.key?.keyringFacts()?.sealingKeys
      let target = try NewFileKey(
        newKey, forFileAt: path, scheme: cipher.scheme, pageSize: cipher.pageSize, vault: vault)
      try rewrite(file, target, sealingKeys: vault.sealingKeys, progress)
      if !isForKeyring, case .keyring(let unlocked)? = file.key {
        try? unlocked.file.retire(isSpareInUse: unlocked.isSpareInUse)
      }
      return cipher.info
    }
  }

  /// Encrypts the file with a new data key of its keyring.
  ///
  /// ``Vault/rotate(unlockedBy:keeping:progress:)-(_,_,(RekeyProgress)->Void)`` describes the
  /// steps.
  ///
  /// - Parameters:
  ///   - slots: If given, only these slots remain, each with its name, under a new master key.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The encryption of the file.
  /// - Throws: ``VaultError``: `.invalidArgument` for a file without a keyring; otherwise as
  ///   ``rekey(to:progress:)``.
  @discardableResult
  public func rotate(
    keeping slots: [SlotKey]? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    try rotate(keeping: slots, of: nil, progress: progress)
  }

  /// Encrypts the file with a new data key if the keyring still has the expected slots.
  ///
  /// - Parameters:
  ///   - slots: If given, only these slots remain.
  ///   - present: The slots that the keyring must have now, or `nil` for any.
  ///   - progress: Receives the progress.
  /// - Returns: The encryption of the file.
  /// - Throws: `.busy` if the keyring has other slots; otherwise as ``rotate(keeping:progress:)``.
  package func rotate(
    keeping slots: [SlotKey]?, of present: [VaultKeyring.Slot]?,
    progress: @escaping (RekeyProgress) throws -> Void
  ) throws -> CipherInfo {
    let rotated = try whileOpen(isWritable: true, progress) { file in
      let cipher = try encrypted(file)
      guard case .keyring(let unlocked)? = file.key else {
        throw VaultError.noDataKey(path)
      }
      // If the slots change from now on, the keyring cannot be stored.
      if let present, unlocked.keyring.keyring.slots.map({ VaultKeyring.Slot($0) }) != present {
        throw VaultError(
          .busy,
          "The slots of '\(unlocked.file.path)' changed in the meantime. Nothing was done; try again."
        )
      }
      let note = try KeyringNote(
        rotating: unlocked, to: try unlocked.changed(keeping: slots), ofFileWith: cipher.salt,
        scheme: cipher.scheme, pageSize: cipher.pageSize)
      try rewrite(file, NewFileKey(note), progress)
      return (info: cipher.info, keyring: note.unlocked)
    }
    // An older keyring has no key for the file. The recorded generation is a second protection.
    try? VaultKeyring.noteGeneration(of: rotated.keyring, inVaultAt: path)
    return rotated.info
  }

  /// Encrypts an unencrypted database.
  ///
  /// In place, the contents of the old file are overwritten after the new file is in its place. If
  /// that fails, the method throws `.inputOutput`, and the file is encrypted nevertheless.
  /// Copies that the file system or the disk has elsewhere (snapshots, worn blocks, copies of
  /// editors) cannot be overwritten.
  ///
  /// - Parameters:
  ///   - newKey: The key of the encrypted file.
  ///   - target: The path of the encrypted file; the original is retained then. If `nil`, the file
  ///     is encrypted in place.
  ///   - format: The cipher format of the encrypted file.
  ///   - pageSize: The page size of the encrypted file in bytes; 4096 if `nil`.
  ///   - header: The form of the first bytes of the encrypted file. A plaintext header requires a
  ///     keyring key.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The encryption of the file.
  /// - Throws: ``VaultError``: `.invalidArgument` for a file that is already encrypted, and if a
  ///   file exists at the target; otherwise as ``rekey(to:progress:)``.
  @discardableResult
  public func encrypt(
    with newKey: VaultKey, to target: String? = nil,
    format: VaultConfiguration.CipherFormat = .native, pageSize: Int? = nil,
    header: FileHeader = .encrypted,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    guard key == nil else {
      throw VaultError(
        .invalidArgument, "'\(path)' has a key, so it is already encrypted. Rekey it.")
    }
    let target = try target.map { try Vault.canonical($0) }
    let pageSize = try Self.knownPageSize(pageSize ?? 4096)
    return try whileOpen(isWritable: target == nil, needsIdentity: true, progress) { file in
      let newKey = try NewFileKey(
        newKey, forFileAt: target ?? path,
        scheme: CipherScheme(format.format(on: try Engine.prove()), header: header),
        pageSize: pageSize, vault: file.vault)
      try rewrite(file, newKey, at: target.map { .free($0) } ?? .ofSource, progress)
      return newKey.cipher.info
    }
  }

  /// Writes the contents into an unencrypted file that only its owner may read.
  ///
  /// Everyone who can read that file can read all its contents. Remove it as soon as it is not
  /// needed any more.
  ///
  /// - Parameters:
  ///   - target: The path of the unencrypted file. No file may exist there.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Throws: ``VaultError``: `.invalidArgument` if a file exists at the target; otherwise as
  ///   ``rekey(to:progress:)``.
  public func decrypt(
    to target: String, progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws {
    let target = try Vault.canonical(target)
    try whileOpen(isWritable: false, progress) { file in
      _ = try encrypted(file)
      try rewrite(file, nil, at: .free(target), progress)
    }
  }

  /// Changes the cipher format, the page size or the header of the file and retains its key.
  ///
  /// - Parameters:
  ///   - format: The newest format that the engine writes, or the portable format, which every
  ///     engine reads.
  ///   - pageSize: The page size in bytes. If `nil`, the page size of the file but at least 1024, or
  ///     4096 for the portable format.
  ///   - header: The form of the first bytes of the file. If `nil`, that of the file. A plaintext
  ///     header requires a keyring key and the native format.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The new encryption of the file. If it equals the old one, nothing is done.
  /// - Throws: ``VaultError``: `.invalidArgument` for a plaintext header without a keyring or in the
  ///   portable format, `.unsupportedCipherSettings` if the engine cannot write one; otherwise as
  ///   ``rekey(to:progress:)``.
  @discardableResult
  public func upgrade(
    to format: VaultConfiguration.CipherFormat = .native, pageSize: Int? = nil,
    header: FileHeader? = nil,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    let wantedSize = try pageSize.map(Self.knownPageSize)
    return try whileOpen(isWritable: true, progress) { file in
      let cipher = try encrypted(file)
      let wantedFormat = format.format(on: try Engine.prove())
      let scheme = CipherScheme(wantedFormat, header: header ?? cipher.scheme.header)
      let wanted = CipherInfo(
        scheme,
        pageSize: wantedSize
          ?? (format == .portable ? 4096 : max(cipher.pageSize, scheme.smallestPageSize)))
      if wanted == cipher.info { return wanted }
      let target = try NewFileKey(
        sameAs: file.key, forFileAt: path, with: cipher.salt, scheme: scheme,
        pageSize: wanted.pageSize)
      try rewrite(file, target, progress)
      return target.cipher.info
    }
  }

  /// Writes a backup of the file, encrypted and verified like a rekeyed file.
  ///
  /// ``Vault/backup(to:key:omittingSealingKeys:progress:)-(_,_,_,(RekeyProgress)->Void)`` describes
  /// the steps.
  ///
  /// - Parameters:
  ///   - path: The path of the backup. No file may exist there, and no keyring of an earlier
  ///     backup.
  ///   - newKey: The key of the backup, or `nil` for the key of the file.
  ///   - omitsSealingKeys: Whether `newKey` does not get the sealing keys of the file's keyring.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The encryption of the backup.
  /// - Throws: ``VaultError``: `.invalidArgument` if a file exists at the path or the backup's
  ///   keyring exists; otherwise as ``rekey(to:progress:)``.
  @discardableResult
  public func backup(
    to path: String, key newKey: VaultKey? = nil,
    omittingSealingKeys omitsSealingKeys: Bool = false,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    try whileOpen(isWritable: false, progress) {
      try copy($0, omittingSealingKeys: omitsSealingKeys, progress).backup(to: path, key: newKey)
    }
  }

  /// Restores a vault from this file, which is a backup.
  ///
  /// The backup is copied, encrypted and verified like a rekeyed file. The backup itself is not
  /// changed.
  ///
  /// - Parameters:
  ///   - path: The path of the vault.
  ///   - isReplacing: Whether an existing file at the path may be replaced. No process may have it
  ///     open. A keyring next to it stays in use if it belongs to the same vault, with its current
  ///     slots. It must not be older than the replaced vault records, unless that is too damaged to
  ///     be read.
  ///   - newKey: The key of the vault, or `nil` for the key of the backup.
  ///   - omitsSealingKeys: Whether `newKey` does not get the sealing keys of the backup's keyring.
  ///   - progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The encryption of the vault.
  /// - Throws: ``VaultError``: `.invalidArgument` if a file exists at the path and `isReplacing` is
  ///   `false`, or if the keyring of the new vault is that of the backup or lacks sealing keys of
  ///   its values; `.busy` if the vault is open; otherwise as ``rekey(to:progress:)``.
  @discardableResult
  public func restore(
    to path: String, replacing isReplacing: Bool = false, key newKey: VaultKey? = nil,
    omittingSealingKeys omitsSealingKeys: Bool = false,
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CipherInfo {
    try whileOpen(isWritable: false, progress) {
      try copy($0, omittingSealingKeys: omitsSealingKeys, progress)
        .restore(to: path, replacing: isReplacing, key: newKey)
    }
  }

  // MARK: Parts

  private func copy(
    _ file: ProvedFile, omittingSealingKeys omitsSealingKeys: Bool,
    _ progress: @escaping (RekeyProgress) throws -> Void
  ) throws -> DatabaseCopy {
    _ = try encrypted(file)
    return DatabaseCopy(
      source: file.source, resolved: file.key, slotKey: key?.slotKey, settings: settings,
      omitsSealingKeys: omitsSealingKeys, progress: progress)
  }

  func encrypted(_ file: ProvedFile) throws -> FileCipher {
    guard let cipher = file.source.cipher else {
      throw VaultError(
        .notEncrypted, "'\(path)' was opened without a key. Provide its key, or encrypt it first.")
    }
    return cipher
  }

  func rewrite(
    _ file: ProvedFile, _ newKey: NewFileKey?, at place: FileRewriting.Place = .ofSource,
    isCompacting: Bool = false, sealingKeys: SealingKeys? = nil,
    _ progress: @escaping (RekeyProgress) throws -> Void
  ) throws {
    try FileRewriting(
      source: file.source, newKey: newKey, place: place, settings: settings, progress: progress,
      isCompacting: isCompacting, sealingKeys: sealingKeys
    ).run()
  }
}

extension VaultError {
  /// Returns the error for a file without a data key that could be rotated.
  static func noDataKey(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "'\(path)' does not use a keyring, so it has no data key to rotate. Rekey it.")
  }
}

extension NewFileKey {
  /// Creates the same key with another salt, or another data key for a keyring.
  ///
  /// - Parameters:
  ///   - key: The key of the present file.
  ///   - path: The path of the file.
  ///   - salt: The salt of the present file.
  ///   - scheme: The cipher settings of the new file.
  ///   - pageSize: The page size of the new file.
  /// - Throws: `.noKey` without a key; otherwise as
  ///   ``init(_:forFileAt:scheme:pageSize:vault:)``.
  convenience init(
    sameAs key: ResolvedKey?, forFileAt path: String, with salt: FileSalt, scheme: CipherScheme,
    pageSize: Int
  ) throws {
    guard let key else { throw VaultError(.noKey, "'\(path)' has no key. Provide its key.") }
    if case .keyring(let unlocked) = key {
      try scheme.checkHeader(ofFileAt: path)
      self.init(
        try KeyringNote(rotating: unlocked, ofFileWith: salt, scheme: scheme, pageSize: pageSize))
    } else {
      try self.init(
        VaultKey(key.withoutSalt), forFileAt: path, scheme: scheme, pageSize: pageSize)
    }
  }
}
