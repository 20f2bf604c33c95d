import ObjectVaultEngine
import ObjectVaultKeys

/// A pool of reader connections, opened on demand up to a limit; one thread at a time uses each.
///
/// A connection in use keeps the file open: a handle that releases the file passes it to the pool.
/// Reads therefore do not count references to the file, which all threads would otherwise update at
/// once.
final class ReaderPool: @unchecked Sendable {
  /// The process that the connections belong to.
  let process = ProcessNumber.current
  private let path: String
  private let limit: Int
  /// The time to wait for a connection, in seconds.
  private let timeout: Double
  private let make: @Sendable () throws -> VaultConnection
  private let monitor = Monitor()
  private let freed: Monitor.Signal
  // Used only under the monitor, which is not reentrant.

  @exclusivity(unchecked) private var idle: [VaultConnection] = []
  /// All open connections of the pool, including idle ones.
  @exclusivity(unchecked) private var members: [Unmanaged<VaultConnection>] = []
  /// The thread that suspended the pool.
  @exclusivity(unchecked) private var suspender: ThreadID?
  @exclusivity(unchecked) private var inUse = 0
  /// The number of connections leased for longer than a call.
  @exclusivity(unchecked) private var leased = 0
  @exclusivity(unchecked) private var isSuspended = false
  /// The number of checkpoints that briefly hold back new readers.
  @exclusivity(unchecked) private var holds = 0
  @exclusivity(unchecked) private var isClosed = false
  /// The file, when only connections in use still retain it.
  @exclusivity(unchecked) private var keptFile: VaultFile?
  /// The file of the connections.
  private var file: Unmanaged<VaultFile>?

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - path: The path of the file, for errors.
  ///   - limit: The largest number of connections in use for calls.
  ///   - timeout: The time to wait for a connection, in seconds.
  ///   - make: Opens a connection. Its error is passed to the caller that requested the connection,
  ///     also after the pool is closed.
  init(
    path: String, limit: Int, timeout: Double,
    make: @escaping @Sendable () throws -> VaultConnection
  ) {
    self.path = path
    self.limit = max(1, limit)
    self.timeout = timeout
    self.make = make
    self.freed = Monitor.Signal(monitor)
  }

  /// Sets the file of the connections, while it is being created and not yet used.
  func belong(to file: VaultFile) { self.file = .passUnretained(file) }

  /// Calls `body` with a connection of the pool and the file, which only this use retains.
  ///
  /// - Parameters:
  ///   - record: The record of the thread, which is in no scope of the pool.
  ///   - isOpen: Whether a handle retains the file. A handle that releases the file announces this
  ///     first and then informs the pool.
  ///   - body: The work to do.
  /// - Returns: The result of `body`; `nil` if no handle retains the file any more.
  /// - Throws: The error of `body`, and errors of obtaining a connection.
  @inline(__always)
  func withConnection<R>(
    _ record: ThreadRecord, while isOpen: () -> Bool,
    _ body: (VaultConnection, VaultFile) throws -> R
  ) throws -> R? {
    // The file must be released after the connection.
    var last: VaultFile?
    defer { withExtendedLifetime(last) {} }
    let found = try find(record)
    guard isOpen() else {
      last = giveUp(found)
      return nil
    }
    let connection = try connection(found, record)
    record.readersHeld += 1
    defer {
      record.readersHeld -= 1
      last = give(connection)
    }
    return try file?._withUnsafeGuaranteedRef { try body(connection, $0) }
  }

  /// Retains a file that a handle releases, until no connection is in use.
  func keepWhileUsed(_ file: VaultFile) {
    monitor.withLock { if inUse > 0 { keptFile = file } }
  }

