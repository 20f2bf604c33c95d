import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
public import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// A database file that is not open in this process: a vault, a file of another program that uses
/// SQLCipher, or an unencrypted SQLite database.
///
/// The library writes none of its own data into a file of another program.
///
/// ```swift
/// let file = try DatabaseFile(at: "old.db", key: .passphrase("old words"))
/// try file.rekey(to: .passphrase("new words"))
/// ```
public struct DatabaseFile: Sendable {
  /// The absolute path of the file.
  public let path: String
  let key: VaultKey?
  let cipherFormat: CipherFormat?
  let pageSize: Int?
  let derivationRounds: Int?
  let named: NamedCipherSettings
  let settings: VaultConfiguration

  /// Creates a description of a file and its key.
  ///
  /// The file is not opened yet.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: The key of the file; `nil` for an unencrypted SQLite database.
  ///   - cipherFormat: The cipher format of the file, 1 to 4, or `nil` to detect it. With a raw
  ///     key, formats 2 and 3 cannot be distinguished, and each stretches a new passphrase
  ///     differently. Format 1, whose pages carry no authentication codes, is accepted only if it
  ///     is named here.
  ///   - pageSize: The page size in bytes, or `nil` to detect it.
  ///   - derivationRounds: The rounds of the passphrase derivation. Required only if `PRAGMA
  ///     kdf_iter` set a number that is neither the default of the format nor 1, 4,000, 64,000 or
  ///     256,000.
  ///   - pageAuthentication: The page authentication settings. Settings that are `nil` are
  ///     detected.
  ///   - busyTimeout: The time to wait for another process, from 0 to 1 day.
  /// - Throws: ``VaultError``: `.noKey` and `.invalidKey` for an invalid key, `.invalidArgument`
  ///   for an invalid path or number.
  public init(
    at path: String, key: VaultKey?, cipherFormat: Int? = nil, pageSize: Int? = nil,
    derivationRounds: Int? = nil, pageAuthentication: PageAuthenticationSettings = .init(),
    busyTimeout: Duration = .seconds(5)
  ) throws {
    self.path = try Vault.canonical(path)
    self.key = key
    self.cipherFormat = try cipherFormat.map(Self.knownFormat)
    self.pageSize = try pageSize.map(Self.knownPageSize)
    self.derivationRounds = derivationRounds
    named = try pageAuthentication.named
    var settings = VaultConfiguration()
    settings.busyTimeout = busyTimeout
    try settings.validate()
    self.settings = settings
    do {
      try key?.validate()
    } catch {
      throw VaultError(error, path: path)
    }
  }

  static func knownFormat(_ number: Int) throws(VaultError) -> CipherFormat {
    guard let format = CipherFormat(rawValue: number) else {
      throw VaultError(.invalidArgument, "\(number) is not a cipher format. Use 1, 2, 3 or 4.")
    }
    return format
  }

  static func knownPageSize(_ size: Int) throws(VaultError) -> Int {
    guard CipherFormat.pageSizes.contains(size) else {
      throw VaultError(
        .invalidArgument,
        "\(size) bytes is not a page size. Use 512, 1024, 2048, 4096, 8192, 16384, 32768 or 65536.")
    }
    return size
  }

  /// Checks that this process does not have the file open, or one that was at the path before.
  ///
  /// - Throws: `.busy` if it does.
  static func checkNotOpen(_ path: String) throws(VaultError) {
    try HandleRegistry.checkNoneReplaced(at: path)
    guard let identity = HeldFile.Identity(path: path) else { return }
    if !HandleRegistry.files(with: identity).isEmpty {
      throw VaultError(
        .busy,
        "This process has '\(path)' open as a vault. Use that vault, or close it first.")
    }
  }

  /// Waits until this process has closed the file.
  ///
  /// A vault that closes is still open until its last connection is closed. Locks do not exclude
  /// connections of the same process.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - timeout: The longest time to wait.
  /// - Throws: `.busy` if the file is still open after that time; `.cancelled`.
  static func waitUntilClosed(_ path: String, within timeout: Duration) throws {
    guard let identity = HeldFile.Identity(path: path) else { return }
    let deadline = ContinuousClock.now + timeout
    while HeldFile.isHeld(identity) {
      guard ContinuousClock.now < deadline else {
        throw VaultError(
          .busy,
          "This process is still closing or reading '\(path)' after \(timeout). Wait until it has "
            + "finished, and try again.")
      }
      try Cancellation.check()
      usleep(1000)
    }
  }
}

/// The cause of `.replaced` if nothing of the work was done yet, so that it can begin again.
struct ReplacedBeforeWork: Error {}

/// A file with a proven key, during an operation on it.
struct ProvedFile {
  let source: FileRewriting.Source
  /// The key, or `nil` for an unencrypted file.
  let key: ResolvedKey?
  /// The known facts about the vault in the file.
  let vault: VaultIdentity
}

extension DatabaseFile {
  /// Checks that the key opens the file, and closes the file again.
  ///
  /// Nothing is changed.
  ///
  /// - Throws: ``VaultError`` `.wrongKey` and the other errors of opening a file.
  public func prove() throws {
    try whileOpen(isWritable: false, { _ in }) { _ in }
  }

