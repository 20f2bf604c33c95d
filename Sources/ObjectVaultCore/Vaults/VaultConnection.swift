package import ObjectVaultEngine

/// A connection with the statements that its stores run again and again.
///
/// Each table and kind of statement has a slot with a number of its own, so that the statement of
/// a hot path is found without hashing its text.
package final class VaultConnection {
  package let engine: Connection
  // One thread at a time uses a connection: checking each access for overlap could find nothing, and
  // costs a tenth of what it takes to fetch an object.

  @exclusivity(unchecked) private var slots: [Statement?] = []
  /// When the path was last seen to lead to the open file, by the ``CoarseClock``.
  @exclusivity(unchecked) var lastPathCheck: Int64?
  /// The thread that uses the connection for one call or read scope; read and written inside the monitor
  /// of its pool.
  @exclusivity(unchecked) var user: ThreadID?
  /// The operation whose cancellation ends what runs on the connection.
  @exclusivity(unchecked) var watched: Cancellation? {
    didSet {
      guard let watched else { return engine.setProgress(every: 0, nil) }
      engine.setProgress(every: 2000) { watched.isCancelled }
    }
  }
  /// Whether the transaction in progress holds writes of others too, which the engine would undo with the
  /// one that it is made to end half-way: cancellation waits for the end of a statement then.
  @exclusivity(unchecked) var isShared = false
  /// Which tables refer to which, as of when it was read.
  var graph: ReferenceGraph?
  /// Whether references may be left without their objects until the commit.
  var defersReferences = false
  /// The numbers of the temporary tables that hold lists of conditions. Those who use them end in any
  /// order.
  var listsInUse: Set<Int> = []
  /// The number of the first temporary table that a condition may fill.
  var nextList: Int { (listsInUse.max() ?? -1) + 1 }
  /// Whether the file counts commits, as far as this connection knows.
  @exclusivity(unchecked) var counter = CommitCounter.Knowledge()
  /// The schema as the connection last read it to write.
  @exclusivity(unchecked) var schemaEpoch = SchemaEpoch()
  /// Notes what is read for somebody who observes it.
  @exclusivity(unchecked) var reads: ObservedReads?
  /// What the engine counted of the commits of others when that was asked last.
  var dataVersion: Int64?
  /// What is told of the connection.
  @exclusivity(unchecked) private(set) var hooked: HookedConnection?
  /// When the write-ahead log is moved into the file.
  @exclusivity(unchecked) var logLimit = LogLimit(limit: .max)
  /// Whether the usual temporary tables were made.
  @exclusivity(unchecked) var hasTemporaryTables = false
  /// How many rows of temporary tables were changed.
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

  /// Has hooks told of the connection from now on, first that it was opened.
  func tell(_ hooked: HookedConnection?) throws {
    self.hooked = hooked
    try hooked?.opened(self)
  }

  /// Calls `body` with the statement of a slot, prepared on first use, and resets it afterwards.
  @inline(__always)
  func with<R>(
    slot: Int, sql: @autoclosure () -> String, _ body: (Statement) throws -> R
  ) throws -> R {
    let statement = try take(slot: slot, sql: sql())
    if let reads { reads.note(statement) }
    defer { give(statement, slot: slot) }
    return try body(statement)
  }

  /// Takes the statement out of its slot: a call from inside `body` finds the slot empty and
  /// prepares a statement of its own.
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

  /// Calls `body`, which no cancellation may end half-way.
  func unwatched<R>(_ body: () throws -> R) rethrows -> R {
    guard let watched else { return try body() }
    self.watched = nil
    defer { self.watched = watched }
    return try body()
  }

  /// How many rows of the file were changed since it was opened, by cascades and triggers too.
  var changeCount: Int { engine.totalChanges - temporaryChanges }

  /// Calls `body`, which changes temporary tables only.
  func changingTemporaryTables<R>(_ body: () throws -> R) rethrows -> R {
    let before = engine.totalChanges
    defer { temporaryChanges += engine.totalChanges - before }
    return try body()
  }

  /// How many slots there are.
  var slotCount: Int { slots.count }

  /// Calls `body` with a statement from the connection's cache, and resets it afterwards.
  func with<R>(_ sql: String, _ body: (Statement) throws -> R) throws -> R {
    try with(StatementText(sql), body)
  }

  /// Calls `body` with a statement from the connection's cache, and resets it afterwards.
  func with<R>(_ sql: StatementText, _ body: (Statement) throws -> R) throws -> R {
    let statement = try engine.statement(sql)
    if let reads { reads.note(statement) }
    defer { statement.reset() }
    return try body(statement)
  }

  /// Runs statements that answer nothing.
  func execute(_ sql: String) throws {
    try with(sql) { while try $0.step() {} }
  }
}
