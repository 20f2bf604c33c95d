import Foundation
package import ObjectVaultDriver
import ObjectVaultEngine
package import ObjectVaultKeys
import ObjectVaultModel
import ObjectVaultPlatform
import ObjectVaultSchema
package import ObjectVaultSession
import ObjectVaultStores
import Synchronization

/// An encrypted file that is open in this process and shared by every handle on it.
///
/// For a vault in memory it represents the memory database, which only one handle has.
///
/// It owns the sessions. When the last handle releases it, their connections close, then the
/// descriptor.
package final class VaultFile: OpenDatabase, @unchecked Sendable {
  package let path: String
  package let isReadOnly: Bool
  package let settings: VaultConfiguration
  let options: DatabaseOptions
  /// Whether the vault is in memory.
  package let isInMemory: Bool
  /// The folder that is removed together with the file of a temporary vault.
  let folder: PrivateFolder?
  /// The database file and its cipher; replaced by a rekey, `nil` in memory.
  package let openedFile: Locked<OpenedFile?>
  /// The connections, in read scopes and transactions.
  package let sessions: SessionPool
  /// The state that stores share.
  let state = OpenDatabaseState()
  /// The hook that retains the copy for an upgrade.
  let upgradeBackups = UpgradeBackupHook()
  /// The hook that states the authors of changes.
  let authors: AuthorHook
  /// Whether the file has the program's schema, so that connections are ready for use.
  let isReady = Atomic<Bool>(false)
  /// Whether a later handle requested the durability `.powerFailure`.
  let syncsCommits = Atomic<Bool>(false)

  init(
    path: String, opened: OpenedFile?, settings: VaultConfiguration, writer: Session?,
    folder: PrivateFolder? = nil
  ) {
    self.path = path
    isInMemory = opened == nil
    self.folder = folder
    let openedFile = Locked(opened)
    self.openedFile = openedFile
    self.settings = settings
    options = DatabaseOptions(settings)
    authors = AuthorHook(author: settings.author)
    isReadOnly = settings.isReadOnly
    sessions = SessionPool(
      name: path, writer: writer, hasOneSession: opened == nil, readers: settings.maximumReaders,
      timeout: settings.busyTimeout,
      groupLimits: settings.commitGrouping == .on ? settings.groupLimits : nil
    ) {
      guard let opened = openedFile.withLock({ $0 }) else { throw VaultError.inMemory(path) }
      // Check before, so that another file is not taken for a damaged one, and after, because the
      // file may have been replaced in between.
      try Self.checkPath(path, leadsTo: opened.held.identity)
      let session = try opened.connect(.reader, path: path, settings: settings)
      try Self.checkPath(path, leadsTo: opened.held.identity)
      return session
    }
    sessions.belong(
      to: self,
      hooks: storeHooks()
        + [
          UnusedContentsHook(), authors, CommitCounterHook(), LogLimitHook(of: self),
          upgradeBackups,
        ])
  }

  deinit {
    guard sessions.process == ProcessNumber.current else { return sessions.abandon() }
    let identity = identity
    if sessions.isRemoved { HandleRegistry.remove(self, with: identity) }
    // The order matters: the descriptor closes after the last connection.
    sessions.readers.close()
    // The descriptor stays open too, because closing it would drop the locks of the connections.
    guard settleLog() else {
      HandleRegistry.remove(self, with: identity)
      return sessions.abandon()
    }
    removeEmptyLog()
    sessions.writer = nil
    // The pool may outlive the file and would retain the key.
    openedFile.withLock { $0.take() }?.close()
    folder?.remove()
    // Until now, no other file at the path could be opened.
    HandleRegistry.remove(self, with: identity)
  }

  /// The database file and its cipher; `nil` in memory.
  package var opened: OpenedFile? { openedFile.withLock { $0 } }

  /// The encryption parameters of the file; `nil` in memory, which is not encrypted.
  var cipher: CipherInfo? { openedFile.withLock { $0?.cipher.info } }

  /// Whether the file is removed with the vault.
  package var isTemporary: Bool { folder != nil }

  /// The keys of sealed values, from the configuration or the keyring.
  package var sealingKeys: SealingKeys? { settings.sealingKeys ?? opened?.keyring?.sealingKeys }

  func makeSealer() throws -> (any ValueSealer)? {
    guard let sealingKeys else { return nil }
    return try VaultSealer(sealingKeys, erasableKeys: settings.erasableKeys, path: path)
  }

  /// The keyring's identifier of the vault, if the key is from a keyring.
  var requiredID: UUID? { opened?.keyring?.vaultID }

  /// The keyring that provided the key.
  package var keyringFile: KeyringFile? { opened?.keyring?.file }

  /// The file's identity, by which handles find each other; `nil` in memory.
  package var identity: HeldFile.Identity? { openedFile.withLock { $0?.held.identity } }

  var location: String { path }

  /// Whether the path still leads to the file.
  var isInPlace: Bool { HeldFile.Identity(path: path) == identity }

  /// The other open instances of the same file in this process.
  var others: [any OpenDatabase] {
    identity.map { HandleRegistry.files(with: $0).filter { $0 !== self } } ?? []
  }

  let dialect: any Dialect = SQLiteDialect()

  func allowReadersDuringWrites(on session: Session) throws {
    try SystemTables(session).enterWriteAheadLog()
  }

  /// Throws if the content of the file does not suit this library or its keyring.
  ///
  /// - Throws: `.newerFormat` if a newer version of the library wrote the file; `.keyringMismatch`
  ///   and `.keyringRolledBack` if the keyring is the wrong one.
  func checkContent() throws {
    func check(_ session: Session) throws {
      let system = SystemTables(session)
      try system.checkFormat(path: path)
      if let keyring = opened?.keyring { try system.check(keyring, path: path) }
    }
    // Use the writer: a reader would have to be opened for this, and no other thread uses the file
    // yet.
    guard let writer = sessions.writer else { return try read(check) }
    try describingErrors { try excludingWriters { try check(writer) } }
    noteLog(of: writer)
  }

  /// Returns whether `key` is the key that opened the file.
  ///
  /// - Throws: `.keyringMismatch` and `.keyringRolledBack` if the key is from a keyring that was
  ///   replaced by the wrong one since the file was opened; the errors of the key.
  func accepts(_ key: VaultKey) throws -> Bool {
    guard let opened else { return false }
    let resolved = try key.resolve(besideVault: path)
    guard try opened.cipher.isOpened(by: resolved) else { return false }
    if case .keyring(let unlocked) = resolved {
      try read { try SystemTables($0).check(unlocked, path: path) }
    }
    return true
  }
}