  /// Calls `body` with the file after its key was proven.
  ///
  /// This process cannot open the file during the call.
  ///
  /// - Parameters:
  ///   - isWritable: Whether the file itself will be replaced.
  ///   - needsIdentity: Whether the vault's identifier is required for every kind of key.
  ///   - progress: Receives a report before the work begins, because stretching a passphrase can
  ///     take long.
  ///   - body: The operation.
  /// - Returns: The result of `body`.
  /// - Throws: ``VaultError`` of opening the file, and the errors of `progress` and `body`.
  func whileOpen<R>(
    isWritable: Bool, needsIdentity: Bool = false,
    _ progress: (RekeyProgress) throws -> Void, _ body: (ProvedFile) throws -> R
  ) throws -> R {
    do {
      try progress(.beginning)
      return try HandleRegistry.whileOpening(path) {
        try Self.checkNotOpen(path)
        let engine = try Engine.prove()
        // If a log or a journal was left next to the file, reading the file plays it in. That of
        // another name must not be played into the same file.
        let mayWrite = isWritable || access(path, W_OK) == 0 && HeldFile.nameCount(path) <= 1
        return try Reopening.whileReplaced(path) { identity in
          if mayWrite { try LogsAside.restore(of: path) }
          let (held, _) = try HeldFile.acquire(path, readOnly: !mayWrite, creating: false)
          defer { held.release() }
          identity = held.identity
          if isWritable { try RewritingPreconditions.checkOneName(path) }
          let file = try Reopening.whileKeyringChanges(key?.keyringFile(besideVault: path)) {
            try proved(
              held, engine, isWritable: isWritable, mayWrite: mayWrite,
              needsIdentity: needsIdentity)
          }
          do {
            identity = nil
            return try body(file)
          } catch let error as VaultError where error.underlying is ReplacedBeforeWork {
            identity = held.identity
            throw error
          }
        }
      }
    } catch let error as DriverError where error.code == .notADatabase && key == nil {
      // Without a key, the key cannot be the cause.
      throw VaultError(
        .damaged,
        "'\(path)' begins like an unencrypted SQLite database, but its first page is damaged or "
          + "truncated. Restore it from a backup.",
        engineCode: error.resultCode, underlying: error)
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// Returns the file after its key was proven.
  private func proved(
    _ held: HeldFile, _ engine: EngineInfo, isWritable: Bool, mayWrite: Bool, needsIdentity: Bool
  ) throws -> ProvedFile {
    guard let key else {
      try checkClear(held)
      try FileEncryption(inClear: path, held: held).screenSchema(
        of: path, held: held, mayWrite: mayWrite, busyTimeout: settings.busyMilliseconds)
      let source = FileRewriting.Source(
        path: path, held: held, cipher: nil, isWritable: mayWrite, erasesLogs: isWritable)
      let vault = needsIdentity ? try source.identity(settings) : .new
      return ProvedFile(source: source, key: nil, vault: vault)
    }
    let resolved = try key.resolve(besideVault: path)
    let opened = try OpenedFile(
      recognising: path, held: held, key: key, resolved: resolved, engine: engine,
      by: recogniser(engine))
    try FileEncryption(opened.cipher).screenSchema(
      of: path, held: held, mayWrite: mayWrite, busyTimeout: settings.busyMilliseconds)
    let source = opened.source(path, isWritable: mayWrite)
    var vault = VaultIdentity.new
    if needsIdentity || opened.keyring != nil {
      vault = try source.identity(settings, checking: opened.keyring)
    }
    vault.salt = opened.cipher.salt
    return ProvedFile(source: source, key: resolved, vault: vault)
  }

  /// Returns the detector for the file: for the named settings, or for all authenticated formats.
  func recogniser(_ engine: EngineInfo) -> FormatRecogniser {
    FormatRecogniser(
      formats: cipherFormat.map { [$0] } ?? engine.formatsToTry(from: .format2),
      pageSize: pageSize, rounds: derivationRounds, named: named)
  }

  private func checkClear(_ held: HeldFile) throws {
    let start = try held.read(at: 0, count: FileStart.count)
    guard !start.isEmpty else {
      throw VaultError(.empty, "'\(path)' is empty. Check the path.")
    }
    guard CipherFormat.isPlain(start), !CipherFormat.hasPlaintextHeader(start) else {
      throw VaultError(
        .invalidArgument,
        "'\(path)' is not an unencrypted SQLite database: it is already encrypted, or of another "
          + "kind. Provide its key, or check the path.")
    }
  }
}

extension FileRewriting.Source {
  /// Returns the identity of the vault in the file, for a keyring.
  ///
  /// Checks the present keyring if given.
  func identity(
    _ settings: VaultConfiguration, checking keyring: KeyringFacts? = nil
  ) throws -> VaultIdentity {
    let session = try connect(settings)
    defer { try? session.close() }
    let system = SystemTables(Session(session))
    if let keyring { try system.check(keyring, path: path) }
    return try system.identity
  }
}
