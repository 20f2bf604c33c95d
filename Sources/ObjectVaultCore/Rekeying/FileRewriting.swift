import Foundation
import ObjectVaultEngine
import ObjectVaultKeys

/// Makes a file with the content of another one under another key, or in clear, proves it, and puts
/// it in its place: that of the original, or one of its own.
///
/// The engine's own rekey rewrites the file in place, says that it succeeded when it did not, and can
/// leave a file that no key opens. This never writes into the original: until the last rename the
/// original is what it was, from then on the new file is there, and both hold the same.
struct FileRewriting {
  /// The file that is read.
  let source: Source
  /// The key of the new file; `nil` for a file in clear.
  let newKey: NewFileKey?
  let place: Place
  let settings: VaultConfiguration
  let progress: (RekeyProgress) throws -> Void
  /// Told of the new file when it is proved and about to get its place; what it throws ends the work.
  var beforeReplacing: (Made) throws -> Void = { _ in }
  /// Called when the new file has its place, which the old one does not get back.
  var afterReplacing: () -> Void = {}

  /// A file to read, open for its raw bytes.
  struct Source {
    let path: String
    /// The file; `nil` for what is in memory.
    let held: HeldFile?
    /// How it is encrypted; `nil` for one in clear.
    let cipher: FileCipher?
    /// Whether a log or a journal that was left beside it may be played into it.
    let isWritable: Bool
    /// What is in memory.
    var memory: MemoryContent?

    /// The size in bytes.
    var size: Int { memory?.size ?? held?.size ?? 0 }

    /// - Parameter isExclusive: Whether nobody else may use the file meanwhile.
    func connect(
      _ settings: VaultConfiguration, isExclusive: Bool = false
    ) throws -> Connection {
      if let memory { return try memory.copy() }
      let mode: Connection.Mode = isWritable ? .readWrite : .readOnly
      var options = ConnectionOptions.forForeignContent(path, size: size)
      options.busyTimeout = Int32(settings.busyTimeout * 1000)
      options.cacheKiB = settings.writerCacheSize * 1024
      options.foreignKeys = false
      options.isExclusive = isExclusive
      return try cipher.connect(path, mode, options: options)
    }
  }

  /// Where the new file goes.
  enum Place {
    /// The source's path; the source is gone then.
    case ofSource
    /// A path where nothing is.
    case free(String)
    /// The path of another file, which is locked and gone then.
    case of(LockedFile)
  }

  /// The new file, before it has its place.
  struct Made {
    let path: String
    let key: NewFileKey
  }

  /// The path that the new file gets.
  private var destination: String {
    switch place {
    case .ofSource: source.path
    case .free(let path): path
    case .of(let file): file.path
    }
  }

  /// Does all of it, but for the report that it begins, which comes before keys are derived.
  ///
  /// - Throws: and leaves the original, whatever happens before the last rename. If that cannot be brought
  ///   to the disk, the original gets its place back; if that fails too, both files stay.
  func run() throws {
    let report = RewritingReport(
      pageSize: newKey?.cipher.pageSize ?? source.cipher?.pageSize ?? 4096, progress)
    try RewritingPreconditions(destination: destination, size: source.size).check(place)
    let access = try openSource()
    let work = try CopyInWork(of: destination)
    var isPlaced = false
    defer {
      if !isPlaced {
        work.discard()
        newKey?.withdraw()
      }
    }
    try newKey?.announce()
    let isByRows = try ContentCopy(
      source: access.connection, path: work.path, cipher: newKey?.cipher,
      journalMode: access.journalMode, report: report
    ).run()
    try CopyVerification(
      source: source, connection: access.connection, path: work.path, cipher: newKey?.cipher,
      isByRows: isByRows, report: report
    ).run()
    try work.settle(like: place.isFree ? nil : destination)
    if let newKey { try beforeReplacing(Made(path: work.path, key: newKey)) }

    try removeLog(access)

    // From here on nothing may stop half-way that can be done.
    try report(.replacing, 0, 1)
    let outcome = try replace(access, by: work.path)
    isPlaced = true
    afterReplacing()
    // The new file is there, whatever becomes of the rest; the next opening notes its key.
    try? newKey?.confirm()
    if case .unsaved(let error) = outcome { throw error }
    endOriginal(access)
    // The old file may have this name now.
    work.discard()
    try? report(.replacing, 1, 1)
  }

  /// Removes the empty log of a file that is replaced, while the path still leads to that file: another
  /// file that is moved to the path later must not get it.
  private func removeLog(_ access: any SourceAccess) throws {
    guard case .ofSource = place else { return }
    // The engine removes a log by its name, which can be that of another file's log by then.
    try access.connection.keepLogWhenClosing()
    let log = source.path + "-wal"
    guard source.held?.identity == HeldFile.Identity(path: source.path), LeftoverFile.isEmpty(log),
      unlink(log) != 0, errno != ENOENT
    else { return }
    throw VaultError.system(errno, "remove", log)
  }

  private func replace(
    _ access: any SourceAccess, by copy: String
  ) throws -> FileReplacement.Outcome {
    let replacement = FileReplacement(path: destination, copy: copy)
    let old: HeldFile.Identity?
    switch place {
    case .free:
      try replacement.placeAnew()
      return .saved
    case .ofSource: old = source.held?.identity
    case .of(let file): old = try file.identity
    }
    guard let old else { throw VaultError.inMemory(source.path) }
    return try replacement.run(replacing: old)
  }

  private func openSource() throws -> any SourceAccess {
    switch place {
    case .ofSource: try SoleAccess(source.connect(settings, isExclusive: true))
    case .free, .of: try SnapshotAccess(source.connect(settings))
    }
  }

  /// Who opened the old file before and reads now must not be given old data.
  private func endOriginal(_ access: any SourceAccess) {
    switch place {
    case .ofSource:
      // Of a file in clear as much as can be: what the disk keeps of it elsewhere is out of reach.
      try? access.connection.overwrite(count: source.cipher?.pageSize ?? source.size)
    case .of(let file): file.destroyStart()
    case .free: break
    }
  }
}

extension FileRewriting.Place {
  fileprivate var isFree: Bool { if case .free = self { true } else { false } }
}

/// Says how far the work is, and hears whether it is to end.
struct RewritingReport {
  private let pageSize: Int
  private let progress: (RekeyProgress) throws -> Void

  init(pageSize: Int, _ progress: @escaping (RekeyProgress) throws -> Void) {
    self.pageSize = pageSize
    self.progress = progress
  }

  /// - Throws: `.cancelled`, and what the caller's closure throws.
  func callAsFunction(_ phase: RekeyProgress.Phase, _ done: Int, _ total: Int) throws {
    try Cancellation.check()
    try progress(RekeyProgress(phase: phase, done: done, total: total, pageSize: pageSize))
  }
}
