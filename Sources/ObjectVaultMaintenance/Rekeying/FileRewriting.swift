import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession

/// The creation of a verified file with the contents of another file, under another key or
/// unencrypted.
///
/// The new file replaces the original or gets a path of its own. The engine's own rekey rewrites
/// the file in place, may report success without it, and can leave a file that no key opens. This
/// type never writes into the original. Until the final rename the original is unchanged; from then
/// on the new file is in place, and both have the same contents.
struct FileRewriting {
  /// The file that is read.
  let source: Source
  /// The key of the new file, or `nil` for an unencrypted file.
  let newKey: NewFileKey?
  let place: Place
  let settings: VaultConfiguration
  let progress: (RekeyProgress) throws -> Void
  /// Whether the contents are copied row by row even if pages could be copied, so that free pages
  /// are left behind.
  var isCompacting = false
  /// The sealing keys of the present keyring, which the new key must contain if values are sealed
  /// under them; `nil` if there are none, or if they are left out.
  var sealingKeys: SealingKeys?
  /// Called with the connection to the source before anything is written.
  ///
  /// If the source is replaced, no other connection can change it from then on. An error ends the
  /// work.
  var afterOpening: (Connection) throws -> Void = { _ in }
  /// Called with the verified new file before it is moved to its place.
  ///
  /// An error ends the work.
  var beforeReplacing: (Made) throws -> Void = { _ in }
  /// Called when the new file is in its place and cannot be moved back.
  var afterReplacing: () -> Void = {}

  /// A file to read, open for its raw bytes.
  struct Source {
    let path: String
    /// The open file, or `nil` for an in-memory vault.
    let held: HeldFile?
    /// The encryption, or `nil` for an unencrypted file.
    let cipher: FileCipher?
    /// Whether a log or journal next to the file may be played into it.
    let isWritable: Bool
    /// Whether the log and the journal are overwritten before they are removed, because they are
    /// unencrypted and the file will be replaced.
    var erasesLogs = false
    /// The contents of an in-memory vault.
    var memory: MemoryContent?

    /// The size in bytes.
    var size: Int { memory?.size ?? held?.size ?? 0 }

    /// The greatest size that the contents can have: that of the file and of the log next to it.
    var greatestSize: Int {
      if memory != nil { return .max }
      var log = stat()
      return size + (stat(path + "-wal", &log) == 0 ? Int(log.st_size) : 0)
    }

    /// Returns a connection to the source.
    ///
    /// If `isExclusive` is `true`, no other connection may use the file while it is open.
    func connect(
      _ settings: VaultConfiguration, isExclusive: Bool = false
    ) throws -> Connection {
      if let memory { return try memory.copy() }
      let mode: Connection.Mode = isWritable ? .readWrite : .readOnly
      var options = ConnectionOptions.forForeignContent(path, size: size)
      options.busyTimeout = settings.busyMilliseconds
      options.cacheKiB = settings.writerCache.bytes >> 10
      options.foreignKeys = false
      // An exclusive connection does not remove a journal that it rolled back.
      options.isExclusive = isExclusive || erasesLogs
      return try beforeWork {
        let connection = try cipher.connect(path, mode, options: options)
        if erasesLogs { try connection.keepLogWhenClosing() }
        return connection
      }
    }

    /// Calls `body`, which opens the file before anything else is done.
    ///
    /// - Throws: The error of `body`, or `.replaced` if another file was moved to the path. That
    ///   file can have the same key, and the start of this one may be overwritten by then.
    func beforeWork<R>(_ body: () throws -> R) throws -> R {
      do {
        return try body()
      } catch {
        guard let held, HeldFile.Identity(path: path) != held.identity else { throw error }
        throw VaultError.replacedWhileOpening(path, ReplacedBeforeWork())
      }
    }
  }

  /// The destination of the new file.
  enum Place {
    /// The source's path.
    ///
    /// The source is replaced.
    case ofSource
    /// A path where no file exists.
    case free(String)
    /// The path of another file, which is locked and then replaced.
    case of(LockedFile)
  }

  /// The new file before it is moved to its place.
  struct Made {
    let path: String
    let key: NewFileKey
  }

  /// The final path of the new file.
  private var destination: String {
    switch place {
    case .ofSource: source.path
    case .free(let path): path
    case .of(let file): file.path
    }
  }

