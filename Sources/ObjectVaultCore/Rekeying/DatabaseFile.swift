import Foundation
import ObjectVaultEngine
public import ObjectVaultKeys

/// A database file that this process has not open: a vault, what another program made with SQLCipher,
/// or an SQLite database in clear.
///
/// Nothing of this library's is written into a file of another program's.
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

  /// Names a file and what opens it. Nothing is opened yet.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: What encrypts it; `nil` for an SQLite database in clear.
  ///   - cipherFormat: The cipher format of the file, 1 to 4, where it must not be found out. With a
  ///     raw key formats 2 and 3 look the same, and a new passphrase is stretched differently in each.
  ///     Format 1, whose pages carry no authentication codes, is accepted only if it is named here.
  ///   - pageSize: The size of its pages in bytes, where it must not be found out.
  ///   - derivationRounds: The rounds of the passphrase's derivation, where `PRAGMA kdf_iter` set
  ///     others than its format has, and others than 1, 4,000, 64,000 and 256,000.
  ///   - pageAuthentication: How its pages are authenticated, where that must not be found out.
  ///   - busyTimeout: How long to wait for another process, in seconds.
  /// - Throws: ``VaultError``: `.noKey` and `.invalidKey` for a key that cannot be one,
  ///   `.invalidArgument` for a path or a number that cannot be.
  public init(
    at path: String, key: VaultKey?, cipherFormat: Int? = nil, pageSize: Int? = nil,
    derivationRounds: Int? = nil, pageAuthentication: PageAuthenticationSettings = .init(),
    busyTimeout: Double = 5
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
      throw VaultError(.invalidArgument, "Cipher formats are 1, 2, 3 and 4, not \(number).")
    }
    return format
  }

  static func knownPageSize(_ size: Int) throws(VaultError) -> Int {
    guard CipherFormat.pageSizes.contains(size) else {
      throw VaultError(
        .invalidArgument,
        "A page has 512, 1024, 2048, 4096, 8192, 16384, 32768 or 65536 bytes, not \(size).")
    }
    return size
  }

  /// - Throws: `.busy` where this process has the file open.
  static func checkNotOpen(_ path: String) throws(VaultError) {
    guard let identity = HeldFile.Identity(path: path) else { return }
    if !HandleRegistry.files(with: identity).isEmpty {
      throw VaultError(
        .busy,
        "This process has '\(path)' open as a vault. Work on it through that vault, or close it first."
      )
    }
  }
}

/// A file whose key was proved, while an operation on it lasts.
struct ProvedFile {
  let source: FileRewriting.Source
  /// `nil` for a file in clear.
  let key: ResolvedKey?
  /// What is known of the vault in it.
  let vault: VaultIdentity
}

extension DatabaseFile {
  /// Proves that the key opens the file, and closes it again. Nothing is changed.
  ///
  /// - Throws: ``VaultError`` `.wrongKey` and the other errors of opening a file.
  public func prove() throws {
    try whileOpen(isWritable: false, { _ in }) { _ in }
  }

  /// Calls `body` with the file, whose key is proved and which nobody of this process opens meanwhile.
  ///
  /// - Parameters:
  ///   - isWritable: Whether the file itself is to be replaced.
  ///   - needsIdentity: Whether the vault's identifier is needed whatever the key is.
  ///   - progress: Told that the work begins: to stretch a passphrase can take long.
  func whileOpen<R>(
    isWritable: Bool, needsIdentity: Bool = false,
    _ progress: (RekeyProgress) throws -> Void, _ body: (ProvedFile) throws -> R
  ) throws -> R {
    do {
      try progress(.beginning)
      return try HandleRegistry.whileOpening(path) {
        try Self.checkNotOpen(path)
        let engine = try Engine.prove()
        // Where a log or a journal was left beside it, reading it means to play that in.
        let mayWrite = isWritable || access(path, W_OK) == 0
        let (held, _) = try HeldFile.acquire(path, readOnly: !mayWrite, creating: false)
        defer { held.release() }
        guard let key else {
          try checkClear(held)
          try FileEncryption(inClear: path, held: held).screenSchema(of: path, held: held)
          let source = FileRewriting.Source(
            path: path, held: held, cipher: nil, isWritable: mayWrite)
          let vault = needsIdentity ? try source.identity(settings) : .new
          return try body(ProvedFile(source: source, key: nil, vault: vault))
        }
        let resolved = try key.resolve(besideVault: path)
        let opened = try OpenedFile(
          recognising: path, held: held, key: key, resolved: resolved, engine: engine,
          by: recogniser(engine))
        try FileEncryption(opened.cipher).screenSchema(of: path, held: held)
        let source = opened.source(path, isWritable: mayWrite)
        var vault = VaultIdentity.new
        if needsIdentity || opened.keyring != nil {
          vault = try source.identity(settings, checking: opened.keyring)
        }
        vault.salt = opened.cipher.salt
        return try body(ProvedFile(source: source, key: resolved, vault: vault))
      }
    } catch let error as EngineError where error.code == .notADatabase && key == nil {
      // There is no key that could be the wrong one.
      throw VaultError(
        .damaged,
        "'\(path)' begins like an SQLite database in clear, but its first page is damaged or cut "
          + "short. Restore it from a backup.", engineCode: error.resultCode, underlying: error)
    } catch {
      throw VaultError.from(error, path: path)
    }
  }

  /// What recognises the file: authenticated formats with whatever settings, and what is named.
  func recogniser(_ engine: EngineInfo) -> FormatRecogniser {
    FormatRecogniser(
      formats: cipherFormat.map { [$0] } ?? engine.formatsToTry(from: .format2),
      pageSize: pageSize, rounds: derivationRounds, named: named)
  }

  private func checkClear(_ held: HeldFile) throws {
    let start = try held.read(at: 0, count: 16)
    guard !start.isEmpty else {
      throw VaultError(.empty, "'\(path)' has no content. Check the path.")
    }
    guard CipherFormat.isPlain(start) else {
      throw VaultError(
        .invalidArgument,
        "'\(path)' is no SQLite database in clear: it is encrypted already, or of another kind. Give "
          + "its key, or check the path.")
    }
  }
}

extension FileRewriting.Source {
  /// What a keyring must be told of the vault in the file, which must go with its present one.
  func identity(
    _ settings: VaultConfiguration, checking keyring: KeyringFacts? = nil
  ) throws -> VaultIdentity {
    let connection = try connect(settings)
    defer { try? connection.close() }
    let system = SystemTables(VaultConnection(connection))
    if let keyring { try system.check(keyring, path: path) }
    return try system.identity
  }
}
