public import Foundation
import Logging
package import ObjectVaultDriver
public import ObjectVaultKeys
package import ObjectVaultSession
public import ObjectVaultStores

/// An encrypted database file of objects.
///
/// Creating a vault does not touch the file: the first use opens or creates it. Handles on the same
/// file share its connections. You can use a vault from any thread or task.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
/// let students = try vault.store(of: Student.self)
/// ```
public final class Vault: Database {
  /// The absolute path of the file.
  ///
  /// The path of a vault in memory is a unique name such as `memory:1`.
  public var path: String { handle.location }
  /// The configuration of the vault.
  public let configuration: VaultConfiguration
  /// The state of the vault in this process.
  public let handle: DatabaseHandle
  package var events: EventCenter { handle.events }
  package let place: VaultPlace
  /// Creates a handle on the vault at `path`.
  ///
  /// - Parameters:
  ///   - path: The location of the file, which may not exist yet.
  ///   - key: The key that encrypts the file.
  ///   - configuration: The settings for opening the file.
  /// - Throws: ``VaultError``: `.noKey` for an empty key, `.invalidArgument` for an impossible path
  ///   or a setting out of range. A wrong key is reported when the file is opened.
  public init(
    at path: String, key: VaultKey, configuration: VaultConfiguration = VaultConfiguration()
  ) throws {
    try configuration.validate()
    do {
      try key.validate()
    } catch {
      throw VaultError(error, path: path)
    }
    guard path != ":memory:" else {
      throw VaultError(
        .invalidArgument, "':memory:' is not a path. Use `Vault.inMemory()` for a vault in memory.")
    }
    handle = DatabaseHandle(
      location: try Self.canonical(path), options: DatabaseOptions(configuration))
    place = .file(key)
    self.configuration = configuration
    HandleRegistry.add(handle)
  }

  /// Creates a handle on a vault that is private to it.
  init(privatelyAt path: String, _ place: VaultPlace, configuration: VaultConfiguration) throws {
    try configuration.validate(forVaultThatEnds: place)
    handle = DatabaseHandle(location: path, options: DatabaseOptions(configuration))
    self.place = place
    self.configuration = configuration
    HandleRegistry.add(handle)
  }

