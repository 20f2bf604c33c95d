import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys
import Synchronization

/// An encrypted file that is open in this process and shared by every handle on it.
///
/// For a vault in memory it represents the memory database, which only one handle has.
///
/// It owns the connections: one writer, guarded by the writer lock, and a pool of readers. When the
/// last handle releases it, the connections close, then the descriptor.
///
/// A memory database has a single connection. Readers acquire the writer lock too, and an
/// iteration, which must not see changes, reads a copy.
final class VaultFile: @unchecked Sendable {
  let path: String
  let isReadOnly: Bool
  let settings: VaultConfiguration
  /// Whether the vault is in memory.
  let isInMemory: Bool
  /// The folder that is removed together with the file of a temporary vault.
  let folder: PrivateFolder?
  /// The database file and its cipher; replaced by a rekey, `nil` in memory.
  let openedFile: Locked<OpenedFile?>
  let gate: WriterGate
  let readers: ReaderPool
  /// The writer connection.
  ///
  /// Accessed only while the writer lock is held.
  @exclusivity(unchecked) var writerConnection: VaultConnection?
  /// The transactions in progress.
  ///
  /// Accessed only while the writer lock is held.
  @exclusivity(unchecked) var transactions = TransactionStack()
  /// The writes that wait for the commit of the transaction in progress.
  ///
  /// Accessed only while the writer lock is held.
  @exclusivity(unchecked) var group: CommitGroup?
  /// Whether the transaction in progress may rebuild tables.
  ///
  /// Accessed only while the writer lock is held.
  @exclusivity(unchecked) var isRebuilding = false
  let removed = Atomic<Bool>(false)
  /// The process that opened the file.
  ///
  /// The engine's locks and connections cannot be used in a forked process.
  let process = ProcessNumber.current
  /// Whether the file has the program's schema, so that connections are ready for use.
  let isReady = Atomic<Bool>(false)
  let tables = Locked(KnownTables())
  /// The number of the next free statement slot.
  ///
  /// Slots are numbered separately for each opening of a file, so that the slot tables do not grow
  /// when files are reopened.
  let nextSlot = Atomic<Int>(0)
  let listeners = Locked<[WeakReference<EventCenter>]>([])
  private let madeLanes = MadeOnce<Lanes>()
  private let madeObservers = MadeOnce<ObserverCenter>()

  init(
    path: String, opened: OpenedFile?, settings: VaultConfiguration, writer: VaultConnection?,
    folder: PrivateFolder? = nil
  ) {
    self.path = path
    isInMemory = opened == nil
    self.folder = folder
    let openedFile = Locked(opened)
    self.openedFile = openedFile
    self.settings = settings
    isReadOnly = settings.isReadOnly
    gate = WriterGate(name: path)
    readers = ReaderPool(
      path: path, limit: settings.maximumReaders, timeout: settings.busyTimeout
    ) {
      guard let opened = openedFile.withLock({ $0 }) else { throw VaultError.inMemory(path) }
      // Check before, so that another file is not taken for a damaged one, and after, because the
      // file may have been replaced in between.
      try Self.checkPath(path, leadsTo: opened.held.identity)
      let connection = try opened.connect(.reader, path: path, settings: settings)
      try Self.checkPath(path, leadsTo: opened.held.identity)
      return connection
    }
    writerConnection = writer
    readers.belong(to: self)
  }

  deinit {
    guard process == ProcessNumber.current else { return abandon() }
    // The order matters: the descriptor closes after the last connection.
    HandleRegistry.remove(self)
    readers.close()
    emptyAbandonedLog()
    removeEmptyLog()
    writerConnection = nil
    // The pool may outlive the file and would retain the key.
    openedFile.withLock { $0.take() }?.close()
    folder?.remove()
  }

  /// Leaves everything open, in a process that was forked after the file was opened.
  ///
  /// Closing a connection could write to the file, and the folder belongs to the other process.
  private func abandon() {
    _ = Unmanaged.passRetained(readers)
    if let writerConnection { _ = Unmanaged.passRetained(writerConnection) }
  }

  /// Checkpoints the log into its own file if another file is now at the path.
  ///
  /// Newer engines leave such a log in place when they close, and the next process to open the
  /// other file would replay it into that file.
  private func emptyAbandonedLog() {
    guard let writerConnection, let identity, HeldFile.Identity(path: path) != identity else {
      return
    }
    _ = try? writerConnection.engine.checkpoint(.truncate)
  }

  /// The executors of asynchronous operations, created on first use.
  var lanes: Lanes {
    madeLanes.value(
      orMake: Lanes(name: String(path.fileName), readers: settings.maximumReaders))
  }

  /// The observers of the file's content, if any were ever created.
  var presentObservers: ObserverCenter? { madeObservers.present }

  /// The observers of the file's content, created on first use.
  var observers: ObserverCenter {
    madeObservers.value(orMake: ObserverCenter(of: self))
  }

  /// The database file and its cipher; `nil` in memory.
  var opened: OpenedFile? { openedFile.withLock { $0 } }

  /// The encryption parameters of the file; `nil` in memory, which is not encrypted.
  var cipher: CipherFacts? { openedFile.withLock { $0?.cipher.facts } }

  /// Whether the file is removed with the vault.
  var isTemporary: Bool { folder != nil }

  /// The keyring's identifier of the vault, if the key is from a keyring.
  var keyringVaultID: UUID? { opened?.keyring?.vaultID }

  /// The keyring that provided the key.
  var keyringFile: KeyringFile? { opened?.keyring?.file }

  /// The file's identity, by which handles find each other; `nil` in memory.
  var identity: HeldFile.Identity? { openedFile.withLock { $0?.held.identity } }

  /// The other open instances of the same file in this process.
  var others: [VaultFile] {
    identity.map { HandleRegistry.files(with: $0).filter { $0 !== self } } ?? []
  }

  /// Throws if the content of the file does not suit this library or its keyring.
  ///
  /// - Throws: `.newerFormat` if a newer version of the library wrote the file; `.keyringMismatch`
  ///   and `.keyringRolledBack` if the keyring is the wrong one.
  func checkContent() throws {
    func check(_ connection: VaultConnection) throws {
      let system = SystemTables(connection)
      try system.checkFormat(path: path)
      if let keyring = opened?.keyring { try system.check(keyring, path: path) }
    }
    // Use the writer: a reader would have to be opened for this, and no other thread uses the file
    // yet.
    guard let writerConnection else { return try read(check) }
    try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      try check(writerConnection)
    }
  }

  /// Returns whether `key` is the key that opened the file.
  func accepts(_ key: VaultKey) throws -> Bool {
    try opened?.accepts(key, path: path) ?? false
  }
}
