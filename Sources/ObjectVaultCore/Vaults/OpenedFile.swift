import Foundation
import Logging
import ObjectVaultEngine
import ObjectVaultKeys

/// A file whose key was proved: what connections are made from.
struct OpenedFile: Sendable {
  let held: HeldFile
  let cipher: FileCipher
  /// What it was opened with, for another file under the same key.
  let key: VaultKey
  /// Where the key is from, if it is from a keyring.
  let keyring: KeyringFacts?

  typealias Role = ConnectionHandle.Role

  /// Opens the file at `path`, making it where that is asked for.
  ///
  /// The key is proved before the engine sees the file: the first page authenticates under it, so
  /// that a wrong key, a plaintext file, a newer format, a truncated and a damaged file are told
  /// apart. A passphrase is stretched once, here.
  ///
  /// - Returns: The file and, where it was made or may be written, the connection that writes.
  static func open(
    _ path: String, key: VaultKey, settings: VaultConfiguration
  ) throws -> (file: OpenedFile, writer: VaultConnection?) {
    let engine = try Engine.prove()
    let mayCreate = settings.creation == .ifMissing && !settings.isReadOnly
    let (held, isNew) = try HeldFile.acquire(
      path, readOnly: settings.isReadOnly, creating: mayCreate)
    if !isNew, held.mode & 0o077 != 0 {
      settings.logger?.warning(
        "others than the owner may read or change the file",
        metadata: ["path": "\(path)", "mode": "0\(String(held.mode & 0o777, radix: 8))"])
    }
    do {
      if mayCreate, try held.size == 0 || wasCutShortInCreation(path) {
        if let created = try VaultCreation(
          path: path, held: held, key: key, engine: engine, settings: settings
        ).create() {
          return created
        }
        // Another process made the vault in the meantime: open what it made.
      }
      let resolved = try key.resolve(besideVault: path)
      if case .keyring(let unlocked) = resolved, let reason = unlocked.spareReason {
        settings.logger?.warning(
          "the keyring was read from its spare copy",
          metadata: ["path": "\(unlocked.file.path)", "reason": "\(reason)"])
      }
      let file = try OpenedFile(
        recognising: path, held: held, key: key, resolved: resolved, engine: engine,
        by: FormatRecogniser(formats: engine.formatsToTry(from: settings.oldestFormat)))
      if settings.isUntrusted {
        try FileEncryption(file.cipher).screenSchema(of: path, held: held)
      }
      if settings.isReadOnly { return (file, nil) }
      // What a process left that ended while it rekeyed the file. One that is still at work holds it.
      _ = try? CopyInWork.removeAbandoned(of: path)
      let writer = try file.connect(.writer, path: path, settings: settings)
      try SystemTables(writer).continueWriteAheadLog()
      if case .keyring(let unlocked) = resolved {
        unlocked.file.removeAbandoned()
        try confirm(file.cipher.salt, in: unlocked)
      }
      return (file, writer)
    } catch {
      // A file that was made for nothing must not stay behind; one with content is never touched,
      // nor one in which another process may be making the vault just now.
      let isBusy = (error as? EngineError)?.code == .busy
      if isNew, held.size == 0, !isBusy { unlink(path) }
      held.release()
      throw error
    }
  }

  /// Writes down in the keyring that the file under a pending key has its place: who made it ended
  /// before that.
  private static func confirm(_ salt: FileSalt, in unlocked: UnlockedKeyring) throws {
    guard try unlocked.epoch(of: salt).state == .pending else { return }
    do throws(KeyError) {
      _ = try unlocked.storing { keyring throws(KeyError) in try keyring.makeCurrent(salt) }
    } catch {
      // Somebody else did it, or will with the next opening.
      if error.code != .keyringChanged { throw error }
    }
  }

