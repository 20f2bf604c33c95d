public import ObjectVaultDriver
import Synchronization

/// A connection inside a read scope or a transaction, with the statements that run repeatedly on it.
///
/// One thread at a time uses it. Each pair of table and kind of statement has its own numbered slot,
/// so a hot path finds its statement without hashing the text.
@usableFromInline
package final class Session {
  // Only one thread at a time uses a session, so exclusivity checks could find nothing. They would
  // cost a tenth of the time to fetch an object.

  @usableFromInline package let connection: any DriverConnection
  @exclusivity(unchecked) @usableFromInline var slots: [Statement?] = []
  /// The values that features keep with the session, by the index of their key.
  @usableFromInline var kept: [AnyObject?] = []
  /// The owner of the pool when it was last asked to validate the session, by the ``CoarseClock``.
  @exclusivity(unchecked) @usableFromInline var lastValidation: Int64?
  /// Whether the owner of the pool must validate the session before each use.
  @exclusivity(unchecked) @usableFromInline package var mustAlwaysBeValidated = false
  /// Whether the connection closes instead of being used again, because a hook of the application
  /// rejected it.
  package var isRejected = false
  /// The thread that uses the session for one call or read scope.
  ///
  /// Accessed only inside the monitor of its pool.
  var user: ThreadID?
  /// The operation whose cancellation interrupts the connection.
  var watched: Cancellation? {
    didSet {
      guard let watched else { return connection.setProgress(every: 0, nil) }
      connection.setProgress(every: 2000) { watched.isCancelled }
    }
  }
  /// Whether the transaction in progress also holds writes of other threads.
  ///
  /// Interrupting a statement would roll those back too, so cancellation waits for the end of the
  /// statement.
  var isShared = false
  /// The number of the transaction in progress, or of the last one; unique in the process.
  package private(set) var transaction = 0
  private static let lastTransaction = Atomic<Int>(0)
  /// The schema version that the connection last read for writing.
  var schemaEpoch = SchemaEpoch()
  /// The recorder of the statements that run.
  @exclusivity(unchecked) @usableFromInline package var recorder: (any StatementRecorder)?
  /// The receiver of the session's end.
  package var observer: (any SessionObserver)?
  /// The number of changed rows in temporary tables.
  private var temporaryChanges = 0

  package init(_ connection: any DriverConnection) {
    self.connection = connection
  }

  deinit {
    guard let observer else { return }
    observer.willClose(self)
    slots.removeAll()
    try? connection.close()
    observer.didClose()
  }

  // MARK: Statements

  /// Calls `body` with the statement of a slot, prepares it on first use, and resets it afterwards.
  @inlinable @inline(__always)
  package func with<R>(
    slot: Int, sql: @autoclosure () -> String, _ body: (Statement) throws -> R
  ) throws -> R {
    let statement = try borrow(slot: slot, sql: sql())
    if let recorder { recorder.note(statement) }
    defer { release(statement, slot: slot) }
    return try body(statement)
  }

  /// Removes the statement from its slot and returns it.
  ///
  /// A nested call inside `body` finds the slot empty and prepares its own statement.
  @inlinable
  func borrow(slot: Int, sql: @autoclosure () -> String) throws -> Statement {
    if slot < slots.count, let statement = slots[slot].take() { return statement }
    return try prepare(slot: slot, sql: sql())
  }

  /// The number of slots after which all of them are emptied, because those of removed and changed
  /// tables hold statements that no one uses again.
  package static let slotsBetweenReleases = 512

  @usableFromInline
  func prepare(slot: Int, sql: String) throws -> Statement {
    if slot >= slots.count {
      if slot / Self.slotsBetweenReleases > slots.count / Self.slotsBetweenReleases {
        releaseStatements()
      }
      slots.append(contentsOf: repeatElement(nil, count: slot + 1 - slots.count))
    }
    return try connection.prepare(sql, persistent: true)
  }

  @inlinable
  func release(_ statement: Statement, slot: Int) {
    statement.reset()
    slots[slot] = statement
  }

  /// The number of statement slots.
  package var slotCount: Int { slots.count }

  /// Calls `body` with a cached statement and resets it afterwards.
  @inlinable
  package func with<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
    try with(StatementText(sql), body)
  }

  /// Calls `body` with a cached statement and resets it afterwards.
  @inlinable
  package func with<R>(_ sql: StatementText, _ body: (Statement) throws -> R) throws -> R {
    let statement = try connection.statement(sql)
    if let recorder { recorder.note(statement) }
    defer { statement.reset() }
    return try body(statement)
  }

  /// Releases all statements if the schema changed since the last call, so that those prepared from
  /// now on know the tables that they read.
  package func forgetOutdatedStatements() throws {
    if try connection.forgetOutdatedStatements() { releaseStatements() }
  }

  private func releaseStatements() {
    for slot in slots.indices { slots[slot] = nil }
  }

  /// Runs a statement that returns no rows.
  package func execute(_ sql: String) throws { try execute(StatementText(sql)) }

  /// Runs a statement that returns no rows.
  package func execute(_ sql: StatementText) throws {
    try with(sql) { while try $0.step() {} }
  }

  // MARK: Changes

  /// The number of rows of the file changed since it was opened, including cascades and triggers.
  package var changeCount: Int { connection.totalChanges - temporaryChanges }

  /// Calls `body`, which changes only temporary tables.
  package func changingTemporaryTables<R>(_ body: () throws -> R) rethrows -> R {
    let before = connection.totalChanges
    defer { temporaryChanges += connection.totalChanges - before }
    return try body()
  }

  // MARK: Transactions

  /// Records that an outermost transaction began.
  func noteBegin() {
    transaction = Self.lastTransaction.wrappingAdd(1, ordering: .relaxed).newValue
    schemaEpoch.beginTransaction()
  }

  /// Makes cancellation of the operation on this thread interrupt the connection, until
  /// ``endWatch()``.
  ///
  /// - Returns: Whether the call changed anything; `false` if the connection is already watched or
  ///   its transaction is shared.
  package func watch() -> Bool {
    guard let cancellation = Cancellation.current, watched == nil, !isShared else { return false }
    watched = cancellation
    return true
  }

  /// Reverses ``watch()``.
  package func endWatch() { watched = nil }

  /// Calls `body` with cancellation disabled, because it must not be interrupted halfway.
  func unwatched<R>(_ body: () throws -> R) rethrows -> R {
    guard let watched else { return try body() }
    self.watched = nil
    defer { self.watched = watched }
    return try body()
  }

  /// Calls `body`, which the cancellation of the asynchronous operation on this thread interrupts.
  func cancellable<R>(_ body: () throws -> R) throws -> R {
    // A nested call on this connection is already watched.
    guard let cancellation = Cancellation.current, watch() else {
      if isShared { try Cancellation.check() }
      return try body()
    }
    defer { watched = nil }
    do {
      return try body()
    } catch let error as DriverError where error.code == .commitUnknown {
      // "Cancelled" means that nothing was stored.
      throw error
    } catch {
      throw cancellation.isCancelled ? VaultError.cancelled : error
    }
  }
}

/// Records the statements that run on a session.
@usableFromInline
package protocol StatementRecorder: AnyObject {
  /// Records a statement that is about to run.
  func note(_ statement: Statement)
}

/// Is told of the end of a session.
@usableFromInline
package protocol SessionObserver: AnyObject {
  /// The connection is about to close and can still be used.
  func willClose(_ session: Session)

  /// The connection is closed.
  func didClose()
}
