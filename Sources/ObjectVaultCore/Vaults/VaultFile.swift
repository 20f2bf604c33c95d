import Foundation
import ObjectVaultEngine
import ObjectVaultKeys
import Synchronization

/// One encrypted file that is open in this process, shared by every handle on it.
///
/// It owns the connections: one that writes, entered through the gate, and a pool that reads. When
/// the last handle lets go of it, the connections close, then the descriptor.
final class VaultFile: @unchecked Sendable {
  let path: String
  let isReadOnly: Bool
  let lanes: Lanes
  let settings: VaultConfiguration
  private let opened: OpenedFile
  private let gate: WriterGate
  private let readers: ReaderPool
  /// Touched only inside the gate.
  private var writerConnection: VaultConnection?
  /// Touched only inside the gate.
  private var transactions = TransactionStack()
  private let isRemoved = Atomic<Bool>(false)
  private let stores = Mutex<[TableKey: TableState]>([:])
  private let listeners = Mutex<[Listener]>([])

  init(
    path: String, opened: OpenedFile, settings: VaultConfiguration, writer: VaultConnection?
  ) {
    self.path = path
    self.opened = opened
    self.settings = settings
    isReadOnly = settings.isReadOnly
    gate = WriterGate(name: path)
    lanes = Lanes(
      name: URL(fileURLWithPath: path).lastPathComponent, readers: settings.maximumReaders)
    readers = ReaderPool(limit: settings.maximumReaders) {
      try opened.connect(.reader, path: path, settings: settings)
    }
    writerConnection = writer
  }

  deinit {
    // The order matters: the descriptor goes after the last connection.
    readers.drain()
    writerConnection = nil
    opened.close()
  }

  /// What the file is encrypted with.
  var cipher: CipherFacts { opened.cipher }

  /// The file's identity, by which handles find each other.
  var identity: HeldFile.Identity { opened.held.identity }

  /// - Throws: `.newerFormat` where a newer version of the library wrote the file.
  func checkFormat() throws {
    try read { try SystemTables($0).checkFormat(path: path) }
  }

  /// Whether `key` is the one the file was opened with.
  func accepts(_ key: VaultKey) throws -> Bool { try opened.accepts(key) }

  // MARK: Reading

