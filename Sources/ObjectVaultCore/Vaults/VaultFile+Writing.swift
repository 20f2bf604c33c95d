import ObjectVaultDriver
import ObjectVaultEngine
import Synchronization

// Writing: the writer connection, its lock, transactions, and work that ends with them.

extension VaultFile {
  /// Calls `body` inside this thread's transaction, or inside one of its own.
  ///
  /// A transaction of its own is rolled back if `body` throws. In a transaction of this thread, the
  /// writes before the error remain, so `body` must undo them if a part of it must not remain alone.
  ///
  /// - Parameters:
  ///   - state: The class of the objects to write; it is compared with the file first if the schema
  ///     changed.
  ///   - body: The writes.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of the transaction.
  @inline(__always)
  func write<R>(of state: TableState, _ body: (VaultConnection) throws -> R) throws -> R {
    func checked(_ connection: VaultConnection) throws -> R {
      try state.checkSchema(on: connection)
      return try body(connection)
    }
    if mayShareCommit { return try sharingCommit(checked) }
    return isInTransaction ? try join(checked) : try transaction(checked)
  }

  /// Calls `body` with the writer connection, inside this thread's transaction if it has one.
  ///
  /// The caller holds the writer lock.
  func join<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try withWriter { connection in
      do {
        return try cancellable(connection) { try body(connection) }
      } catch {
        transactions.noteFailure(on: connection)
        throw error
      }
    }
  }

  /// Calls `body` with the writer connection outside any transaction, for settings of the file.
  func withWriter<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try mappingErrors {
      try enter()
      defer { gate.leave() }
      return try body(writer())
    }
  }

  /// Calls `body` inside a transaction, or inside a savepoint of this thread's transaction.
  ///
  /// - Parameters:
  ///   - isShown: Whether tasks created inside `body` must know of the transaction: `true` for
  ///     closures of an application, `false` for the library's own.
  ///   - deferringReferences: Whether references may lack their objects until the end.
  ///   - upgrading: Whether tables may be rebuilt. Foreign keys are then neither enforced nor
  ///     followed, so `body` must maintain them.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and `.upgradeInTransaction` for `upgrading` inside another
  ///   transaction.
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

  /// Turns foreign keys off so that tables can be rebuilt.
  ///
  /// - Returns: `nil` inside a transaction that can already rebuild tables.
  private func beginUpgrade(on connection: VaultConnection) throws -> ForeignKeysOff? {
    if isUpgrading { return nil }
    guard !transactions.isActive else {
      throw VaultError(
        .upgradeInTransaction,
        "The table of a changed class in '\(path)' must be rebuilt, which is not possible inside a "
          + "transaction. Request the class's store before the transaction begins.")
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

  /// Whether this thread is inside a transaction that may rebuild tables.
  var isUpgrading: Bool { gate.isHeldByCurrentThread && isRebuilding }

  /// Creates a copy of the file as it was before this thread's outermost transaction, if requested
  /// and not yet done.
  ///
  /// The copy is removed if the transaction is rolled back.
  ///
  /// - Parameter settings: The configuration that requests the copy.
  /// - Throws: The errors of ``backup(to:key:settings:progress:)``; the caller must then change
  ///   nothing.
  func keepPreimage(_ settings: VaultConfiguration) throws {
    guard settings.keepsPreimage, !transactions.hasPreimage else { return }
    transactions.keep(try Preimage(of: self, settings: settings))
  }

  /// Records that this thread's transaction changed a table, so that the next request for its store
  /// reads it again.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - columns: The columns that the table has now, including the row ID.
  func noteChange(ofTable table: String, columns: Set<String>) {
    transactions.add(.changed(table.asciiLowercased, columns: columns))
  }

  /// Runs `action` after the commit of this thread's transaction, with no lock held.
  ///
  /// It never runs after a rollback, and runs at once outside a transaction.
  func afterCommit(_ action: @escaping () -> Void) {
    if isInTransaction { transactions.addAction(action) } else { action() }
  }

  /// Records that this thread's transaction removed a table, which invalidates its state at the
  /// commit.
  func noteRemoval(ofTable table: String) {
    transactions.add(.removed(table.asciiLowercased))
  }

  /// Registers an iteration that ends with this thread's innermost transaction.
  func addCursor(_ cursor: any ExpiringCursor) { transactions.add(cursor) }

  /// Checks whether a failure ended this thread's transaction.
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

  /// Returns the writer connection after checking it.
  ///
  /// The caller holds the writer lock.
  func writer() throws -> VaultConnection {
    try checkUsable()
    if let writerConnection { transactions.noteFailure(on: writerConnection) }
    try transactions.checkUsable()
    if isReadOnly {
      throw VaultError(
        .readOnly,
        "'\(path)' is open for reading only, because of `isReadOnly` or the file's permissions. "
          + "Change that and open it again to write.")
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
        "The vault '\(path)' in memory is lost, because the engine could not roll back a failed "
          + "transaction. Create a new one.")
    }
    let connection = try opened.connect(.writer, path: path, settings: settings)
    try Self.checkPath(path, leadsTo: opened.held.identity)
    writerConnection = connection
    try tellReady(connection)
    return connection
  }

  /// Notifies the hooks of a connection that it is ready, once the file is ready.
  @inline(__always)
  func tellReady(_ connection: VaultConnection) throws {
    guard let hooked = connection.hooked, isReady.load(ordering: .acquiring) else { return }
    try hooked.ready(connection)
  }

  /// Marks the file as upgraded to the program's schema, so that its connections are ready.
  func becomeReady() throws {
    guard !settings.hooks.isEmpty, !isReady.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    if isReadOnly { try read { _ in } } else { try withWriter { _ in } }
  }
}