  /// Whether a rollback journal stands beside the file that undoes all of it: what a process
  /// leaves that ended while it made the vault. The engine empties the file on its next look.
  ///
  /// The journal begins with 8 fixed bytes; the number of pages that the file had before is at
  /// offset 16 (SQLite's file format documentation, section 3).
  private static func wasCutShortInCreation(_ path: String) throws(VaultError) -> Bool {
    // No lock is ever held on the journal, so that opening it beside the engine drops none.
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

  init(held: HeldFile, cipher: FileCipher, key: VaultKey, keyring: KeyringFacts? = nil) {
    self.held = held
    self.cipher = cipher
    self.key = key
    self.keyring = keyring
  }

  /// - Parameters:
  ///   - recogniser: What the caller accepts.
  init(
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
      // What stands beside the file may have what it lacks, and is looked for before the file is read.
      found = try recognise(hasJournal: Self.hasJournal(path))
    }
    if found.format.rawValue > engine.newestCipherFormat {
      throw VaultError(
        .newerCipherFormat,
        "'\(path)' has cipher format \(found.format.rawValue); SQLCipher \(engine.cipherVersion) "
          + "reads formats up to \(engine.newestCipherFormat). Use a newer SQLCipher, or have the "
          + "file written in the portable format.")
    }
    self.init(
      held: held,
      cipher: FileCipher(
        scheme: found.scheme, pageSize: found.pageSize, rawKey: found.rawKey, salt: found.salt,
        isFirstPageSealed: found.isFirstPageSealed),
      key: key, keyring: resolved.keyringFacts)
  }

  /// Whether a write-ahead log or a rollback journal with content stands beside the file.
  static func hasJournal(_ path: String) -> Bool {
    ["-wal", "-journal"].contains { suffix in
      var status = stat()
      return stat(path + suffix, &status) == 0 && status.st_size > 0
    }
  }

  /// Opens one more connection, under the key that is stretched already.
  ///
  /// - Parameter creating: Whether the file may be empty.
  func connect(
    _ role: Role, path: String, settings: VaultConfiguration, creating: Bool = false
  ) throws -> VaultConnection {
    let options = settings.connectionOptions(role)
    let mode: Connection.Mode =
      role == .reader ? .readOnly : creating ? .create : .readWrite
    let connection = VaultConnection(try cipher.connect(path, mode, options: options))
    if role == .writer {
      connection.engine.countLogPages()
      // Each page has a header of 24 bytes in the log (SQLite's file format, section 4.1).
      connection.logLimit = LogLimit(limit: settings.logLimitInBytes / (cipher.pageSize + 24))
    }
    try connection.tell(HookedConnection(settings, path: path, role: role))
    return connection
  }

  /// Whether `key` opens the file too.
  func accepts(_ key: VaultKey, path: String) throws -> Bool {
    try cipher.isOpened(by: key.resolve(besideVault: path))
  }

  /// Whether page 1, as it stands in the file, is sealed under the key.
  func isFirstPageSealed() throws -> Bool {
    let page = try held.read(at: 0, count: cipher.pageSize)
    return try page.starts(with: cipher.salt.bytes) && cipher.sealsFirstPage(page)
  }

  /// Gives the descriptor up; call it after the last connection closed.
  func close() { held.release() }
}

extension VaultConfiguration {
  var logLimitInBytes: Int { writeAheadLogLimit << 20 }

  /// What a connection is set to.
  func connectionOptions(_ role: ConnectionHandle.Role) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.busyTimeout = Int32(busyTimeout * 1000)
    options.synchronous = durability == .powerFailure ? .full : .normal
    switch role {
    case .writer:
      options.cacheKiB = writerCacheSize * 1024
      options.journalSizeLimit = logLimitInBytes
    case .reader:
      options.cacheKiB = readerCacheSize * 1024
      // One connection checkpoints: two that do so at one instant can corrupt the file.
      options.walAutocheckpoint = 0
    }
    options.isGuarded = isUntrusted
    options.trace = statementLog?.trace
    return options
  }
}

extension ResolvedKey {
  /// Where the key is from, if it is from a keyring.
  var keyringFacts: KeyringFacts? {
    guard case .keyring(let unlocked) = self else { return nil }
    let keyring = unlocked.keyring.keyring
    return KeyringFacts(
      file: unlocked.file, vaultID: UUID(bytes: keyring.vaultID), generation: keyring.generation)
  }
}
