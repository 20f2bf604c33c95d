import ObjectVaultDriver
package import ObjectVaultEngine
import Synchronization

/// A connection with a cache of the statements that stores run repeatedly.
///
/// Each pair of table and kind of statement has its own numbered slot, so a hot path finds its
/// statement without hashing the text.
package final class VaultConnection {
  package let engine: Connection
  // Only one thread at a time uses a connection, so exclusivity checks could find nothing. They
  // would cost a tenth of the time to fetch an object.

  @exclusivity(unchecked) private var slots: [Statement?] = []
  /// The last time the path was verified to lead to the open file, by the ``CoarseClock``.
  @exclusivity(unchecked) var lastPathCheck: Int64?
  /// The thread that uses the connection for one call or read scope.
  ///
  /// Accessed only inside the monitor of its pool.
  @exclusivity(unchecked) var user: ThreadID?
  /// The operation whose cancellation interrupts the connection.
  @exclusivity(unchecked) var watched: Cancellation? {
    didSet {
      guard let watched else { return engine.setProgress(every: 0, nil) }
      engine.setProgress(every: 2000) { watched.isCancelled }
    }
  }
  /// Whether the transaction in progress also holds writes of other threads.
  ///
  /// Interrupting a statement would roll those back too, so cancellation waits for the end of the
  /// statement.
  @exclusivity(unchecked) var isShared = false
  /// The cached graph of references between tables.
  var graph: ReferenceGraph?
  /// Whether references may lack their objects until the commit.
  var defersReferences = false
  /// The numbers of the temporary tables in use for lists in conditions.
  ///
  /// They are released in any order.
  var listsInUse: Set<Int> = []
  /// The number of the first temporary table that a condition may fill.
  var nextList: Int { (listsInUse.max() ?? -1) + 1 }
  /// The cached knowledge of whether the file counts commits.
  @exclusivity(unchecked) var counter = CommitCounter.Knowledge()
  /// The number of the transaction in progress, or of the last one; unique in the process.
  @exclusivity(unchecked) private(set) var transaction = 0
  private static let lastTransaction = Atomic<Int>(0)
  /// The schema version that the connection last read for writing.
  @exclusivity(unchecked) var schemaEpoch = SchemaEpoch()
  /// The recorder of reads on behalf of an observer.
  @exclusivity(unchecked) var reads: ObservedReads?
  /// The engine's counter of foreign commits when it was last read.
  var dataVersion: Int64?
  /// The receiver of this connection's hook calls.
  @exclusivity(unchecked) private(set) var hooked: HookedConnection?
  /// The checkpoint schedule of the write-ahead log.
  @exclusivity(unchecked) var logLimit = LogLimit(limit: .max)
  /// Whether the usual temporary tables exist.
  @exclusivity(unchecked) var hasTemporaryTables = false
  /// The number of changed rows in temporary tables.
  private var temporaryChanges = 0

  init(_ engine: Connection) {
    self.engine = engine
  }

  deinit {
    guard let hooked else { return }
    hooked.willClose(self)
    slots.removeAll()
    try? engine.close()
    hooked.closed()
  }

  /// Records that an outermost transaction began.
  func noteBegin() {
    transaction = Self.lastTransaction.wrappingAdd(1, ordering: .relaxed).newValue
    schemaEpoch.beginTransaction()
  }

  /// Attaches hooks to the connection and notifies them that it was opened.
  func tell(_ hooked: HookedConnection?) throws {
    self.hooked = hooked
    try hooked?.opened(self)
  }

  /// Calls `body` with the statement of a slot, prepares it on first use, and resets it afterwards.
  @inline(__always)
  func with<R>(
    slot: Int, sql: @autoclosure () -> String, _ body: (Statement) throws -> R
  ) throws -> R {
    let statement = try take(slot: slot, sql: sql())
    if let reads { reads.note(statement) }
    defer { give(statement, slot: slot) }
    return try body(statement)
  }

  /// Removes the statement from its slot and returns it.
  ///
  /// A nested call inside `body` finds the slot empty and prepares its own statement.
  private func take(slot: Int, sql: @autoclosure () -> String) throws -> Statement {
    if slot >= slots.count {
      slots.append(contentsOf: repeatElement(nil, count: slot + 1 - slots.count))
    }
    return try slots[slot].take() ?? engine.prepare(sql())
  }

  private func give(_ statement: Statement, slot: Int) {
    statement.reset()
    slots[slot] = statement
  }

  /// Calls `body` with cancellation disabled, because it must not be interrupted halfway.
  func unwatched<R>(_ body: () throws -> R) rethrows -> R {
    guard let watched else { return try body() }
    self.watched = nil
    defer { self.watched = watched }
    return try body()
  }

  /// The number of rows of the file changed since it was opened, including cascades and triggers.
  var changeCount: Int { engine.totalChanges - temporaryChanges }

  /// Calls `body`, which changes only temporary tables.
  func changingTemporaryTables<R>(_ body: () throws -> R) rethrows -> R {
    let before = engine.totalChanges
    defer { temporaryChanges += engine.totalChanges - before }
    return try body()
  }

  /// The number of statement slots.
  var slotCount: Int { slots.count }

  /// Calls `body` with a cached statement and resets it afterwards.
  func with<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
    try with(StatementText(sql), body)
  }

  /// Calls `body` with a cached statement and resets it afterwards.
  func with<R>(_ sql: StatementText, _ body: (Statement) throws -> R) throws -> R {
    let statement = try engine.statement(sql)
    if let reads { reads.note(statement) }
    defer { statement.reset() }
    return try body(statement)
  }

  /// Runs a statement that returns no rows.
  func execute(_ sql: String) throws {
    try with(sql) { while try $0.step() {} }
  }
}
