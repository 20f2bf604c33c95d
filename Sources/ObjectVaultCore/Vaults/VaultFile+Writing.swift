import ObjectVaultEngine
import Synchronization

// Writing: the one connection behind the gate, transactions, and what ends with them.

extension VaultFile {
  /// Calls `body` with the connection that writes, alone among all threads.
  ///
  /// Outside a transaction, what `body` writes is one: it may be called twice, the first time without
  /// effect.
  func write<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try write(of: nil, body)
  }

  /// Calls `body` as ``write(_:)`` does, to write objects of a class.
  ///
  /// - Parameter state: The class; it is compared with the file first if the schema changed.
  @inline(__always)
  func write<R>(of state: TableState?, _ body: (VaultConnection) throws -> R) throws -> R {
    if mayShareCommit {
      return try sharingCommit { connection in
        try state?.checkSchema(on: connection)
        return try body(connection)
      }
    }
    // What failed may have changed something all the same, before its last statement.
    var written: Set<String> = []
    defer { publish(written) }
    let result = try mappingErrors { () throws -> R? in
      try enter()
      defer { gate.leave() }
      let connection = try writer()
      guard transactions.isActive else {
        defer { written = takeWrittenTables(connection) }
        return try writeUncounted(connection, of: state, body)
      }
      do {
        return try cancellable(connection) {
          try state?.checkSchema(on: connection)
          return try body(connection)
        }
      } catch {
        transactions.noteFailure(on: connection)
        throw error
      }
    }
    if let result { return result }
    return try transaction { connection in
      try state?.checkSchema(on: connection)
      return try body(connection)
    }
  }

  /// Calls `body` outside a transaction, where it is known that nobody counts commits and that objects
  /// of the class can be written so.
  ///
  /// - Returns: `nil` where that is not known, or not any more: nothing was written then.
  private func writeUncounted<R>(
    _ connection: VaultConnection, of state: TableState?,
    _ body: (VaultConnection) throws -> R
  ) throws -> R? {
    let engine = connection.engine
    guard connection.counter.isAbsent(on: engine), state?.mayBeWrittenAlone(on: connection) ?? true
    else { return nil }
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
      try enter()
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
  /// - Throws: `.upgradeInTransaction` for `upgrading` inside another transaction.
  func transaction<R>(
    isShown: Bool = false, deferringReferences: Bool = false, upgrading: Bool = false,
    _ body: (VaultConnection) throws -> R
  ) throws -> R {
    let (result, ended) = try mappingErrors {
      try enter()
      defer { gate.leave() }
      let connection = try writer()
      if isShown, !transactions.isActive { try connection.makeTemporaryTables() }
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
        return (result, try commit(on: connection))
      } catch {
        undo(on: connection)
        throw error
      }
    }
    ended?.tell()
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
  func writer() throws -> VaultConnection {
    try checkUsable()
    if let writerConnection { transactions.noteFailure(on: writerConnection) }
    try transactions.checkUsable()
    if isReadOnly {
      throw VaultError(
        .readOnly,
        "'\(path)' is open for reading only, by `isReadOnly` or by the rights of the file. Change that "
          + "and open it again to write.")
    }
    if !transactions.isActive {
      try checkNotReplaced()
      if !isInMemory, writerConnection?.engine.hasMetDamage == true { writerConnection = nil }
    }
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
  func tellReady(_ connection: VaultConnection) throws {
    guard let hooked = connection.hooked, isReady.load(ordering: .acquiring) else { return }
    try hooked.ready(connection)
  }

  /// The file is as the program's schema wants it: the connections are ready from now on.
  func becomeReady() throws {
    guard !settings.hooks.isEmpty, !isReady.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    if isReadOnly { try read { _ in } } else { try withWriter { _ in } }
  }
}
