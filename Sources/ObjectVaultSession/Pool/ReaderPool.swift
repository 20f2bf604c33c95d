package import ObjectVaultDriver

/// A pool of reader connections, opened on demand up to a limit; one thread at a time uses each.
///
/// A connection in use keeps the database open: a handle that releases its owner passes it to the
/// pool. Reads therefore do not count references to the owner, which all threads would otherwise
/// update at once.
package final class ReaderPool: @unchecked Sendable {
  private let name: String
  private let limit: Int
  /// The time to wait for a connection.
  private let timeout: Duration
  private let make: @Sendable () throws -> Session
  private let monitor = Monitor()
  private let freed: Monitor.Signal

  private struct State {
    var idle: [Session] = []
    /// All open connections of the pool, including idle ones.
    var members: [Unmanaged<Session>] = []
    /// The thread that suspended the pool.
    var suspender: ThreadID?
    /// The number of times that the pool was suspended.
    var suspensionCount = 0
    var inUse = 0
    /// The number of connections leased for longer than a call.
    var leased = 0
    var isSuspended = false
    /// The number of checkpoints that briefly hold back new readers.
    var holds = 0
    var isClosed = false
    /// The number of threads that wait.
    var waiters = 0
    /// When a waiting thread last received a connection, or when the first one began to wait.
    var lastAdvance: Int64 = 0
    /// The owner of the database, when only connections in use still retain it.
    var keptOwner: AnyObject?
  }
  /// The time after which new threads wait behind those that wait already, in nanoseconds.
  ///
  /// Without a limit, a few busy threads could use all connections forever. A limit of 0 would cost
  /// a thread switch for each short read.
  private static let patience: Int64 = 10_000_000
  private let content = UncheckedValue(State())
  /// The state, accessed only inside the monitor, which is not reentrant.
  private var state: State {
    @inline(__always) _read { yield content.value }
    @inline(__always) _modify { yield &content.value }
  }

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - name: The name of the database, for errors.
  ///   - limit: The largest number of connections in use for calls.
  ///   - timeout: The time to wait for a connection.
  ///   - make: Opens a connection. Its error is passed to the caller that requested the connection,
  ///     also after the pool is closed.
  init(
    name: String, limit: Int, timeout: Duration, make: @escaping @Sendable () throws -> Session
  ) {
    self.name = name
    self.limit = max(1, limit)
    self.timeout = timeout
    self.make = make
    self.freed = Monitor.Signal(monitor)
  }

  /// Retains an owner that a handle releases, until no connection is in use.
  package func keepWhileUsed(_ owner: AnyObject) {
    monitor.withLock { if state.inUse > 0 { state.keptOwner = owner } }
  }

  /// Returns a connection for use longer than a call.
  ///
  /// It does not count towards the limit, so a thread that holds several leases never waits for
  /// itself. Nor does a task with an iteration inside another one, which use several threads.
  ///
  /// - Returns: The connection, until ``endLease(_:)``.
  /// - Throws: `.busy` during a replacement of the file, if the thread cannot wait for its end or it
  ///   did not end in time; errors of opening a connection.
  func lease() throws -> Session {
    let mayWait = !ThreadState.current.holdsAny
    var found = monitor.withLock { takeLeased(mayWait) }
    if case .wait = found {
      found = try wait(within: timeout) { _ in self.takeLeased(mayWait) }
    }
    switch found {
    case .idle(let session): return session
    case .refused: throw Self.suspended
    case .room, .wait: break
    }
    do {
      let made = try make()
      monitor.withLock { state.members.append(.passUnretained(made)) }
      return made
    } catch {
      monitor.withLock { state.leased -= 1 }
      throw error
    }
  }

  /// Returns a connection for a lease or the next step.
  ///
  /// Called inside the monitor.
  private func takeLeased(_ mayWait: Bool) -> Found {
    if state.isSuspended { return mayWait ? .wait : .refused }
    if state.holds > 0, mayWait { return .wait }
    state.leased += 1
    guard let session = state.idle.popLast() else { return .room }
    // An iteration may move to another thread.
    session.user = nil
    return .idle(session)
  }

  /// Returns a leased connection to the pool.
  func endLease(_ session: Session) {
    // An idle connection above the limit closes here.
    monitor.withLock {
      state.leased -= 1
      keep(session)
      if state.isSuspended { freed.wakeAll() }
    }
  }

  /// Closes the idle connections now, and the others when they are returned.
  ///
  /// It waits for connections in use, unless the calling thread holds a resource that their users
  /// could be waiting for.
  package func close() {
    let mayWait = !ThreadState.current.holdsAny
    let closing = monitor.withLock {
      state.isClosed = true
      freed.wakeAll()
      while mayWait, state.inUse > 0 { freed.wait() }
      return takeAllIdle()
    }
    withExtendedLifetime(closing) {}
  }

  /// Waits until no connection is in use, closes all, and blocks new requests until ``resume()``.
  ///
  /// - Parameter timeout: The longest time to wait.
  /// - Throws: `.busy` if a connection is still in use after that time; `.deadlock` if a reading
  ///   thread waits for a resource of this one. The pool is not suspended then.
  package func suspend(within timeout: Duration) throws(VaultError) {
    let deadline = ContinuousClock.now + timeout
    monitor.withLock {
      state.isSuspended = true
      state.suspensionCount += 1
      state.suspender = .current
    }
    do {
      let users = ReadersInUse(self)
      // From now on, no reading thread begins to wait for this one.
      try WaitGraph.monitor.withLock { () throws(VaultError) in try WaitGraph.begin(users) }
      defer { WaitGraph.monitor.withLock { WaitGraph.end() } }
      let closing = try monitor.withLock { () throws(VaultError) in
        while state.inUse + state.leased > 0 {
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
  package func resume() {
    monitor.withLock {
      state.isSuspended = false
      state.suspender = nil
      freed.wakeAll()
    }
  }

  /// The number of times that the pool was suspended.
  package var suspensionCount: Int { monitor.withLock { state.suspensionCount } }

  /// Waits until the pool is not suspended, for as long as that takes.
  ///
  /// - Throws: `.busy` if the thread cannot wait; `.deadlock` if the thread that replaces the file
  ///   waits for this one; `.cancelled`.
  package func waitWhileSuspended() throws {
    guard monitor.withLock({ state.isSuspended }) else { return }
    guard !ThreadState.current.holdsReaderOrWriterLock else { throw Self.suspended }
    _ = try wait(within: nil) { _ in self.state.isSuspended ? .wait : .room }
  }

  /// Blocks new readers until ``endHold()``, except those that others may wait for.
  ///
  /// Overlapping readers would otherwise never let a checkpoint reach the end of the log.
  package func hold() { monitor.withLock { state.holds += 1 } }

  /// Releases the readers that ``hold()`` blocked.
  package func endHold() {
    monitor.withLock {
      state.holds -= 1
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

    var waitName: String { "the readers of '\(pool.name)'" }
    var waitHolders: [ThreadID] { pool.users }
  }

  /// The end of a replacement, as a resource that readers wait for.
  private final class Replacement: WaitResource {
    private let pool: ReaderPool

    init(_ pool: ReaderPool) { self.pool = pool }

    var waitName: String { "the replacement of '\(pool.name)'" }
    var waitHolders: [ThreadID] {
      pool.monitor.withLock { pool.state.suspender.map { [$0] } ?? [] }
    }
  }

  /// The threads that use connections, without leased connections.
  private var users: [ThreadID] {
    monitor.withLock {
      let idle = Set(state.idle.map { ObjectIdentifier($0) })
      return state.members.compactMap { member in
        let session = member.takeUnretainedValue()
        return idle.contains(ObjectIdentifier(session)) ? nil : session.user
      }
    }
  }

  private enum Found {
    case idle(Session)
    case room
    case wait
    case refused
  }

  /// Returns a connection that the thread uses until ``give(_:)``.
  ///
  /// - Throws: `.busy` if no connection was free in time, and errors of opening one.
  func take(_ thread: ThreadState) throws -> Session { try session(find(thread), thread) }

  /// Returns a connection as ``take(_:)`` does, while a handle retains the owner.
  ///
  /// - Parameters:
  ///   - thread: The state of the thread.
  ///   - isOpen: Whether a handle retains the owner. A handle that releases it announces this first
  ///     and then informs the pool.
  ///   - last: Receives the owner if only this call still retained it.
  /// - Returns: The connection; `nil` if no handle retains the owner any more.
  /// - Throws: The errors of ``take(_:)``.
  func take(
    _ thread: ThreadState, while isOpen: () -> Bool, _ last: inout AnyObject?
  ) throws -> Session? {
    let found = try find(thread)
    guard isOpen() else {
      last = giveUp(found)
      return nil
    }
    return try session(found, thread)
  }

  @inline(__always)
  private func find(_ thread: ThreadState) throws -> Found {
    let found = monitor.withLock { takeFree(thread, hasWaited: false) }
    guard case .wait = found else { return found }
    return try wait(within: timeout) { self.takeFree(thread, hasWaited: $0) }
  }

  @inline(__always)
  private func session(_ found: Found, _ thread: ThreadState) throws -> Session {
    let session: Session
    switch found {
    case .idle(let idle): session = idle
    case .room, .wait: session = try open(thread)
    case .refused: throw Self.suspended
    }
    thread.lastReader = ObjectIdentifier(session)
    return session
  }

  /// Returns a free connection or the next step.
  ///
  /// Called inside the monitor.
  private func takeFree(_ thread: ThreadState, hasWaited: Bool) -> Found {
    if state.isSuspended || state.holds > 0 {
      if state.isSuspended { return thread.holdsReaderOrWriterLock ? .refused : .wait }
      if !thread.holdsAny { return .wait }
    }
    if !hasWaited, state.waiters > 0, !thread.holdsAny,
      CoarseClock.now - state.lastAdvance > Self.patience
    {
      return .wait
    }
    if let session = takeIdle(thread) {
      state.inUse += 1
      return .idle(session)
    }
    // A thread that holds a resource must not wait here: two such threads could wait for each
    // other.
    guard state.inUse < limit || thread.holdsAny || state.isClosed else { return .wait }
    state.inUse += 1
    return .room
  }

  /// Returns the best idle connection.
  ///
  /// Called inside the monitor.
  ///
  /// It prefers the connection that the thread used last, because its pages and statements may
  /// still be in the processor's cache. Otherwise it returns the most recently used one.
  private func takeIdle(_ thread: ThreadState) -> Session? {
    guard let last = state.idle.indices.last else { return nil }
    let own = state.idle.firstIndex { ObjectIdentifier($0) == thread.lastReader }
    if let own, own != last { state.idle.swapAt(own, last) }
    let session = state.idle.removeLast()
    session.user = thread.id
    return session
  }

  /// Waits for a free connection.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait; `nil` for as long as it takes.
  ///   - next: Returns a connection or the next step. It is called inside the monitor, with whether
  ///     the thread has waited.
  /// - Returns: The first step that is not to wait.
  /// - Throws: `.busy` if no connection was free in time; `.deadlock` if the thread that replaces
  ///   the file waits for this one; `.cancelled`.
  private func wait(within timeout: Duration?, _ next: (Bool) -> Found) throws -> Found {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    func untilFree(isCancelled: () -> Bool) throws(VaultError) -> Found {
      try monitor.withLock { () throws(VaultError) in
        if state.waiters == 0 { state.lastAdvance = CoarseClock.now }
        state.waiters += 1
        defer { state.waiters -= 1 }
        var hasWaited = false
        while true {
          let found = next(hasWaited)
          guard case .wait = found else {
            state.lastAdvance = CoarseClock.now
            // Threads may have begun to wait behind this one while connections were free.
            if state.waiters > 1, state.inUse < limit { freed.wakeOne() }
            return found
          }
          hasWaited = true
          if isCancelled() { throw .cancelled }
          guard let deadline else {
            freed.wait()
            continue
          }
          let left = deadline - .now
          // A hold ends soon, so wait for it even if the timeout is short.
          guard left > .zero || state.holds > 0 && !state.isSuspended else { throw waitedTooLong }
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
      state.isSuspended
        ? "'\(name)' is being rekeyed, and this thread has waited for \(timeout). Try again "
          + "later."
        : "All \(limit) connections that read '\(name)' have been in use for \(timeout). "
          + "End read scopes sooner, do not wait inside a read scope for another reading thread, "
          + "or raise `maximumReaders`.")
  }

  private func open(_ thread: ThreadState) throws -> Session {
    do {
      let session = try make()
      session.user = thread.id
      monitor.withLock { state.members.append(.passUnretained(session)) }
      return session
    } catch {
      giveUp(.room)
      throw error
    }
  }

  /// Releases a reserved connection or place.
  ///
  /// - Returns: The owner, as ``give(_:)`` does.
  @discardableResult
  private func giveUp(_ found: Found) -> AnyObject? {
    switch found {
    case .idle(let session): return give(session)
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
  /// - Returns: The owner if this was its last use. It closes with this reference, after the
  ///   connection.
  @discardableResult
  func give(_ session: Session) -> AnyObject? {
    monitor.withLock {
      let owner = endUse()
      keep(session)
      freed.wakeOne()
      if state.isClosed || state.isSuspended { freed.wakeAll() }
      return owner
    }
  }

  /// Ends one use.
  ///
  /// Called inside the monitor.
  @inline(__always)
  private func endUse() -> AnyObject? {
    state.inUse -= 1
    return state.inUse == 0 ? state.keptOwner.take() : nil
  }

  /// Stores a connection as idle or drops it.
  ///
  /// Called inside the monitor.
  private func keep(_ session: Session) {
    if !state.isClosed, !state.isSuspended, !session.isRejected,
      !session.connection.hasMetDamage, state.idle.count + state.inUse < limit
    {
      state.idle.append(session)
    } else {
      state.members.removeAll { $0.toOpaque() == Unmanaged.passUnretained(session).toOpaque() }
    }
  }

  /// Removes and returns all idle connections.
  ///
  /// Called inside the monitor.
  private func takeAllIdle() -> [Session] {
    let closing = state.idle
    state.idle.removeAll()
    state.members.removeAll { member in closing.contains { $0 === member.takeUnretainedValue() } }
    return closing
  }
}
