import ObjectVaultKeys

/// The connections that read: opened as needed, up to a limit, each used by one thread at a time.
///
/// A use of a connection keeps the file open, which a handle hands over to the pool where it lets go of it
/// meanwhile: what reads need not count references to the file, which all threads would count at once.
final class ReaderPool: @unchecked Sendable {
  /// The process that the connections belong to.
  let process = ProcessNumber.current
  private let path: String
  private let limit: Int
  /// How long to wait for a connection, in seconds.
  private let timeout: Double
  private let make: @Sendable () throws -> VaultConnection
  private let monitor = Monitor()
  private let freed: Monitor.Signal
  // Used under the monitor alone, which nobody enters twice.

  @exclusivity(unchecked) private var idle: [VaultConnection] = []
  /// Every open connection of the pool, the idle ones included.
  @exclusivity(unchecked) private var members: [Unmanaged<VaultConnection>] = []
  /// The thread that suspended the pool.
  @exclusivity(unchecked) private var suspender: ThreadID?
  @exclusivity(unchecked) private var inUse = 0
  /// Connections that were taken for longer than a call.
  @exclusivity(unchecked) private var leased = 0
  @exclusivity(unchecked) private var isSuspended = false
  /// How many checkpoints hold new readers back for a moment.
  @exclusivity(unchecked) private var holds = 0
  @exclusivity(unchecked) private var isClosed = false
  /// The file while the last who hold it are those who use connections.
  @exclusivity(unchecked) private var keptFile: VaultFile?
  /// The file whose connections these are.
  private var file: Unmanaged<VaultFile>?

  /// - Parameters:
  ///   - path: The file, for errors.
  ///   - timeout: How many seconds to wait for a connection.
  ///   - make: Opens a connection. What it throws, once the pool is closed too, is what those who ask
  ///     for one get.
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

  /// Has the pool know the file whose connections these are, which is being made and is used by nobody.
  func belong(to file: VaultFile) { self.file = .passUnretained(file) }