  /// Calls `body` with a connection that reads: the writer inside a transaction of this thread,
  /// which sees what it has not committed yet, else one of the pool.
  func read<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    if gate.isHeldByCurrentThread {
      return try write(body)
    }
    return try mappingErrors {
      try readers.withConnection { connection in
        try checkUsable()
        try checkNotReplaced(connection, every: .milliseconds(50))
        return try cancellable(connection) { try body(connection) }
      }
    }
  }

  /// Calls `body` while every read of this thread sees one and the same state of the file.
  func readScope<R>(_ body: () throws -> R) throws -> R {
    if gate.isHeldByCurrentThread { return try body() }
    return try mappingErrors {
      try readers.withScope { connection, isOutermost in
        guard isOutermost else { return try body() }
        try checkUsable()
        try checkNotReplaced(connection, every: .milliseconds(50))
        try connection.execute("BEGIN DEFERRED")
        defer { try? connection.execute("COMMIT") }
        return try body()
      }
    }
  }

  /// Takes a reading connection for as long as an iteration lasts.
  func leaseReader() throws -> VaultConnection {
    try mappingErrors {
      try checkUsable()
      let connection = try readers.lease()
      try checkNotReplaced(connection, every: .milliseconds(50))
      return connection
    }
  }

  /// Gives a leased connection back.
  func endLease(_ connection: VaultConnection) { readers.endLease(connection) }

  // MARK: Writing

  /// Calls `body` with the connection that writes, alone among all threads.
  func write<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      let connection = try writer()
      do {
        return try cancellable(connection) { try body(connection) }
      } catch {
        transactions.noteFailure(on: connection)
        throw error
      }
    }
  }

  /// Calls `body` inside a transaction, or inside a savepoint of the one this thread is in.
  ///
  /// - Parameter isShown: Whether tasks made inside `body` must know of the transaction: for
  ///   closures of an application, not for the library's own.
  func transaction<R>(isShown: Bool = false, _ body: (VaultConnection) throws -> R) throws -> R {
    let (result, committed) = try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      let connection = try writer()
      try transactions.begin(on: connection)
      do {
        let result = try cancellable(connection) {
          isShown ? try marked { try body(connection) } : try body(connection)
        }
        try Cancellation.check()
        try transactions.commit(on: connection)
        return (result, transactions.takeCommittedActions())
      } catch {
        transactions.rollBack(on: connection)
        throw error
      }
    }
    for action in committed { action() }
    return result
  }

  /// Runs `action` once what this thread's transaction did so far is committed, outside every
  /// lock; never when it is undone; at once outside a transaction.
  func afterCommit(_ action: @escaping () -> Void) {
    if isInTransaction { transactions.addAction(action) } else { action() }
  }

  /// Whether this thread is inside a transaction of this file.
  var isInTransaction: Bool { gate.isHeldByCurrentThread && transactions.isActive }

  private func marked<R>(_ body: () throws -> R) throws -> R {
    let mark = TransactionMark(file: self)
    defer { mark.end() }
    return try TransactionMark.$current.withValue(mark, operation: body)
  }

  /// The writer, checked; called inside the gate.
  private func writer() throws -> VaultConnection {
    try checkUsable()
    try transactions.checkUsable()
    if isReadOnly {
      throw VaultError(
        .readOnly, "'\(path)' is open for reading only. Open it without `isReadOnly` to write.")
    }
    if !transactions.isActive { try checkNotReplaced(writerConnection, every: .zero) }
    if let writerConnection { return writerConnection }
    let connection = try opened.connect(.writer, path: path, settings: settings)
    writerConnection = connection
    return connection
  }

  // MARK: Guards

  private func checkUsable() throws(VaultError) {
    if isRemoved.load(ordering: .acquiring) { throw .vaultRemoved(path) }
  }

  /// Sees whether the path still leads to the file that is open: an insert into a file that was
  /// replaced would answer OK and be lost.
  private func checkNotReplaced(_ connection: VaultConnection?, every interval: Duration) throws {
    if let connection, interval > .zero {
      let now = ContinuousClock.now
      if let last = connection.lastPathCheck, now - last < interval { return }
      connection.lastPathCheck = now
    }
    guard HeldFile.Identity(path: path) == identity else {
      throw VaultError(
        .replaced,
        "Another file, or none, stands at '\(path)' since this vault was opened. Nothing was "
          + "written. Close the vault and open it again.")
    }
  }

  /// Lets the asynchronous operation that the thread runs be cancelled while `body` uses the
  /// connection.
  private func cancellable<R>(_ connection: VaultConnection, _ body: () throws -> R) throws -> R {
    // A call inside another on this connection is watched already.
    guard let cancellation = Cancellation.current, !connection.isWatched else { return try body() }
    connection.isWatched = true
    connection.engine.setProgress(every: 2000) { cancellation.isCancelled }
    defer {
      connection.engine.setProgress(every: 0, nil)
      connection.isWatched = false
    }
    do {
      return try body()
    } catch  where cancellation.isCancelled {
      throw VaultError.cancelled
    }
  }

  private func mappingErrors<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as EngineError {
      throw VaultError(error, path: path)
    } catch let error as KeyError {
      throw VaultError(error, path: path)
    }
  }

  // MARK: Tables

  private struct TableKey: Hashable {
    var table: String
    /// `nil` for a class described at run time.
    var type: ObjectIdentifier?
  }

  /// The state that stores of one class share; `install` runs where there is none yet.
  ///
  /// - Throws: `.invalidClass` where another Swift type has the table.
  func tableState(
    _ declaration: ClassDeclaration, install: () throws -> Void
  ) throws -> TableState {
    let (description, type) = (declaration.description, declaration.type)
    let key = TableKey(table: description.table.asciiLowercased, type: type)
    if let state = stores.withLock({ $0[key] }), state.description == description { return state }
    if type != nil {
      let other = stores.withLock { stores in
        stores.first { $0.key.table == key.table && $0.key.type != nil && $0.key.type != type }
      }
      if let other {
        throw description.invalid(
          "table '\(description.table)' is that of class '\(other.value.description.name)' already",
          remedy: "Give each class a table of its own with `table:`.")
      }
    }
    try install()
    let order = try read { try Schema(on: $0).insertionOrder(of: description) }
    let made = TableState(description, type: type, insertionOrder: order)
    // Nobody else may learn of a table that a rollback can take away again.
    if isInTransaction { return made }
    return stores.withLock { stores in
      if let state = stores[key], state.description == description { return state }
      stores[key] = made
      return made
    }
  }

  /// Makes every store of the table invalid.
  func invalidateTable(_ table: String) {
    stores.withLock { stores in
      for (key, state) in stores where key.table == table.asciiLowercased {
        state.invalidate()
        stores[key] = nil
      }
    }
  }

  // MARK: Events

  /// Has the handle hear of events of the file.
  func addListener(_ center: EventCenter) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.center == nil }
      listeners.append(Listener(center: center))
    }
  }

  /// Tells every handle on the file.
  func post(_ event: VaultEvent) {
    for center in listeners.withLock({ $0.compactMap(\.center) }) { center.post(event) }
  }

  private struct Listener: Sendable {
    weak let center: EventCenter?
  }

  // MARK: Removal

  /// Makes every use from now on fail, waits for those in progress, and closes the connections.
  func invalidate() throws {
    if isInTransaction {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be removed inside one of its own transactions. End the transaction first."
      )
    }
    try gate.enter()
    defer { gate.leave() }
    isRemoved.store(true, ordering: .releasing)
    readers.drain()
    writerConnection = nil
    for state in stores.withLock({ $0.values.map(\.self) }) { state.invalidate() }
  }
}