  /// Calls `body` with the connection of the thread's scope, or else one of the pool.
  @inline(__always)
  func withConnection<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    let record = ThreadRecord.current
    if let scope = record.readScope(of: self) { return try body(scope.connection) }
    let connection = try take(record)
    record.readersHeld += 1
    defer {
      record.readersHeld -= 1
      give(connection)
    }
    return try body(connection)
  }

  /// Calls `body` while every read of this thread uses one connection.
  func withScope<R>(_ body: (ReadScope, _ isOutermost: Bool) throws -> R) throws -> R {
    let record = ThreadRecord.current
    if let scope = record.readScope(of: self) { return try body(scope, false) }
    let connection = try take(record)
    let scope = ReadScope(connection, of: self, inside: record.readScope)
    record.readScope = scope
    record.readersHeld += 1
    defer {
      scope.end()
      record.readersHeld -= 1
      record.readScope = scope.outer
      give(connection)
    }
    return try body(scope, true)
  }

  /// The identity of the pool while it is retained; never 0.
  var mark: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  /// The read scope of the calling thread.
  var currentScope: ReadScope? { ThreadRecord.current.readScope(of: self) }

  /// Returns a connection for use longer than a call.
  ///
  /// It does not count towards the limit, so a thread that holds several leases never waits for
  /// itself.
  func lease() throws -> VaultConnection {
    let mayWait = !ThreadRecord.current.holdsAny
    let connection = try monitor.withLock { () throws(VaultError) in
      while holds > 0, !isSuspended, mayWait { freed.wait() }
      if isSuspended { throw Self.suspended }
      leased += 1
      let connection = idle.popLast()
      // An iteration may move to another thread.
      connection?.user = nil
      return connection
    }
    if let connection { return connection }
    do {
      let made = try make()
      monitor.withLock { members.append(.passUnretained(made)) }
      return made
    } catch {
      monitor.withLock { leased -= 1 }
      throw error
    }
  }

  /// Returns a leased connection to the pool.
  func endLease(_ connection: VaultConnection) {
    // An idle connection above the limit closes here.
    monitor.withLock {
      leased -= 1
      keep(connection)
      if isSuspended { freed.wakeAll() }
    }
  }

  /// Closes the idle connections now, and the others when they are returned.
  ///
  /// It waits for connections in use, unless the calling thread holds a resource that their users
  /// could be waiting for.
  func close() {
    let mayWait = !ThreadRecord.current.holdsAny
    let closing = monitor.withLock {
      isClosed = true
      freed.wakeAll()
      while mayWait, inUse > 0 { freed.wait() }
      return takeAllIdle()
    }
    withExtendedLifetime(closing) {}
  }

  /// Waits until no connection is in use, closes all, and blocks new requests until ``resume()``.
  ///
  /// - Parameter seconds: The longest time to wait.
  /// - Throws: `.busy` if a connection is still in use after that time; `.deadlock` if a reading
  ///   thread waits for a resource of this one. The pool is not suspended then.
  func suspend(within seconds: Double) throws(VaultError) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    monitor.withLock {
      isSuspended = true
      suspender = .current
    }
    do {
      let users = ReadersInUse(self)
      // From now on, no reading thread begins to wait for this one.
      try WaitGraph.monitor.withLock { () throws(VaultError) in try WaitGraph.begin(users) }
      defer { WaitGraph.monitor.withLock { WaitGraph.end() } }
      let closing = try monitor.withLock { () throws(VaultError) in
        while inUse + leased > 0 {
          let left = deadline - .now
          guard left > .zero else {
            throw VaultError(
              .busy,
              "The file is in use by readers of this process, and the wait for exclusive access "
                + "timed out. End iterations and read scopes, and try again.")
          }
          freed.wait(seconds: min(left / .seconds(1), 1))
        }
        return takeAllIdle()
      }
      withExtendedLifetime(closing) {}
    } catch {
      resume()
      throw error
    }
  }

  /// Allows connections to be opened again.
  func resume() {
    monitor.withLock {
      isSuspended = false
      suspender = nil
      freed.wakeAll()
    }
  }

  /// Blocks new readers until ``endHold()``, except those that others may wait for.
  ///
  /// Overlapping readers would otherwise never let a checkpoint reach the end of the log.
  func hold() { monitor.withLock { holds += 1 } }

  /// Releases the readers that ``hold()`` blocked.
  func endHold() {
    monitor.withLock {
      holds -= 1
      freed.wakeAll()
    }
  }

  private static var suspended: VaultError {
    VaultError(
      .busy, "The file is being rekeyed, and this thread cannot wait for that. Try again later.")
  }

  /// The connections in use, as a resource that a replacement waits for.
  private final class ReadersInUse: WaitResource {
    private let pool: ReaderPool

    init(_ pool: ReaderPool) { self.pool = pool }

    var waitName: String { "the readers of '\(pool.path)'" }
    var waitHolders: [ThreadID] { pool.users }
  }

  /// The end of a replacement, as a resource that readers wait for.
  private final class Replacement: WaitResource {
    private let pool: ReaderPool

    init(_ pool: ReaderPool) { self.pool = pool }

    var waitName: String { "the replacement of '\(pool.path)'" }
    var waitHolders: [ThreadID] { pool.monitor.withLock { pool.suspender.map { [$0] } ?? [] } }
  }

  /// The threads that use connections, without leased connections.
  private var users: [ThreadID] {
    monitor.withLock {
      let idle = Set(idle.map { ObjectIdentifier($0) })
      return members.compactMap { member in
        let connection = member.takeUnretainedValue()
        return idle.contains(ObjectIdentifier(connection)) ? nil : connection.user
      }
    }
  }

  private enum Found {
    case idle(VaultConnection)
    case room
    case wait
    case refused
  }

  @inline(__always)
  private func take(_ record: ThreadRecord) throws -> VaultConnection {
    try connection(find(record), record)
  }

  @inline(__always)
  private func find(_ record: ThreadRecord) throws -> Found {
    let found = monitor.withLock { takeFree(record) }
    if case .wait = found { return try wait(record) }
    return found
  }

  @inline(__always)
  private func connection(_ found: Found, _ record: ThreadRecord) throws -> VaultConnection {
    let connection: VaultConnection
    switch found {
    case .idle(let idle): connection = idle
    case .room, .wait: connection = try open(record)
    case .refused: throw Self.suspended
    }
    record.lastReader = ObjectIdentifier(connection)
    return connection
  }

  /// Returns a free connection or the next step.
  ///
  /// Called inside the monitor.
  private func takeFree(_ record: ThreadRecord) -> Found {
    if isSuspended || holds > 0 {
      if isSuspended { return record.holdsReaderOrGate ? .refused : .wait }
      if !record.holdsAny { return .wait }
    }
    if let connection = takeIdle(record) {
      inUse += 1
      return .idle(connection)
    }
    // A thread that holds a resource must not wait here: two such threads could wait for each
    // other.
    guard inUse < limit || record.holdsAny || isClosed else { return .wait }
    inUse += 1
    return .room
  }

  /// Returns the best idle connection.
  ///
  /// Called inside the monitor.
  ///
  /// It prefers the connection that the thread used last, because its pages and statements may
  /// still be in the processor's cache. Otherwise it returns the most recently used one.
  private func takeIdle(_ record: ThreadRecord) -> VaultConnection? {
    guard let last = idle.indices.last else { return nil }
    let own = idle.firstIndex { ObjectIdentifier($0) == record.lastReader }
    if let own, own != last { idle.swapAt(own, last) }
    let connection = idle.removeLast()
    connection.user = record.thread
    return connection
  }

  /// Waits for a free connection.
  ///
  /// - Throws: `.busy` if no connection was free in time; `.deadlock` if the thread that replaces
  ///   the file waits for this one; `.cancelled`.
  private func wait(_ record: ThreadRecord) throws -> Found {
    let deadline = ContinuousClock.now + .seconds(timeout)
    func untilFree(isCancelled: () -> Bool) throws(VaultError) -> Found {
      try monitor.withLock { () throws(VaultError) in
        while true {
          let found = takeFree(record)
          guard case .wait = found else { return found }
          if isCancelled() { throw .cancelled }
          let left = deadline - .now
          // A hold ends soon, so wait for it even if the timeout is short.
          guard left > .zero || holds > 0 && !isSuspended else { throw waitedTooLong }
          if left <= .zero {
            freed.wait()
            continue
          }
          freed.wait(seconds: left / .seconds(1))
        }
      }
    }
    let replacement = Replacement(self)
    try WaitGraph.monitor.withLock { () throws(VaultError) in try WaitGraph.begin(replacement) }
    defer { WaitGraph.monitor.withLock { WaitGraph.end() } }
    guard let cancellation = Cancellation.current else {
      return try untilFree(isCancelled: { false })
    }
    return try cancellation.withWaking(by: { [self] in
      monitor.withLock { freed.wakeAll() }
    }) { try untilFree(isCancelled: { cancellation.isCancelled }) }
  }

  /// The error of a wait that exceeded the timeout.
  ///
  /// Called inside the monitor.
  private var waitedTooLong: VaultError {
    VaultError(
      .busy,
      isSuspended
        ? "'\(path)' is being rekeyed, and this thread has waited for \(timeout) seconds. Try "
          + "again later."
        : "All \(limit) connections that read '\(path)' have been in use for \(timeout) seconds. "
          + "End read scopes sooner, do not wait inside a read scope for another reading thread, "
          + "or raise `maximumReaders`.")
  }

  private func open(_ record: ThreadRecord) throws -> VaultConnection {
    do {
      let connection = try make()
      connection.user = record.thread
      monitor.withLock { members.append(.passUnretained(connection)) }
      return connection
    } catch {
      giveUp(.room)
      throw error
    }
  }

  /// Releases a reserved connection or place.
  ///
  /// - Returns: The file, as ``give(_:)`` does.
  @discardableResult
  private func giveUp(_ found: Found) -> VaultFile? {
    switch found {
    case .idle(let connection): return give(connection)
    case .room, .wait:
      return monitor.withLock {
        freed.wakeAll()
        return endUse()
      }
    case .refused: return nil
    }
  }

  /// Returns a connection to the pool.
  ///
  /// - Returns: The file if this was its last use. It closes with this reference, after the
  ///   connection.
  @discardableResult
  private func give(_ connection: VaultConnection) -> VaultFile? {
    monitor.withLock {
      let file = endUse()
      keep(connection)
      freed.wakeOne()
      if isClosed || isSuspended { freed.wakeAll() }
      return file
    }
  }

  /// Ends one use.
  ///
  /// Called inside the monitor.
  @inline(__always)
  private func endUse() -> VaultFile? {
    inUse -= 1
    return inUse == 0 ? keptFile.take() : nil
  }

  /// Stores a connection as idle or drops it.
  ///
  /// Called inside the monitor.
  private func keep(_ connection: VaultConnection) {
    if !isClosed, !isSuspended, !connection.engine.hasMetDamage, idle.count + inUse < limit {
      idle.append(connection)
    } else {
      members.removeAll { $0.toOpaque() == Unmanaged.passUnretained(connection).toOpaque() }
    }
  }

  /// Removes and returns all idle connections.
  ///
  /// Called inside the monitor.
  private func takeAllIdle() -> [VaultConnection] {
    let closing = idle
    idle.removeAll()
    members.removeAll { member in closing.contains { $0 === member.takeUnretainedValue() } }
    return closing
  }
}

/// The reads of one thread that see the same snapshot of the file.
final class ReadScope {
  let connection: VaultConnection
  /// The enclosing scope of the thread on another pool.
  let outer: ReadScope?
  /// The pool outlives the call that the scope lasts for.
  private unowned(unsafe) let pool: ReaderPool
  /// The cached objects, if the scope caches them.
  @exclusivity(unchecked) var identityMap: IdentityMap?
  /// The iterations that began inside and hold the connection's snapshot.
  private var cursors = OpenCursors()

  init(_ connection: VaultConnection, of pool: ReaderPool, inside outer: ReadScope?) {
    self.connection = connection
    self.pool = pool
    self.outer = outer
  }

  @inline(__always)
  func isOf(_ pool: ReaderPool) -> Bool { self.pool === pool }

  /// The ``ReaderPool/mark`` of the pool.
  var mark: UInt { pool.mark }

  func add(_ cursor: any ExpiringCursor) { cursors.add(cursor, depth: 0) }

  /// Ends the iterations, because another thread will use the connection.
  func end() { cursors.expire(deeperThan: -1) }
}