  /// Calls `body` with a connection of the pool and the file, which is kept by that use alone.
  ///
  /// - Parameters:
  ///   - record: That of the thread, which is in no scope of the pool.
  ///   - isOpen: Whether a handle holds the file: who lets go of it tells others first, and then the pool.
  /// - Returns: `nil` where no handle holds the file any more.
  @inline(__always)
  func withConnection<R>(
    _ record: ThreadRecord, while isOpen: () -> Bool,
    _ body: (VaultConnection, VaultFile) throws -> R
  ) throws -> R? {
    // Its end comes after that of the connection.
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

  /// Keeps a file that a handle lets go of for as long as anybody uses a connection.
  func keepWhileUsed(_ file: VaultFile) {
    monitor.withLock { if inUse > 0 { keptFile = file } }
  }

  /// Calls `body` with a connection: that of the scope the thread is in, else one of the pool.
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

  /// Calls `body` while every read of this thread goes through one connection.
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

  /// What tells the pool from others, as long as it is kept; never 0.
  var mark: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  /// The scope the calling thread is in.
  var currentScope: ReadScope? { ThreadRecord.current.readScope(of: self) }

  /// Takes a connection for longer than a call; it does not count towards the limit, so that
  /// holding several can never leave the holder waiting for itself.
  func lease() throws -> VaultConnection {
    let mayWait = !ThreadRecord.current.holdsAny
    let connection = try monitor.withLock { () throws(VaultError) in
      while holds > 0, !isSuspended, mayWait { freed.wait() }
      if isSuspended { throw Self.suspended }
      leased += 1
      let connection = idle.popLast()
      // An iteration may go to another thread.
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

  /// Gives a leased connection back.
  func endLease(_ connection: VaultConnection) {
    // One more idle connection than the limit allows is one too many: it closes here.
    monitor.withLock {
      leased -= 1
      keep(connection)
      if isSuspended { freed.wakeAll() }
    }
  }

  /// Closes the connections that are idle now, and the others as they are given back.
  ///
  /// Waits for those in use, unless the calling thread holds something itself: what uses a
  /// connection could be waiting for it.
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

  /// Waits until no connection is in use, closes all, and has who asks for one wait until
  /// ``resume()``.
  ///
  /// - Throws: `.busy` if one is still in use after so many seconds; `.deadlock` if a thread that reads
  ///   waits for what this one holds. Nothing is suspended then.
  func suspend(within seconds: Double) throws(VaultError) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    monitor.withLock {
      isSuspended = true
      suspender = .current
    }
    do {
      let users = ReadersInUse(self)
      // From now on no thread that reads begins to wait for this one, either.
      try WaitGraph.monitor.withLock { () throws(VaultError) in try WaitGraph.begin(users) }
      defer { WaitGraph.monitor.withLock { WaitGraph.end() } }
      let closing = try monitor.withLock { () throws(VaultError) in
        while inUse + leased > 0 {
          let left = deadline - .now
          guard left > .zero else {
            throw VaultError(
              .busy,
              "The file is being read in this process, and what needs it alone gave up waiting. End "
                + "iterations and read scopes, and try again.")
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

  /// Lets connections be opened again.
  func resume() {
    monitor.withLock {
      isSuspended = false
      suspender = nil
      freed.wakeAll()
    }
  }

  /// Has new readers wait, but for those that others may wait for, until ``endHold()``: a checkpoint comes to
  /// the end of the log, which readers that overlap would never let it.
  func hold() { monitor.withLock { holds += 1 } }

  /// Lets the readers go on that ``hold()`` held back.
  func endHold() {
    monitor.withLock {
      holds -= 1
      freed.wakeAll()
    }
  }

  private static var suspended: VaultError {
    VaultError(
      .busy, "The file is being rekeyed, and this thread must not wait for that. Try again later.")
  }

  /// The connections in use, which a replacement waits for.
  private final class ReadersInUse: WaitResource {
    private let pool: ReaderPool

    init(_ pool: ReaderPool) { self.pool = pool }

    var waitName: String { "the readers of '\(pool.path)'" }
    var waitHolders: [ThreadID] { pool.users }
  }

  /// The end of a replacement, which those who read wait for.
  private final class Replacement: WaitResource {
    private let pool: ReaderPool

    init(_ pool: ReaderPool) { self.pool = pool }

    var waitName: String { "the replacement of '\(pool.path)'" }
    var waitHolders: [ThreadID] { pool.monitor.withLock { pool.suspender.map { [$0] } ?? [] } }
  }

  /// The threads that use connections, but for those that iterations hold.
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
    // Who already holds something must not wait here: two such threads could wait for each other.
    guard inUse < limit || record.holdsAny || isClosed else { return .wait }
    inUse += 1
    return .room
  }

  /// The idle connection that the thread used last, whose pages and statements its processor may still
  /// have at hand, else that which was used last. Called inside the monitor.
  private func takeIdle(_ record: ThreadRecord) -> VaultConnection? {
    guard let last = idle.indices.last else { return nil }
    let own = idle.firstIndex { ObjectIdentifier($0) == record.lastReader }
    if let own, own != last { idle.swapAt(own, last) }
    let connection = idle.removeLast()
    connection.user = record.thread
    return connection
  }

  /// - Throws: `.busy` if no connection was free in time; `.deadlock` if the thread that replaces the file
  ///   waits for this one; `.cancelled`.
  private func wait(_ record: ThreadRecord) throws -> Found {
    let deadline = ContinuousClock.now + .seconds(timeout)
    func untilFree(isCancelled: () -> Bool) throws(VaultError) -> Found {
      try monitor.withLock { () throws(VaultError) in
        while true {
          let found = takeFree(record)
          guard case .wait = found else { return found }
          if isCancelled() { throw .cancelled }
          let left = deadline - .now
          // What holds readers back ends soon, however short the timeout is.
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

  /// Called inside the monitor.
  private var waitedTooLong: VaultError {
    VaultError(
      .busy,
      isSuspended
        ? "'\(path)' is being rekeyed, and this thread waited \(timeout) seconds for that. Try again later."
        : "All \(limit) connections that read '\(path)' have been in use for \(timeout) seconds. End read "
          + "scopes sooner, do not wait inside one for another thread that reads, or raise "
          + "`maximumReaders`.")
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

  /// - Returns: As ``give(_:)``.
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

  /// - Returns: The file where that was the last use of it: it closes with the reference, and after the
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

  /// Called inside the monitor.
  @inline(__always)
  private func endUse() -> VaultFile? {
    inUse -= 1
    return inUse == 0 ? keptFile.take() : nil
  }

  /// Called inside the monitor.
  private func keep(_ connection: VaultConnection) {
    if !isClosed, !isSuspended, !connection.engine.hasMetDamage, idle.count + inUse < limit {
      idle.append(connection)
    } else {
      members.removeAll { $0.toOpaque() == Unmanaged.passUnretained(connection).toOpaque() }
    }
  }

  /// Called inside the monitor.
  private func takeAllIdle() -> [VaultConnection] {
    let closing = idle
    idle.removeAll()
    members.removeAll { member in closing.contains { $0 === member.takeUnretainedValue() } }
    return closing
  }
}

/// The reads of one thread that see one and the same state of the file.
final class ReadScope {
  let connection: VaultConnection
  /// The scope of another pool that the thread was in before.
  let outer: ReadScope?
  /// The pool outlives the call that the scope lasts for.
  private unowned(unsafe) let pool: ReaderPool
  /// What was read, where the scope keeps that.
  @exclusivity(unchecked) var identityMap: IdentityMap?
  /// The iterations that were begun inside and hold the connection's snapshot.
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

  /// Ends the iterations: the connection goes to another thread.
  func end() { cursors.expire(deeperThan: -1) }
}
