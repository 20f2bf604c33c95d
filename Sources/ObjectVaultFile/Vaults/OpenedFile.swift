import Foundation
import Logging
import ObjectVaultDriver
package import ObjectVaultEngine
package import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// An authenticated database file and the factory for its connections.
package struct OpenedFile: Sendable {
  package let held: HeldFile
  package let cipher: FileCipher
  /// The key that opened the file, for another file under the same key.
  package let key: VaultKey
  /// The origin of the key, if it is from a keyring.
  package let keyring: KeyringFacts?

  typealias Role = ConnectionHandle.Role

  /// Opens the file at `path`; creates it if the settings allow that.
  ///
  /// The key is verified before the engine reads the file: the first page must authenticate under
  /// it. This distinguishes a wrong key from a plaintext file, a newer format, a truncated file and
  /// a damaged file. A passphrase is stretched once, here.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: The key.
  ///   - settings: The configuration of the vault.
  ///   - willRead: Called with the identity of the file before it is read.
  /// - Returns: The file, and its writer connection if the file is new or writable.
  /// - Throws: ``VaultError`` and key errors that distinguish the cases above.
  static func open(
    _ path: String, key: VaultKey, settings: VaultConfiguration,
    willRead: (HeldFile.Identity) -> Void = { _ in }
  ) throws -> (file: OpenedFile, writer: Session?) {
    let engine = try Engine.prove()
    let mayCreate = settings.creation == .ifMissing && !settings.isReadOnly
    if !settings.isReadOnly { try LogsAside.restore(of: path) }
    if mayCreate, !LeftoverFile.hasContent(path) { try CompanionFile.refuse(path) }
    let (held, isNew) = try HeldFile.acquire(
      path, readOnly: settings.isReadOnly, creating: mayCreate)
    willRead(held.identity)
    if settings.isReadOnly, !LogsAside.waiting(besideFile: path).isEmpty {
      settings.logger?.warning(
        "the log of the file was moved away to replace the file, and its changes are missing",
        metadata: ["path": "\(path)"])
    }
    if !isNew, held.mode & 0o077 != 0 {
      settings.logger?.warning(
        "other users can read or change the file",
        metadata: ["path": "\(path)", "mode": "0\(String(held.mode & 0o777, radix: 8))"])
    }
    do {
      try checkNames(path, settings)
      // No connection of this process has the file open yet.
      if !settings.isReadOnly { try settings.setAttributes(ofFileAt: path) }
      if mayCreate, try held.size == 0 || wasCutShortInCreation(path) {
        // A copy of a removed vault may be in plaintext. No connection has the file open yet, whose
        // second name the copy can be.
        _ = try? CopyInWork.removeAbandoned(of: path)
        if let created = try VaultCreation(
          path: path, held: held, key: key, engine: engine, settings: settings
        ).create() {
          try created.file.setLaterAttributes(path, settings)
          return created
        }
        // Another process created the vault in the meantime: open that one.
      }
      let resolved = try key.resolveUnlessCancelled(besideVault: path)
      if case .keyring(let unlocked) = resolved, let reason = unlocked.spareReason {
        settings.logger?.warning(
          "the keyring was read from its spare copy",
          metadata: ["path": "\(unlocked.file.path)", "reason": "\(reason)"])
      }
      let file = try OpenedFile(
        recognising: path, held: held, key: key, resolved: resolved, engine: engine,
        by: FormatRecogniser(formats: engine.formatsToTry(from: settings.oldestFormat)))
      if settings.isUntrusted {
        try FileEncryption(file.cipher).screenSchema(
          of: path, held: held, mayWrite: !settings.isReadOnly,
          busyTimeout: settings.busyMilliseconds)
      } else {
        // The engine would play such a log into the file.
        try FileEncryption(file.cipher).checkLog(of: path, held: held)
      }
      if settings.isReadOnly { return (file, nil) }
      // Remove the temporary copies of a rekey or a rehearsal whose process ended. Active ones hold
      // a lock.
      _ = try? CopyInWork.removeAbandoned(of: path)
      RehearsalCopies(ofVaultAt: path).removeAbandonedIfMarked()
      let writer = try file.connect(.writer, path: path, settings: settings)
      try SystemTables(writer).continueWriteAheadLog()
      if case .keyring(let unlocked) = resolved {
        unlocked.file.removeAbandoned()
        try file.confirm(in: unlocked, SystemTables(writer), path: path)
      } else {
        file.retireFormerKeyring(SystemTables(writer), path: path)
      }
      try file.setLaterAttributes(path, settings)
      return (file, writer)
    } catch {
      // An unused new file must not stay behind. A file with content is never removed, nor one in
      // which another process may be creating the vault.
      let isBusy = (error as? DriverError)?.code == .busy
      if isNew, held.size == 0, !isBusy { unlink(path) }
      held.release()
      throw error
    }
  }

  /// Checks that no other name leads to a file that is opened for writing.
  ///
  /// The engine finds the log by the name of the file, so that each name has its own log. Two of
  /// them would be played into the same file.
  ///
  /// - Throws: `.cannotOpen` if another name does.
  private static func checkNames(
    _ path: String, _ settings: VaultConfiguration
  ) throws(VaultError) {
    let count = HeldFile.nameCount(path)
    guard count > 1 else { return }
    guard settings.isReadOnly else {
      throw VaultError(
        .cannotOpen,
        "'\(path)' has \(count) names (hard links). Each name has its own log, so programs that "
          + "use different names overwrite each other's changes. Copy the file, or remove the "
          + "other names. Opening for reading only is possible.")
    }
    settings.logger?.warning(
      "the file has several names, and changes under another name may be missing",
      metadata: ["path": "\(path)", "names": "\(count)"])
  }

  /// Sets the attributes of the files that opening the vault may have created.
  ///
  /// The engine locks neither its log nor the keyring.
  private func setLaterAttributes(_ path: String, _ settings: VaultConfiguration) throws {
    try settings.setAttributes(ofFileAt: path + "-wal")
    try settings.setAttributes(ofKeyring: keyring)
  }

  /// Records in the keyring that the file with a pending key is in place.
  ///
  /// The process that created the file ended before it could do so.
  private func confirm(
    in unlocked: UnlockedKeyring, _ system: SystemTables, path: String
  ) throws {
    let salt = cipher.salt
    guard try unlocked.epoch(of: salt).state == .pending else { return }
    // A keyring that the vault rejects must not get a later generation.
    try system.checkFormat(path: path)
    try system.check(unlocked, path: path)
    do throws(KeyError) {
      _ = try unlocked.storing { keyring throws(KeyError) in try keyring.makeCurrent(salt) }
    } catch {
      // Another process did it, or will at the next opening.
      if error.code != .keyringChanged { throw error }
    }
  }

  /// Retires the keyring that the vault had before it got its own key.
  ///
  /// The process that encrypted the file with that key ended before it could do so.
  private func retireFormerKeyring(_ system: SystemTables, path: String) {
    let former = KeyringFile(besideVault: path)
    guard former.exists, !CopyInWork.isInUse(of: path), let keyring = try? former.read().keyring,
      keyring.state(ofFileWith: cipher.salt) == .ofAnotherFile,
      // Otherwise it was created for a file that was never finished.
      keyring.epochs.contains(where: { $0.state != .pending }),
      let id = try? system.vaultID, id == UUID(bytes: keyring.vaultID)
    else { return }
    try? former.retire()
  }

  /// Returns whether a rollback journal next to the file would roll back all of it.
  ///
  /// A process that ends while it creates the vault leaves such a journal. The engine empties the
  /// file at its next access.
  ///
  /// The journal begins with 8 fixed bytes; the number of pages that the file had before is at
  /// offset 16 (SQLite's file format documentation, section 3).
  private static func wasCutShortInCreation(_ path: String) throws(VaultError) -> Bool {
    // The journal is never locked, so opening it in addition to the engine drops no locks.
    let descriptor = Foundation.open(path + "-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw .system(errno, "open", path + "-journal")
    }
    defer { Foundation.close(descriptor) }
    var start = [UInt8](repeating: 0, count: 20)
    guard pread(descriptor, &start, start.count, 0) == start.count else { return false }
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    return start.starts(with: magic) && start[16..<20].allSatisfy { $0 == 0 }
  }

  package init(held: HeldFile, cipher: FileCipher, key: VaultKey, keyring: KeyringFacts? = nil) {
    self.held = held
    self.cipher = cipher
    self.key = key
    self.keyring = keyring
  }

  /// Creates an opened file by recognising its cipher format.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - held: The descriptor of the file.
  ///   - key: The key as given.
  ///   - resolved: The key as resolved for this file.
  ///   - engine: The facts of the loaded engine.
  ///   - recogniser: The recogniser of the formats that the caller accepts.
  /// - Throws: Key errors; `.newerCipherFormat` if the engine cannot read the format.
  package init(
    recognising path: String, held: HeldFile, key: VaultKey, resolved: ResolvedKey,
    engine: EngineInfo, by recogniser: FormatRecogniser
  ) throws {
    var recogniser = recogniser
    func recognise(hasJournal: Bool) throws -> RecognisedFile {
      try recogniser.recognise(
        file: path, size: Int64(held.size), key: resolved, hasJournal: hasJournal
      ) { offset, count in try held.read(at: Int(offset), count: count) }
    }
    let found: RecognisedFile
    do {
      found = try recognise(hasJournal: false)
    } catch let error as KeyError where error.code == .truncated || error.code == .damaged {
      // A log or journal may hold the missing content, so check for one before rejecting the file.
      found = try recognise(hasJournal: Self.hasJournal(path))
    }
    if found.format.rawValue > engine.newestCipherFormat {
      throw VaultError(
        .newerCipherFormat,
        "'\(path)' has cipher format \(found.format.rawValue), but SQLCipher "
          + "\(engine.cipherVersion) supports formats only up to \(engine.newestCipherFormat). Use "
          + "a newer SQLCipher, or upgrade the file to the portable format.")
    }
    let cipher = FileCipher(
      scheme: found.scheme, pageSize: found.pageSize, rawKey: found.rawKey, salt: found.salt,
      isFirstPageSealed: found.isFirstPageSealed)
    try cipher.checkHeader(of: path, held: held)
    self.init(held: held, cipher: cipher, key: key, keyring: try resolved.keyringFacts())
  }

  /// Returns whether a write-ahead log or a rollback journal with content is next to the file.
  package static func hasJournal(_ path: String) -> Bool {
    ["-wal", "-journal"].contains { LeftoverFile.hasContent(path + $0) }
  }

  /// Opens another connection with the key that is already stretched.
  ///
  /// - Parameters:
  ///   - role: The role of the connection.
  ///   - path: The path of the file.
  ///   - settings: The configuration of the vault.
  ///   - creating: Whether the file may be empty.
  /// - Returns: The connection.
  /// - Throws: Engine errors, and errors of the hooks.
  func connect(
    _ role: Role, path: String, settings: VaultConfiguration, creating: Bool = false
  ) throws -> Session {
    let options = settings.connectionOptions(role)
    let mode: Connection.Mode =
      role == .reader ? .readOnly : creating ? .create : .readWrite
    let connection = Session(try cipher.connect(path, mode, options: options))
    if role == .writer {
      connection.engine.countLogPages()
      // Each page has a header of 24 bytes in the log (SQLite's file format, section 4.1).
      connection.file.logLimit = LogLimit(
        limit: settings.writeAheadLogLimit.bytes / (cipher.pageSize + 24))
    }
    try connection.tell(HookedConnection(settings, path: path, role: role))
    return connection
  }

  /// Returns whether page 1, as stored in the file, is authenticated by the key.
  func isFirstPageSealed() throws -> Bool {
    let page = try held.read(at: 0, count: cipher.pageSize)
    let start = cipher.scheme.header == .plaintext ? CipherFormat.plainStart : cipher.salt.bytes
    return try page.starts(with: start) && cipher.sealsFirstPage(page)
  }

  /// Releases the descriptor.
  ///
  /// Call it after the last connection closed.
  package func close() { held.release() }
}

extension VaultConfiguration {
  /// Returns the engine options of a connection.
  package func connectionOptions(_ role: ConnectionHandle.Role) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.busyTimeout = busyMilliseconds
    options.synchronous = durability == .powerFailure ? .full : .normal
    switch role {
    case .writer:
      options.cacheKiB = writerCache.bytes >> 10
      options.journalSizeLimit = writeAheadLogLimit.bytes
    case .reader:
      options.cacheKiB = readerCache.bytes >> 10
      // Only one connection checkpoints: two simultaneous checkpoints can corrupt the file.
      options.walAutocheckpoint = 0
    }
    options.isGuarded = isUntrusted
    options.trace = statementLog?.trace
    return options
  }
}

extension ResolvedKey {
  /// The origin of the key, if it is from a keyring.
  package func keyringFacts() throws(KeyError) -> KeyringFacts? {
    guard case .keyring(let unlocked) = self else { return nil }
    let keyring = unlocked.keyring.keyring
    return KeyringFacts(
      file: unlocked.file, vaultID: UUID(bytes: keyring.vaultID), generation: keyring.generation,
      sealingKeys: try unlocked.keyring.sealingKeys(), isSpare: unlocked.isSpareInUse)
  }
}