  /// Performs all steps except the first progress report, which precedes the derivation of keys.
  ///
  /// - Throws: Any error before the final rename, with the original unchanged. If the rename cannot
  ///   be synchronized with the disk, the original is moved back; if that fails too, both files are
  ///   retained. After the rename, `.inputOutput` if an unencrypted original cannot be overwritten.
  func run() throws {
    let report = RewritingReport(
      pageSize: newKey?.cipher.pageSize ?? source.cipher?.pageSize ?? 4096, progress)
    try RewritingPreconditions(destination: destination, size: source.size).check(place)
    let access = try openSource()
    try ErasedPages(in: source).check()
    // An open vault does not notice that its keyring was replaced by an older one.
    if let keyring = newKey?.originalKeyring {
      try SystemTables(Session(access.connection)).check(keyring, path: source.path)
    }
    try checkSealing(access.connection)
    try afterOpening(access.connection)
    let work = try CopyInWork(of: destination)
    var isPlaced = false
    defer {
      if !isPlaced {
        if newKey == nil { work.erase() }
        work.discard()
        newKey?.withdraw()
      }
    }
    // Another process may have placed its file there before this copy reserved the path.
    try RewritingPreconditions(destination: destination, size: source.size).check(place)
    try newKey?.announce()
    let isByRows = try ContentCopy(
      source: access.connection, greatestSize: source.greatestSize, path: work.path,
      cipher: newKey?.cipher, journalMode: access.journalMode, isCompacting: isCompacting,
      report: report
    ).run()
    try CopyVerification(
      source: source, connection: access.connection, path: work.path, cipher: newKey?.cipher,
      isByRows: isByRows, isAlone: access.isAlone, report: report
    ).run()
    try work.settle(like: place.isFree ? nil : destination)
    try settings.setAttributes(ofFileAt: work.path)
    if let newKey { try beforeReplacing(Made(path: work.path, key: newKey)) }

    try removeLog(access)

    // From here on, every remaining step that can be done must be done.
    try report(.replacing, 0, 1)
    let old = try replacedFile
    let outcome = try whileNotOpening {
      let outcome = try replace(old, by: work.path)
      // The progress closure and other threads may open the new file from now on.
      work.release()
      return outcome
    }
    isPlaced = true
    // The old file may now have this name, until the next opening if this process is killed.
    if source.cipher == nil, case .ofSource = place, HeldFile.Identity(path: work.path) == old {
      chmod(work.path, 0o600)
    }
    afterReplacing()
    // The new file is in place even if the rest fails. The next opening records its key.
    try? newKey?.confirm()
    if case .unsaved(let error) = outcome { throw error }
    let ending = Result { try endOriginal(access) }
    // The old file may now have this name.
    work.discard(old)
    try? report(.replacing, 1, 1)
    try ending.get()
  }

  /// Checks that the sealed values of the source remain readable.
  ///
  /// If the source is replaced, no other connection can store the first one after this check.
  private func checkSealing(_ connection: Connection) throws {
    guard let newKey, let sealingKeys else { return }
    var vault = try SystemTables(Session(connection)).identity
    vault.sealingKeys = sealingKeys
    try vault.checkSealing(ofFileAt: source.path, under: newKey)
  }

  /// Removes the empty log of the replaced file while the path still leads to that file.
  ///
  /// Another file that is moved to the path later must not get the log.
  private func removeLog(_ access: any SourceAccess) throws {
    guard case .ofSource = place else { return }
    // The engine removes a log by name, which may then belong to another file's log.
    try access.connection.keepLogWhenClosing()
    let log = source.path + "-wal"
    guard source.held?.identity == HeldFile.Identity(path: source.path), LeftoverFile.isEmpty(log),
      unlink(log) != 0, errno != ENOENT
    else { return }
    throw VaultError.system(errno, "remove", log)
  }

  /// The file that the new file replaces; `nil` for a free path.
  private var replacedFile: HeldFile.Identity? {
    get throws(VaultError) {
      switch place {
      case .free: return nil
      case .of(let file): return try file.identity
      case .ofSource:
        guard let held = source.held else { throw .inMemory(source.path) }
        return held.identity
      }
    }
  }

  /// Calls `body` while no other thread opens the destination.
  private func whileNotOpening<R>(_ body: () throws -> R) throws -> R {
    // The path of a file that is replaced is reserved during the whole operation.
    guard place.isFree else { return try body() }
    return try HandleRegistry.whileOpening(destination) { try body() }
  }

  private func replace(
    _ old: HeldFile.Identity?, by copy: String
  ) throws(VaultError) -> FileReplacement.Outcome {
    let replacement = FileReplacement(path: destination, copy: copy)
    if let old { return try replacement.run(replacing: old) }
    try replacement.placeAnew()
    return .saved
  }

  private func openSource() throws -> any SourceAccess {
    try source.beforeWork {
      switch place {
      case .ofSource:
        try SoleAccess(
          source.connect(settings, isExclusive: true),
          erasingLogsOf: source.erasesLogs ? source.path : nil)
      case .free, .of: try SnapshotAccess(source.connect(settings))
      }
    }
  }

  /// Invalidates the old file, so that processes that still have it open fail instead of reading
  /// stale data.
  ///
  /// - Throws: `.inputOutput` if the old file is unencrypted and cannot be overwritten.
  private func endOriginal(_ access: any SourceAccess) throws {
    switch place {
    case .ofSource:
      do {
        // An unencrypted file is overwritten completely. Copies that the disk has elsewhere cannot
        // be reached.
        try access.connection.overwrite(count: source.cipher?.pageSize ?? source.size)
      } catch {
        guard source.cipher == nil else { return }
        throw VaultError(
          .inputOutput,
          "'\(source.path)' is encrypted, but the content of the unencrypted file could not be "
            + "overwritten, so the disk may still contain it. Check the disk, and overwrite its "
            + "free space.",
          underlying: error)
      }
    case .of(let file): file.destroyStart()
    case .free: break
    }
  }
}

extension FileRewriting.Place {
  fileprivate var isFree: Bool { if case .free = self { true } else { false } }
}

/// The progress reports of a rewriting, and the check for cancellation.
struct RewritingReport {
  private let pageSize: Int
  private let progress: (RekeyProgress) throws -> Void

  init(pageSize: Int, _ progress: @escaping (RekeyProgress) throws -> Void) {
    self.pageSize = pageSize
    self.progress = progress
  }

  /// Reports the progress.
  ///
  /// - Throws: `.cancelled`, and any error of the caller's closure.
  func callAsFunction(_ phase: RekeyProgress.Phase, _ done: Int, _ total: Int) throws {
    try Cancellation.check()
    try progress(RekeyProgress(phase: phase, done: done, total: total, pageSize: pageSize))
  }
}
