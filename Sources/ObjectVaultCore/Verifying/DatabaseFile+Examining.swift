import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// A file that may be damaged, while it is looked at. Nobody writes into it beneath that.
struct ExaminedDatabase {
  let held: HeldFile
  let encryption: FileEncryption
  /// The keyring that has the key, if one has.
  var keyring: KeyringFacts?
  /// A connection on which a read transaction has begun; `nil` where the engine cannot read the file.
  var reader: Connection?
  /// Why there is none, where something is wrong with the file.
  var engineRefusal: String?
  /// Why there is none, where nothing is known to be wrong with the file.
  var uncheckedReason: String?

  /// The pages of the file, as readers see them.
  func pages(of path: String) throws -> StoredPages {
    // Where the engine reads the file, a journal is one that somebody is using.
    try encryption.pages(of: path, held: held, usesJournal: reader == nil)
  }
}

extension DatabaseFile {
  /// Calls `body` with the file, of which any page proves the key. Nothing is written.
  ///
  /// - Throws: `.busy` where this process has the file open, or another one does not let it be read;
  ///   otherwise as opening it does, but for `.damaged` and `.truncated` where pages are left.
  func whileExamined<R>(
    _ progress: (RekeyProgress) throws -> Void,
    _ body: (ExaminedDatabase, ResolvedKey?) throws -> R
  ) throws -> R {
    do {
      try progress(.beginning)
      return try HandleRegistry.whileOpening(path) {
        try Self.checkNotOpen(path)
        let engine = try Engine.prove()
        let (held, _) = try HeldFile.acquire(path, readOnly: true, creating: false)
        defer { held.release() }
        let resolved = try key?.resolve(besideVault: path)
        let encryption = try FileEncryption(
          examining: path, held: held, key: resolved, recogniser: recogniser(engine))
        var examined = ExaminedDatabase(
          held: held, encryption: encryption, keyring: resolved?.keyringFacts)
        do {
          try encryption.screenSchema(of: path, held: held)
          examined.reader = try reader(encryption, size: held.size)
        } catch let error as VaultError where [.engineRefused, .damaged].contains(error.code) {
          examined.engineRefusal = error.message
        } catch let error as EngineError {
          if [.busy, .locked].contains(error.code) { throw error }
          switch error.code {
          case .unsupportedFormat:
            examined.uncheckedReason = error.message
          case .readOnly, .cannotOpen:
            // To take back what a killed program left, the engine would have to write.
            examined.uncheckedReason = error.message
          default: examined.engineRefusal = error.message
          }
        }
        defer { try? examined.reader?.close() }
        return try body(examined, resolved)
      }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// A connection that holds a snapshot of the file.
  private func reader(_ encryption: FileEncryption, size: Int) throws -> Connection {
    var options = ConnectionOptions.forForeignContent(path, size: size)
    options.busyTimeout = Int32(settings.busyTimeout * 1000)
    options.walAutocheckpoint = 0
    // A large cache: the check of the structure goes to and fro.
    options.cacheKiB = settings.writerCacheSize * 1024
    var connection: Connection?
    if mayTidy {
      // Only who may write can remove the empty log that reading makes.
      connection = try? encryption.connect(path, .readWrite, options: options)
    }
    let reader = try connection ?? encryption.connect(path, .readOnly, options: options)
    try reader.execute("BEGIN")
    // The engine takes the snapshot at the first look.
    let look = try reader.prepare("SELECT 1 FROM sqlite_master LIMIT 1", persistent: false)
    _ = try look.step()
    look.reset()
    return reader
  }

  /// Whether a connection that may write would write nothing: there is neither a log to play in nor
  /// a journal to undo.
  private var mayTidy: Bool {
    ["-wal", "-journal"].allSatisfy { suffix in
      var status = stat()
      return stat(path + suffix, &status) != 0 || status.st_size == 0
    }
  }
}
