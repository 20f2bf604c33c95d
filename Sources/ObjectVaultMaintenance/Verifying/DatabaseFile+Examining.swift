import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys

/// A possibly damaged file during its examination.
///
/// No other process writes to it in the meantime.
struct ExaminedDatabase {
  let held: HeldFile
  let encryption: FileEncryption
  /// The keyring that holds the key, if there is one.
  var keyring: KeyringFacts?
  /// A connection with an open read transaction, or `nil` if the engine cannot read the file.
  var reader: Connection?
  /// The reason that there is no connection, if the file has a problem.
  var engineRefusal: String?
  /// The reason that there is no connection, if the file has no known problem.
  var uncheckedReason: String?
  /// Whether the write-ahead log next to the file belongs to another file.
  var hasForeignLog = false

  /// Returns the pages of the file as seen by readers.
  func pages(of path: String) throws -> StoredPages {
    // If the engine can read the file, a journal belongs to an active connection.
    try encryption.pages(of: path, held: held, usesJournal: reader == nil)
  }
}

extension DatabaseFile {
  /// Calls `body` with the file after any of its pages has proven the key.
  ///
  /// Nothing is written.
  ///
  /// - Throws: `.busy` if this process has the file open, or another process does not let it be
  ///   read; otherwise the errors of opening the file, except `.damaged` and `.truncated` if there
  ///   are pages left.
  func whileExamined<R>(
    _ progress: (RekeyProgress) throws -> Void,
    _ body: (ExaminedDatabase, ResolvedKey?) throws -> R
  ) throws -> R {
    do {
      try progress(.beginning)
      return try HandleRegistry.whileOpening(path) {
        try Self.checkNotOpen(path)
        let engine = try Engine.prove()
        return try Reopening.whileReplaced(path) { identity in
          let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
          defer { held.release() }
          identity = held.identity
          let keyring = key?.keyringFile(besideVault: path)
          let (resolved, encryption) = try Reopening.whileKeyringChanges(keyring) {
            let resolved = try key?.resolve(besideVault: path)
            return (
              resolved,
              try FileEncryption(
                examining: path, held: held, key: resolved, recogniser: recogniser(engine))
            )
          }
          var examined = ExaminedDatabase(
            held: held, encryption: encryption, keyring: try resolved?.keyringFacts())
          try open(&examined)
          defer { try? examined.reader?.close() }
          // An open connection prevents that another process replaces the file from now on.
          try Reopening.check(path, leadsTo: held.identity)
          identity = nil
          return try body(examined, resolved)
        }
      }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Opens the connection of a file, or records the reason that there is none.
  private func open(_ examined: inout ExaminedDatabase) throws {
    let (encryption, held) = (examined.encryption, examined.held)
    do {
      examined.hasForeignLog = try encryption.hasForeignLog(path, held: held)
      try encryption.cipher?.checkHeader(of: path, held: held)
      try encryption.screenSchema(
        of: path, held: held, mayWrite: false, busyTimeout: settings.busyMilliseconds)
      examined.reader = try reader(encryption, size: held.size)
    } catch let error as VaultError where [.engineRefused, .damaged].contains(error.code) {
      examined.engineRefusal = error.message
    } catch let error as KeyError where error.code == .damaged {
      examined.engineRefusal = error.message
    } catch let error as DriverError {
      if [.busy, .locked].contains(error.code) { throw error }
      switch error.code {
      case .unsupportedFormat:
        examined.uncheckedReason = error.message
      case .readOnly, .cannotOpen:
        // The engine would have to write in order to roll back the transaction of a terminated
        // program, or cannot create the log.
        examined.uncheckedReason = error.message + LeftoverFile.advice(forFileAt: path)
      default: examined.engineRefusal = error.message
      }
    }
  }

  /// Returns a connection that holds a snapshot of the file.
  private func reader(_ encryption: FileEncryption, size: Int) throws -> Connection {
    var options = ConnectionOptions.forForeignContent(path, size: size)
    options.busyTimeout = settings.busyMilliseconds
    options.walAutocheckpoint = 0
    // A large cache, because the check of the structure reads pages in random order.
    options.cacheKiB = settings.writerCache.bytes >> 10
    var connection: Connection?
    if mayTidy {
      // Only a connection that may write can remove the empty log that reading creates.
      connection = try? encryption.connect(path, .readWrite, options: options)
    }
    let reader = try connection ?? encryption.connect(path, .readOnly, options: options)
    try reader.execute("BEGIN")
    // The engine acquires the snapshot with the first read.
    let look = try reader.prepare("SELECT 1 FROM sqlite_master LIMIT 1", persistent: false)
    _ = try look.step()
    look.reset()
    return reader
  }

  /// Whether a writable connection would write nothing: there is no log to play in and no journal
  /// to roll back.
  private var mayTidy: Bool {
    ["-wal", "-journal"].allSatisfy { suffix in
      var status = stat()
      return stat(path + suffix, &status) != 0 || status.st_size == 0
    }
  }
}
