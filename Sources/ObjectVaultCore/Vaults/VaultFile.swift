import Foundation
import ObjectVaultEngine
import ObjectVaultKeys
import Synchronization

/// One encrypted file that is open in this process, shared by every handle on it; or what stands for one
/// in memory, which only its own handle has.
///
/// It owns the connections: one that writes, entered through the gate, and a pool that reads. When
/// the last handle lets go of it, the connections close, then the descriptor.
///
/// What is in memory is seen by one connection alone. Who reads it enters the gate as well, and an
/// iteration, which nothing may change, goes over a copy.
final class VaultFile: @unchecked Sendable {
  let path: String
  let isReadOnly: Bool
  let settings: VaultConfiguration
  /// Whether it is in no file.
  let isInMemory: Bool
  /// The folder that goes with the file of a temporary vault.
  let folder: PrivateFolder?
  /// Another one after a rekey; `nil` in memory.
  let openedFile: Locked<OpenedFile?>
  let gate: WriterGate
  let readers: ReaderPool
  /// Touched only inside the gate.
  @exclusivity(unchecked) var writerConnection: VaultConnection?
  /// Touched only inside the gate.
  @exclusivity(unchecked) var transactions = TransactionStack()
  /// Those who wait for the commit of the transaction in progress. Touched only inside the gate.
  @exclusivity(unchecked) var group: CommitGroup?
  /// Whether the transaction in progress may make tables anew. Touched only inside the gate.
  @exclusivity(unchecked) var isRebuilding = false
  let removed = Atomic<Bool>(false)
  /// The process that opened it: the engine's locks and connections are of no use in a forked one.
  let process = ProcessNumber.current
  /// Whether the file is as the program's schema wants it, so that connections are ready for use.
  let isReady = Atomic<Bool>(false)
  let tables = Locked(KnownTables())
  /// The first slot for statements that no table of the file has. Slots are numbered for each opening of a file,
  /// so that opening files again and again does not make the tables of slots grow.
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
      // Before, so that no other file is taken for a damaged one; after, since it may have come
      // in between.
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
    // The order matters: the descriptor goes after the last connection.
    HandleRegistry.remove(self)
    readers.close()
    emptyAbandonedLog()
    removeEmptyLog()
    writerConnection = nil
    // The pool may outlive the file, and would keep the key.
    openedFile.withLock { $0.take() }?.close()
    folder?.remove()
  }

  /// Leaves everything as it is, in a process that was forked since the file was opened: to close a
  /// connection could write into the file, and the folder belongs to the other process.
  private func abandon() {
    _ = Unmanaged.passRetained(readers)
    if let writerConnection { _ = Unmanaged.passRetained(writerConnection) }
  }

  /// Moves the log into the file that it belongs to, where another one stands at the path now.
  ///
  /// Newer engines leave such a log as it is when they close, and whoever opened the other file
  /// next would have it played into that one.
  private func emptyAbandonedLog() {
    guard let writerConnection, let identity, HeldFile.Identity(path: path) != identity else {
      return
    }
    _ = try? writerConnection.engine.checkpoint(.truncate)
  }

  /// Where asynchronous operations run; made with the first one.
  var lanes: Lanes {
    madeLanes.value(
      orMake: Lanes(name: String(path.fileName), readers: settings.maximumReaders))
  }

  /// Those who observe what is in the file, where anybody ever did.
  var presentObservers: ObserverCenter? { madeObservers.present }

  /// Those who observe what is in the file; made with the first one.
  var observers: ObserverCenter {
    madeObservers.value(orMake: ObserverCenter(of: self))
  }

  /// What the file is encrypted with; `nil` in memory.
  var opened: OpenedFile? { openedFile.withLock { $0 } }

  /// How the file is encrypted; `nil` in memory, where nothing is.
  var cipher: CipherFacts? { openedFile.withLock { $0?.cipher.facts } }

  /// Whether the file goes with the vault.
  var isTemporary: Bool { folder != nil }

  /// The identifier that the keyring has for the vault, where the key is from one.
  var keyringVaultID: UUID? { opened?.keyring?.vaultID }

  /// The keyring that the key is from.
  var keyringFile: KeyringFile? { opened?.keyring?.file }

  /// The file's identity, by which handles find each other; `nil` in memory.
  var identity: HeldFile.Identity? { openedFile.withLock { $0?.held.identity } }

  /// The other open files of this process that are the same one.
  var others: [VaultFile] {
    identity.map { HandleRegistry.files(with: $0).filter { $0 !== self } } ?? []
  }

  /// - Throws: `.newerFormat` where a newer version of the library wrote the file;
  ///   `.keyringMismatch` and `.keyringRolledBack` where its keyring is not the one.
  func checkContent() throws {
    func check(_ connection: VaultConnection) throws {
      let system = SystemTables(connection)
      try system.checkFormat(path: path)
      if let keyring = opened?.keyring { try system.check(keyring, path: path) }
    }
    // A reader would have to be opened for it, and nobody else uses the file yet.
    guard let writerConnection else { return try read(check) }
    try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      try check(writerConnection)
    }
  }

  /// Whether `key` is the one the file was opened with.
  func accepts(_ key: VaultKey) throws -> Bool {
    try opened?.accepts(key, path: path) ?? false
  }
}