  /// Creates a handle on the vault with this name in a folder: `NAME.vault`.
  ///
  /// - Parameters:
  ///   - name: The name without a suffix; it must not contain a slash.
  ///   - folder: The folder; `nil` selects ``defaultFolder``.
  ///   - key: The key that encrypts the file.
  ///   - configuration: The settings for opening the file.
  /// - Throws: ``VaultError`` as ``init(at:key:configuration:)``.
  public convenience init(
    named name: String, in folder: URL? = nil, key: VaultKey,
    configuration: VaultConfiguration = VaultConfiguration()
  ) throws {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw VaultError(
        .invalidArgument, "'\(name)' is not a valid name of a vault. Use a name without slashes.")
    }
    let folder = folder ?? Self.defaultFolder
    try self.init(
      at: folder.appendingPathComponent(name + ".vault").path, key: key,
      configuration: configuration)
  }

  /// The default folder of named vaults: the application support folder.
  ///
  /// On Linux it is `$XDG_DATA_HOME`, or `~/.local/share` if that is unset. It must exist when the
  /// vault is first used.
  public static var defaultFolder: URL {
    #if os(Linux)
      if let folder = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
        return URL(fileURLWithPath: folder)
      }
      return FileManager.default.homeDirectoryForCurrentUser
        .appendingPathComponent(".local/share")
    #else
      return FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
    #endif
  }

  /// The name of the file without its folder and suffix.
  public var name: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// Returns the encryption parameters of the file, after opening it.
  ///
  /// - Throws: ``VaultError`` `.notEncrypted` for a vault in memory, and the errors of opening.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func cipherInfo() throws -> CipherInfo {
    if let cipher = try file().cipher { return cipher }
    throw VaultError(
      .notEncrypted,
      "The vault '\(path)' is in memory, where nothing is encrypted. Use `backup(to:key:)` to "
        + "store it in an encrypted file.")
  }

  /// Closes the vault, so that every later operation on it and its stores fails.
  ///
  /// This method does not wait. Operations and iterations in progress on other threads continue, and
  /// a transaction among them can still be committed. The file is closed after the last of them, and
  /// after the last handle: until then its log and its keys remain, and a copy of the file lacks the
  /// changes in the log. End the operations first if you copy the file or rely on wiped keys. If
  /// another program replaced the file, it may stay open until the process ends.
  public func close() {
    if handle.becomeClosed() {
      configuration.logger?.debug("closed", metadata: ["path": "\(path)"])
      events.post(.closed)
    }
  }

  deinit {
    if handle.end == nil { events.post(.closed) }
    HandleRegistry.remove(handle)
  }

  // MARK: The file

  /// Returns the open file; opens it on first use.
  package func file() throws -> VaultFile {
    // A vault opens nothing else.
    unsafeDowncast(try opened(), to: VaultFile.self)
  }

  /// Opens the file, unless it is open.
  package func openNow() throws -> any OpenDatabase {
    let written = fileBeingWritten
    if let written, configuration.schema == nil {
      // The file stays open and cannot be replaced, so there is no need to wait for threads that
      // open others.
      try checkKey(of: written)
      written.raiseDurability(to: configuration.durability)
      try written.becomeReady()
      handle.becomeOpen(written)
      return try handle.current() ?? written
    }
    // The other thread may be waiting for the transaction of this thread.
    let (opened, isNew) = try HandleRegistry.whileOpening(path, mayWait: written == nil) {
      if let file = try handle.current() { return (file, false) }
      let (file, isFirst) = try openedOrShared()
      if isFirst, let rule = configuration.compaction { file.compact(by: rule, configuration) }
      try upgrade(file)
      try file.becomeReady()
      handle.becomeOpen(file)
      // A close or a removal may have happened first.
      return (try handle.current() ?? file, true)
    }
    if isNew {
      removeExpiredAfterOpening()
      pruneHistoryAfterOpening()
    }
    return opened
  }

  /// The open file, if it is open for all threads; reading this does not open it.
  package var openFile: VaultFile? {
    handle.openDatabase.map { unsafeDowncast($0, to: VaultFile.self) }
  }

  /// The open file at the path, if the calling thread is writing to it through another handle.
  private var fileBeingWritten: VaultFile? {
    guard ThreadState.current.writerLocksHeld > 0 else { return nil }
    let isReadOnly = configuration.isReadOnly || HeldFile.mayOnlyBeRead(path)
    guard let file = HandleRegistry.file(at: path, isReadOnly: isReadOnly),
      file.sessions.writerLock.isHeldByCurrentThread
    else { return nil }
    return file
  }

  /// Throws if this vault may not use a file that the process already has open.
  ///
  /// - Throws: `.wrongKey` if the vault's key differs from the key that opened the file;
  ///   `.unauthenticated` or `.unsupportedCipherSettings` if the configuration does not accept its
  ///   cipher format; `.invalidated` in a forked process.
  private func checkKey(of file: VaultFile) throws {
    do {
      try file.sessions.checkProcess()
      guard let key = place.key, try file.accepts(key) else {
        throw VaultError(
          .wrongKey,
          "The key does not open '\(path)', which this process already has open with another key. "
            + "Check the key.")
      }
      if let format = file.cipher?.format, format < configuration.minimumCipherFormat {
        throw VaultError(
          format == 1 ? .unauthenticated : .unsupportedCipherSettings,
          "This process has '\(path)' open in cipher format \(format), which is older than this "
            + "configuration's minimumCipherFormat. Set minimumCipherFormat to \(format), or "
            + "upgrade the file.")
      }
      if !configuration.isOfKeyring { try checkProtection(of: file) }
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Throws if a file that the process already has open lacks a protection of this configuration.
  ///
  /// - Throws: `.invalidArgument` if its definitions were not checked; `.wrongKey` if its values are
  ///   sealed under other keys.
  private func checkProtection(of file: VaultFile) throws(VaultError) {
    if configuration.isUntrusted, !file.settings.isUntrusted {
      throw VaultError(
        .invalidArgument,
        "This process has '\(path)' open without `isUntrusted`, so its content was not checked. Close "
          + "the other handles first, or set `isUntrusted` for all of them.")
    }
    let isSealedOtherwise =
      configuration.sealingKeys.map { keys in
        file.sealingKeys.map { !$0.isEqual(to: keys) } ?? true
      } ?? false
    let erasesOtherwise =
      configuration.erasableKeys.map { $0.path != file.settings.erasableKeys?.path } ?? false
    guard isSealedOtherwise || erasesOtherwise else { return }
    throw VaultError(
      .wrongKey,
      "This process has '\(path)' open with other "
        + "\(isSealedOtherwise ? "`sealingKeys`" : "`erasableKeys`"), or without them. Give all handles "
        + "the same, or close the others first.")
  }

  /// Upgrades the file to the schema of the configuration.
  private func upgrade(_ file: VaultFile) throws {
    guard let schema = configuration.schema else { return }
    handle.beginUpgrade(of: file)
    defer { handle.endUpgrade() }
    try DatabaseUpgrade(database: self, opened: file, schema: schema).run()
  }

  /// Creates the copy of the file that the configuration requests, unless the transaction has one.
  ///
  /// - Parameter session: The session of the transaction.
  /// - Throws: The errors of creating the copy; the caller must then change nothing.
  package func willUpgrade(on session: Session) throws {
    guard let backup = configuration.upgradeBackup else { return }
    try file().create(backup, settings: configuration, on: session)
  }

  /// Returns a handle that opens the file without changing its contents: this one if it is open,
  /// otherwise a new one.
  package func readingAsItIs() throws -> Vault {
    guard case .file(let key) = place, try handle.current() == nil else { return self }
    return try Vault(at: path, key: key, configuration: configuration.forContentsAsTheyAre)
  }

  /// Returns the file at the path, and whether no handle had it open.
  private func openedOrShared() throws -> (file: VaultFile, isNew: Bool) {
    do {
      guard let key = place.key else {
        return (try VaultFile.inMemory(path, settings: configuration), true)
      }
      return try Reopening.whileKeyringChanges(key.keyringFile(besideVault: path)) {
        try openedOrShared(with: key)
      }
    } catch {
      throw namingKeyring(VaultError.from(error, path: path))
    }
  }

  /// Returns the error of a wrong key with the advice to use the keyring that is next to the file.
  private func namingKeyring(_ error: any Error) -> any Error {
    let keyring = KeyringFile(besideVault: path)
    guard var refusal = error as? VaultError, refusal.code == .wrongKey,
      place.key?.keyringFile(besideVault: path) == nil, keyring.exists
    else { return error }
    refusal.detail =
      "The keyring '\(keyring.path)' is next to the file. If the key opens one of its slots, pass it "
      + "as '.keyring(…)'."
    return refusal
  }

  private func openedOrShared(with key: VaultKey) throws -> (file: VaultFile, isNew: Bool) {
    var settings = configuration
    if !settings.isReadOnly, HeldFile.mayOnlyBeRead(path) {
      settings.isReadOnly = true
      settings.logger?.warning(
        "the permissions of the file allow only reading", metadata: ["path": "\(path)"])
    }
    if let file = try fileToShare(isReadOnly: settings.isReadOnly) {
      try checkKey(of: file)
      file.raiseDurability(to: settings.durability)
      return (file, false)
    }
    try HandleRegistry.checkNoneReplaced(at: path)
    let folder = place.folder
    try folder?.make()
    return try Reopening.whileReplaced(path) { identity in
      let (opened, writer) = try OpenedFile.open(path, key: key, settings: settings) {
        identity = $0
      }
      let file = VaultFile(
        path: path, opened: opened, settings: settings, writer: writer, folder: folder)
      try file.checkContent()
      try file.checkNotReplaced()
      HandleRegistry.add(file)
      settings.logger?.debug(
        "opened",
        metadata: ["path": "\(path)", "cipherFormat": "\(opened.cipher.format.rawValue)"])
      return (file, true)
    }
  }

  /// Returns the open file at the path; `nil` if the process does not have it open.
  ///
  /// A change of the keyring opens the file for a moment with settings of its own. This waits for its
  /// end, because the hooks, the author and the keys of this handle would not be used otherwise.
  ///
  /// - Throws: `.busy` if the change takes longer than `busyTimeout`; `.cancelled`.
  private func fileToShare(isReadOnly: Bool) throws -> VaultFile? {
    let end = ContinuousClock.now + configuration.busyTimeout
    while let file = HandleRegistry.file(at: path, isReadOnly: isReadOnly) {
      guard file.settings.isOfKeyring, !configuration.isOfKeyring else { return file }
      guard .now < end else {
        throw VaultError(
          .busy,
          "Another thread is changing the keyring of '\(path)'. Try again when the change has ended."
        )
      }
      try Cancellation.check()
      usleep(2_000)
    }
    return nil
  }

  /// Returns the absolute path with links in its folders resolved, so that each file has one path.
  package static func canonical(_ path: String) throws(VaultError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw VaultError(
        .invalidArgument,
        "The path of the vault is empty or contains a NUL character. Check the path.")
    }
    // The common case: the path exists and is spelled plainly.
    if isPlain(path), let there = resolved(path) { return there }
    let names = URL(fileURLWithPath: path).path.split(separator: "/")
    // The folder may be created later. A path component that does not exist is not a link.
    for count in stride(from: names.count, through: 0, by: -1) {
      guard let there = resolved("/" + names[..<count].joined(separator: "/")) else { continue }
      var whole = there.split(separator: "/")
      for name in names[count...] where name != "." {
        if name == ".." { _ = whole.popLast() } else { whole.append(name) }
      }
      return "/" + whole.joined(separator: "/")
    }
    return path
  }

  /// Returns whether a path is absolute and no component is empty or begins with a dot.
  private static func isPlain(_ path: String) -> Bool {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    var path = path
    return path.withUTF8 { bytes in
      guard bytes.first == slash, bytes.last != slash else { return false }
      return zip(bytes, bytes.dropFirst()).allSatisfy { byte, next in
        byte != slash || (next != slash && next != dot)
      }
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension Vault: DatabaseProvider {}

extension VaultConfiguration {
  /// Throws `.invalidArgument` if a setting is out of range.
  package func validate() throws(VaultError) {
    func check(_ holds: Bool, _ what: String) throws(VaultError) {
      if !holds { throw VaultError(.invalidArgument, "The configuration's \(what).") }
    }
    let sizes = ByteCount.mebibytes(1)...ByteCount.mebibytes(65_536)
    let day = Duration.seconds(86_400)
    try check(
      (.zero...day).contains(busyTimeout), "busyTimeout must be from 0 to 86,400 seconds")
    try check(sizes.contains(writerCache), "writerCache must be from 1 to 65,536 MiB")
    try check(sizes.contains(readerCache), "readerCache must be from 1 to 65,536 MiB")
    try check((1...64).contains(maximumReaders), "maximumReaders must be from 1 to 64")
    try check(
      sizes.contains(writeAheadLogLimit), "writeAheadLogLimit must be from 1 to 65,536 MiB")
    try check(
      (.milliseconds(10)...day).contains(observationInterval),
      "observationInterval must be from 0.01 to 86,400 seconds")
    try check((1...4).contains(minimumCipherFormat), "minimumCipherFormat must be from 1 to 4")
    try check(
      fileHeader == .encrypted || cipherFormat == .native,
      "fileHeader can be .plaintext only if cipherFormat is .native")
    try schema?.validate()
  }

  /// The configuration without all work that the opening of a vault does on its contents.
  package var forContentsAsTheyAre: VaultConfiguration {
    var configuration = self
    configuration.creation = .never
    configuration.schema = nil
    configuration.upgradeBackup = nil
    configuration.expiry = []
    configuration.historyLimit = nil
    configuration.compaction = nil
    return configuration
  }

  /// The time to wait for another process, in whole milliseconds.
  package var busyMilliseconds: Int32 { Int32(busyTimeout / .milliseconds(1)) }

  /// The oldest cipher format that an existing file may have.
  var oldestFormat: ObjectVaultKeys.CipherFormat {
    .init(rawValue: minimumCipherFormat) ?? .format2
  }
}

extension DatabaseOptions {
  /// Creates the options of a vault with this configuration.
  init(_ configuration: VaultConfiguration) {
    self.init()
    logger = configuration.logger
    groupsCommits = configuration.commitGrouping == .on
    allowsRegularExpressions = configuration.allowsRegularExpressions
    observationInterval = configuration.observationInterval
    slowQueryThreshold = configuration.slowQueryThreshold
    recordsQueries = configuration.queryStatistics == .on
  }
}
