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
  let lanes: Lanes
  let settings: VaultConfiguration
  /// Whether it is in no file.
  let isInMemory: Bool
  /// The folder that goes with the file of a temporary vault.
  private let folder: PrivateFolder?
  /// Another one after a rekey; `nil` in memory.
  private let openedFile: Locked<OpenedFile?>
  private let gate: WriterGate
  private let readers: ReaderPool
  /// Touched only inside the gate.
  private var writerConnection: VaultConnection?
  /// Touched only inside the gate.
  private var transactions = TransactionStack()
  /// Whether the transaction in progress may make tables anew. Touched only inside the gate.
  private var isRebuilding = false
  private let removed = Atomic<Bool>(false)
  /// Whether the file is as the program's schema wants it, so that connections are ready for use.
  private let isReady = Atomic<Bool>(false)
  private let tables = Locked(KnownTables())
  private let listeners = Locked<[WeakReference<EventCenter>]>([])
  /// Who observes what is in the file.
  let observers: ObserverCenter

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
    observers = ObserverCenter(interval: settings.observationInterval)
    lanes = Lanes(
      name: URL(fileURLWithPath: path).lastPathComponent, readers: settings.maximumReaders)
    readers = ReaderPool(limit: settings.maximumReaders) {
      guard let opened = openedFile.withLock({ $0 }) else { throw VaultError.inMemory(path) }
      // Before, so that no other file is taken for a damaged one; after, since it may have come
      // in between.
      try Self.checkPath(path, leadsTo: opened.held.identity)
      let connection = try opened.connect(.reader, path: path, settings: settings)
      try Self.checkPath(path, leadsTo: opened.held.identity)
      return connection
    }
    writerConnection = writer
    observers.attach(self)
  }

  deinit {
    // The order matters: the descriptor goes after the last connection.
    HandleRegistry.remove(self)
    readers.close()
    emptyAbandonedLog()
    writerConnection = nil
    opened?.close()
    folder?.remove()
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

  /// What the file is encrypted with; `nil` in memory.
  private var opened: OpenedFile? { openedFile.withLock { $0 } }

  /// How the file is encrypted; `nil` in memory, where nothing is.
  var cipher: CipherFacts? { opened?.cipher.facts }

  /// Whether the file goes with the vault.
  var isTemporary: Bool { folder != nil }

  /// The identifier that the keyring has for the vault, where the key is from one.
  var keyringVaultID: UUID? { opened?.keyring?.vaultID }

  /// The keyring that the key is from.
  var keyringFile: KeyringFile? { opened?.keyring?.file }

  /// The file's identity, by which handles find each other; `nil` in memory.
  var identity: HeldFile.Identity? { opened?.held.identity }

  /// The other open files of this process that are the same one.
  private var others: [VaultFile] {
    identity.map { HandleRegistry.files(with: $0).filter { $0 !== self } } ?? []
  }

  /// - Throws: `.newerFormat` where a newer version of the library wrote the file;
  ///   `.keyringMismatch` and `.keyringRolledBack` where its keyring is not the one.
  func checkContent() throws {
    try read { connection in
      let system = SystemTables(connection)
      try system.checkFormat(path: path)
      if let keyring = opened?.keyring { try system.check(keyring, path: path) }
    }
  }

  /// Whether `key` is the one the file was opened with.
  func accepts(_ key: VaultKey) throws -> Bool {
    try opened?.accepts(key, path: path) ?? false
  }

  // MARK: Reading

  /// Calls `body` with a connection that reads: the writer inside a transaction of this thread,
  /// which sees what it has not committed yet, else one of the pool.
  func read<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    if isInMemory, !isInTransaction { return try readInMemory(body) }
    if gate.isHeldByCurrentThread {
      return try write(body)
    }
    try checkUsable()
    return try mappingErrors {
      try readers.withConnection { connection in
        try checkUsable()
        try checkNotReplaced(connection, every: Self.pathCheckInterval)
        try tellReady(connection)
        return try cancellable(connection) { try body(connection) }
      }
    }
  }

  /// Calls `body` while every read of this thread sees one and the same state of the file.
  func readScope<R>(_ body: () throws -> R) throws -> R {
    if gate.isHeldByCurrentThread { return try body() }
    // Nobody else changes what the thread sees while it is inside the gate.
    if isInMemory { return try readInMemory { _ in try body() } }
    try checkUsable()
    return try mappingErrors {
      try readers.withScope { scope, isOutermost in
        guard isOutermost else { return try body() }
        let connection = scope.connection
        try checkUsable()
        try checkNotReplaced(connection, every: Self.pathCheckInterval)
        try tellReady(connection)
        try connection.execute("BEGIN DEFERRED")
        defer {
          scope.end()
          try? connection.execute("COMMIT")
        }
        // The engine takes the snapshot at the first look: the scope begins here, not there.
        try connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        return try body()
      }
    }
  }

  /// The read scope that the calling thread is in.
  var currentScope: ReadScope? { readers.currentScope }

  /// Whether what the calling thread sees can differ from the last commit.
  var isInScope: Bool { isInTransaction || currentScope != nil }

  /// Takes a reading connection for as long as an iteration lasts.
  func leaseReader() throws -> VaultConnection {
    if isInMemory { return try readInMemory { try copy(of: $0) } }
    try checkUsable()
    return try mappingErrors {
      let connection = try readers.lease()
      do {
        try checkNotReplaced(connection, every: Self.pathCheckInterval)
        try tellReady(connection)
        return connection
      } catch {
        readers.endLease(connection)
        throw error
      }
    }
  }

  /// Gives a leased connection back.
  func endLease(_ connection: VaultConnection) {
    if !isInMemory { readers.endLease(connection) }
  }

  // MARK: Reading memory

  /// Calls `body` with the one connection that there is, alone among all threads.
  private func readInMemory<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try withWriter { connection in
      try cancellable(connection) { try body(connection) }
    }
  }

  /// A connection to a copy, for an iteration that outlasts a call.
  private func copy(of connection: VaultConnection) throws -> VaultConnection {
    let copy = VaultConnection(
      try connection.engine.copyInMemory(options: settings.connectionOptions(.reader)))
    try ConditionFunctions.install(on: copy.engine)
    try copy.tell(HookedConnection(settings, path: path, role: .reader))
    try tellReady(copy)
    return copy
  }

  // MARK: Writing

  /// Calls `body` with the connection that writes, alone among all threads.
  ///
  /// Outside a transaction, what `body` writes is one: it may be called twice, the first time without
  /// effect.
  func write<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    // What failed may have changed something all the same, before its last statement.
    var written: Set<String> = []
    defer { publish(written) }
    let result = try mappingErrors { () throws -> R? in
      try gate.enter()
      defer { gate.leave() }
      let connection = try writer()
      guard transactions.isActive else {
        defer { written = takeWrittenTables(connection) }
        return try writeUncounted(connection, body)
      }
      do {
        return try cancellable(connection) { try body(connection) }
      } catch {
        transactions.noteFailure(on: connection)
        throw error
      }
    }
    if let result { return result }
    return try transaction(body)
  }

  /// Calls `body` outside a transaction, where it is known that nobody counts commits.
  ///
  /// - Returns: `nil` where that is not known, or not any more: nothing was written then.
  private func writeUncounted<R>(
    _ connection: VaultConnection, _ body: (VaultConnection) throws -> R
  ) throws -> R? {
    let engine = connection.engine
    guard connection.counter.isAbsent(on: engine) else { return nil }
    engine.refusesToCompileWrites = true
    defer { engine.refusesToCompileWrites = false }
    do {
      return try cancellable(connection) { try body(connection) }
    } catch let error as EngineError {
      // A statement was to be compiled: for the first time, or because the schema was changed.
      guard error.code == .notAuthorized, !connection.counter.isAbsent(on: engine) else {
        throw error
      }
      return nil
    }
  }

  /// Calls `body` with the connection that writes, for what is no transaction: settings of the file.
  func withWriter<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      return try body(writer())
    }
  }

  /// Calls `body` inside a transaction, or inside a savepoint of the one this thread is in.
  ///
  /// - Parameters:
  ///   - isShown: Whether tasks made inside `body` must know of the transaction: for closures of an
  ///     application, not for the library's own.
  ///   - deferringReferences: Whether references may be left without their objects until its end.
  ///   - upgrading: Whether tables may be made anew in it: foreign keys are neither enforced nor
  ///     followed then, and `body` must see to them.
  /// - Throws: `.upgradeInTransaction` for the latter inside another transaction.
  func transaction<R>(
    isShown: Bool = false, deferringReferences: Bool = false, upgrading: Bool = false,
    _ body: (VaultConnection) throws -> R
  ) throws -> R {
    let (result, committed, written) = try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      let connection = try writer()
      let foreignKeys = upgrading ? try beginUpgrade(on: connection) : nil
      defer { if let foreignKeys { endUpgrade(foreignKeys) } }
      try transactions.begin(on: connection)
      do {
        let result = try cancellable(connection) {
          try connection.deferringReferences(deferringReferences) {
            isShown ? try marked { try body(connection) } : try body(connection)
          }
        }
        try Cancellation.check()
        try transactions.commit(on: connection)
        // Inside the gate: who comes next must not make a table that is then taken for the old.
        for change in transactions.takeTableChanges() { apply(change) }
        let written = transactions.takeWrittenTables()
        if !transactions.isActive { noteOthers(connection) }
        return (result, transactions.takeCommittedActions(), written)
      } catch {
        transactions.rollBack(on: connection)
        if !transactions.isActive, connection.engine.isInTransaction { writerConnection = nil }
        throw error
      }
    }
    publish(written)
    for action in committed { action() }
    return result
  }

  /// - Returns: `nil` inside a transaction that may make tables anew already.
  private func beginUpgrade(on connection: VaultConnection) throws -> ForeignKeysOff? {
    if isUpgrading { return nil }
    guard !transactions.isActive else {
      throw VaultError(
        .upgradeInTransaction,
        "A class was changed so that its table in '\(path)' must be made anew, which cannot be done "
          + "inside a transaction. Ask for its store before the transaction begins.")
    }
    let foreignKeys = try ForeignKeysOff(on: connection.engine)
    isRebuilding = true
    return foreignKeys
  }

  private func endUpgrade(_ foreignKeys: ForeignKeysOff) {
    isRebuilding = false
    // A connection that does not enforce foreign keys must not be used again.
    if (try? foreignKeys.end()) == nil { writerConnection = nil }
  }

  /// Whether this thread is inside a transaction in which tables can be made anew.
  var isUpgrading: Bool { gate.isHeldByCurrentThread && isRebuilding }

  /// Keeps a copy of the file as it was before this thread's outermost transaction, if it is wanted and
  /// there is none yet. The copy goes when the transaction is undone.
  ///
  /// - Throws: as ``backup(to:key:settings:progress:)``; nothing may be changed then.
  func keepPreimage(_ settings: VaultConfiguration) throws {
    guard settings.keepsPreimage, !transactions.hasPreimage else { return }
    transactions.keep(try Preimage(of: self, settings: settings))
  }

  /// Notes that this thread's transaction changed a table: who asks for its store next must look at
  /// it again.
  ///
  /// - Parameter columns: The columns that the table has now, the number of a row among them.
  func noteChange(ofTable table: String, columns: Set<String>) {
    transactions.add(.changed(table.asciiLowercased, columns: columns))
  }

  /// Runs `action` once what this thread's transaction did so far is committed, outside every
  /// lock; never when it is undone; at once outside a transaction.
  func afterCommit(_ action: @escaping () -> Void) {
    if isInTransaction { transactions.addAction(action) } else { action() }
  }

  /// Notes that this thread's transaction removed a table: what stands for it becomes invalid with
  /// the commit.
  func noteRemoval(ofTable table: String) {
    transactions.add(.removed(table.asciiLowercased))
  }

  /// Has an iteration end with the innermost transaction of this thread.
  func addCursor(_ cursor: any ExpiringCursor) { transactions.add(cursor) }

  /// Looks whether a failure ended this thread's transaction.
  func noteFailure() {
    if isInTransaction, let writerConnection { transactions.noteFailure(on: writerConnection) }
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
    if let writerConnection { transactions.noteFailure(on: writerConnection) }
    try transactions.checkUsable()
    if isReadOnly {
      throw VaultError(
        .readOnly, "'\(path)' is open for reading only. Open it without `isReadOnly` to write.")
    }
    if !transactions.isActive { try checkNotReplaced(writerConnection, every: 0) }
    if let writerConnection {
      if !transactions.isActive { try tellReady(writerConnection) }
      return writerConnection
    }
    guard let opened else {
      throw VaultError(
        .invalidated,
        "The vault '\(path)' was in memory and is lost: the engine could not undo a transaction that "
          + "failed. Make a new one.")
    }
    let connection = try opened.connect(.writer, path: path, settings: settings)
    try Self.checkPath(path, leadsTo: opened.held.identity)
    writerConnection = connection
    try tellReady(connection)
    return connection
  }

  /// Tells the hooks that a connection may be used, once it may.
  @inline(__always)
  private func tellReady(_ connection: VaultConnection) throws {
    guard let hooked = connection.hooked, isReady.load(ordering: .acquiring) else { return }
    try hooked.ready(connection)
  }

  /// The file is as the program's schema wants it: the connections are ready from now on.
  func becomeReady() throws {
    guard !settings.hooks.isEmpty, !isReady.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    if isReadOnly { try read { _ in } } else { try withWriter { _ in } }
  }

  // MARK: Guards

  /// Whether the file was removed through a handle of this process.
  var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// - Throws: `.invalidated` after the file was removed.
  func checkUsable() throws(VaultError) {
    if isRemoved { throw .vaultRemoved(path) }
  }

  /// How long readers rely on what they saw of the path, in nanoseconds.
  private static let pathCheckInterval: Int64 = 50_000_000

  /// Sees whether the path still leads to the file that is open: an insert into a file that was
  /// replaced would answer OK and be lost.
  private func checkNotReplaced(_ connection: VaultConnection?, every interval: Int64) throws {
    guard let identity else { return }
    guard let connection, interval > 0 else {
      return try Self.checkPath(path, leadsTo: identity)
    }
    let now = CoarseClock.now
    if let last = connection.lastPathCheck, now - last < interval { return }
    try Self.checkPath(path, leadsTo: identity)
    connection.lastPathCheck = now
  }

  private static func checkPath(
    _ path: String, leadsTo identity: HeldFile.Identity
  ) throws(VaultError) {
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
    guard let cancellation = Cancellation.current, watch(connection) else { return try body() }
    defer { connection.watched = nil }
    do {
      return try body()
    } catch {
      throw cancellation.isCancelled ? VaultError.cancelled : error
    }
  }

  /// Has the cancellation of the operation that the thread runs end what runs on the connection,
  /// until its `watched` is set to nothing.
  ///
  /// - Returns: Whether it was not so before.
  func watch(_ connection: VaultConnection) -> Bool {
    guard let cancellation = Cancellation.current, connection.watched == nil else { return false }
    connection.watched = cancellation
    return true
  }

  private func mappingErrors<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as EngineError {
      // The removal may have come between the look and the use.
      try checkUsable()
      throw VaultError(error, path: path)
    } catch let error as VaultError where error.code == .replaced {
      try checkUsable()
      throw error
    } catch let error as KeyError {
      throw VaultError(error, path: path)
    }
  }

  // MARK: Tables

  /// The state that stores of one class share; `install` runs where there is none yet.
  ///
  /// - Throws: `.invalidClass` where another Swift type has the table.
  func tableState(
    _ declaration: ClassDeclaration, install: () throws -> Void
  ) throws -> TableState {
    let (description, type) = (declaration.description, declaration.type)
    // What this thread's transaction removed must be made anew.
    if !(isInTransaction && transactions.hasRemoved(description.table.asciiLowercased)) {
      let known = try tables.withLock { tables throws(VaultError) in
        try tables.state(of: description, type: type)
      }
      if let known { return known }
    }
    try install()
    let (order, keys) = try read { connection in
      let schema = Schema(on: connection)
      return (
        try schema.insertionOrder(of: description),
        try schema.foreignKeys(of: description.table, description)
      )
    }
    let made = TableState(declaration, insertionOrder: order, foreignKeys: keys)
    // A page that cannot be read is for those who need it to report.
    if description.objectID == .generated,
      (try? read { try made.hasLastNumber(on: $0) }) == true
    {
      made.noteLastNumber()
    }
    // Nobody else may learn of a table that a rollback can take away again.
    if isInTransaction {
      transactions.add(.made(made))
      return made
    }
    return tables.withLock { $0.register(made) }
  }

  /// How often this process made or removed a table of the file, as far as that is committed.
  var classGeneration: Int { tables.withLock { $0.generation } }

  /// The classes kept in a table, as stores of them know them.
  func knownClasses(ofTable table: String) -> [ClassDescription] {
    tables.withLock { $0.classes(ofTable: table) }
  }

  private func apply(_ change: TableChange) {
    tables.withLock { $0.apply(change) }
    if case .made = change { return }
    for other in others {
      other.tables.withLock { $0.apply(change) }
    }
  }

  // MARK: Events

  /// Has the handle hear of events of the file.
  func addListener(_ center: EventCenter) {
    // Those found alive are let go of outside the lock, in case nobody else holds them any more.
    let alive = listeners.withLock { listeners -> [EventCenter] in
      let alive = listeners.compactMap { $0.object }
      listeners = (alive + [center]).map { WeakReference($0) }
      return alive
    }
    withExtendedLifetime(alive) {}
  }

  /// Tells every handle on the file, also those that opened it for reading only.
  func post(_ event: VaultEvent) {
    for file in [self] + others {
      for center in file.listeners.withLock({ $0.compactMap { $0.object } }) { center.post(event) }
    }
  }

  // MARK: Observing

  /// The tables that were written to outside a transaction; inside the gate.
  private func takeWrittenTables(_ connection: VaultConnection) -> Set<String> {
    noteOthers(connection)
    defer { connection.engine.forgetWrittenTables() }
    return ObserverCenter.isAnyActive ? connection.engine.writtenTables : []
  }

  /// Tells those who observe, through any handle of the process, that tables were changed; outside
  /// every lock.
  private func publish(_ tables: Set<String>) {
    guard !tables.isEmpty, ObserverCenter.isAnyActive else { return }
    observers.note(tables)
    for file in others { file.observers.note(tables) }
  }

  /// Looks whether another process committed since the last look, where that is due and could not be
  /// done for this thread's transaction; inside the gate, outside a transaction.
  private func noteOthers(_ connection: VaultConnection) {
    if observers.takeDueLook(), connection.takeForeignCommits() { observers.noteAll() }
  }

  /// Begins to look for commits of other processes: what was committed until now is not looked for.
  ///
  /// - Returns: Whether there may be such since the last look.
  func beginToLook() -> Bool {
    guard gate.enterIfFree() else { return false }
    defer { gate.leave() }
    return writerConnection?.takeForeignCommits() ?? false
  }

  /// Looks whether another process committed since the last look, or took the file away. Waits for
  /// nobody who writes: who does looks as soon as that is done.
  func lookForOthers() {
    // Nobody else reaches what is in memory.
    guard !isRemoved, let identity else { return }
    guard HeldFile.Identity(path: path) == identity else { return observers.noteAll() }
    if isReadOnly {
      // Each connection counts by itself. One that was never asked may have missed something.
      if (try? read { $0.takeForeignCommits() }) ?? false { observers.noteAll() }
      return
    }
    guard gate.enterIfFree() else { return observers.haveLookDue() }
    defer { gate.leave() }
    if writerConnection?.takeForeignCommits() ?? true { observers.noteAll() }
  }

  // MARK: Removal

  /// Makes every use from now on fail, waits for those in progress, and closes the connections.
  ///
  /// A thread that is reading itself does not wait for the other readers, which may be waiting for
  /// it; they go on with the file they have open until their call ends.
  func invalidate() throws {
    if gate.isHeldByCurrentThread {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be removed inside one of its own transactions. End the transaction first."
      )
    }
    try closeWriter()
    // Outside the gate: a reader may be waiting to write.
    readers.close()
    tables.withLock { $0.invalidateAll() }
  }

  private func closeWriter() throws(VaultError) {
    try gate.enter()
    defer { gate.leave() }
    removed.store(true, ordering: .releasing)
    writerConnection = nil
  }

  /// Writes down that no keyring older than this may open the vault.
  func noteKeyring(generation: UInt64) throws {
    try transaction { try SystemTables($0).noteKeyring(generation: generation) }
  }

  // MARK: Replacement

  /// Calls `body` with what connections are made from.
  ///
  /// - Throws: `.invalidArgument` in memory.
  func withOpened<R>(_ body: (OpenedFile) throws -> R) throws -> R {
    try checkUsable()
    guard let opened else { throw VaultError.inMemory(path) }
    return try mappingErrors {
      try Self.checkPath(path, leadsTo: opened.held.identity)
      return try body(opened)
    }
  }

  /// Has another file take the place of this one; every handle on it goes on with the new one.
  ///
  /// - Parameters:
  ///   - what: What is being done, for errors: "rekeyed".
  ///   - rewriting: What makes the new file of the one that is open.
  func replaceFile(
    _ what: String, _ rewriting: (OpenedFile) throws -> FileRewriting
  ) throws {
    if isReadOnly {
      throw VaultError(
        .readOnly,
        "'\(path)' is open for reading only. Open it without `isReadOnly` to have it \(what).")
    }
    if isInTransaction || isInScope {
      throw VaultError(
        .invalidArgument,
        "'\(path)' cannot be \(what) inside one of its own transactions or read scopes.")
    }
    try mappingErrors {
      try gate.enter()
      defer { gate.leave() }
      try checkUsable()
      guard let identity else { throw VaultError.inMemory(path) }
      try Self.checkPath(path, leadsTo: identity)
      let files = HandleRegistry.files(with: identity)
      // Who opens a handle meanwhile must find this file, and not open the new one beside it.
      try HandleRegistry.whileOpening(path) {
        try Self.whileSuspended(files[...]) {
          writerConnection = nil
          var rewriting = try withOpened(rewriting)
          var taken: [OpenedFile] = []
          // Opened before it has its place: from then on nothing may fail any more.
          rewriting.beforeReplacing = { made in
            for file in files { taken.append(try file.open(made)) }
          }
          do {
            try rewriting.run()
          } catch {
            for file in taken { file.close() }
            throw error
          }
          for (file, opened) in zip(files, taken) { file.take(opened) }
        }
      }
      // The write-ahead log comes back; where it does not now, it does at the next open.
      try? SystemTables(writer()).continueWriteAheadLog()
    }
  }

  /// Calls `body` while none of the files has a connection that reads.
  private static func whileSuspended<R>(
    _ files: ArraySlice<VaultFile>, _ body: () throws -> R
  ) throws -> R {
    guard let file = files.first else { return try body() }
    try file.readers.suspend(within: file.settings.busyTimeout)
    defer { file.readers.resume() }
    return try whileSuspended(files.dropFirst(), body)
  }

  private func open(_ made: FileRewriting.Made) throws -> OpenedFile {
    let (held, _) = try HeldFile.acquire(made.path, readOnly: isReadOnly, creating: false)
    return OpenedFile(
      held: held, cipher: made.key.cipher, key: made.key.key, keyring: made.key.keyring)
  }

  /// Goes on with the file that took the place of the one open until now.
  private func take(_ taken: OpenedFile) {
    HandleRegistry.remove(self)
    let old = openedFile.withLock { opened in
      defer { opened = taken }
      return opened
    }
    HandleRegistry.add(self)
    old?.close()
  }
}
