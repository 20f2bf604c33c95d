import Synchronization

/// The connections that read: opened as needed, up to a limit, each used by one thread at a time.
final class ReaderPool: @unchecked Sendable {
  private let limit: Int
  private let make: @Sendable () throws -> VaultConnection
  private let monitor = Monitor()
  private let freed: Monitor.Signal
  private var idle: [VaultConnection] = []
  private var inUse = 0
  /// The connection of each thread that is inside a read scope.
  private var scopes: [ThreadID: VaultConnection] = [:]
  /// The threads that are inside a read scope of any vault, and of how many.
  private static let scopeHolders = Mutex<[ThreadID: Int]>([:])

  init(limit: Int, make: @escaping @Sendable () throws -> VaultConnection) {
    self.limit = max(1, limit)
    self.make = make
    self.freed = Monitor.Signal(monitor)
  }

  /// Calls `body` with a connection: that of the scope the thread is in, else one of the pool.
  func withConnection<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    let (connection, isJoined) = try take(ThreadID.current)
    defer { if !isJoined { give(connection) } }
    return try body(connection)
  }

  /// Calls `body` while every read of this thread goes through one connection.
  func withScope<R>(_ body: (VaultConnection, _ isOutermost: Bool) throws -> R) throws -> R {
    let current = ThreadID.current
    let (connection, isJoined) = try take(current)
    if isJoined { return try body(connection, false) }
    monitor.withLock { scopes[current] = connection }
    Self.scopeHolders.withLock { $0[current, default: 0] += 1 }
    defer {
      Self.scopeHolders.withLock { $0[current] = $0[current] == 1 ? nil : ($0[current] ?? 1) - 1 }
      monitor.withLock { scopes[current] = nil }
      give(connection)
    }
    return try body(connection, true)
  }

  /// Takes a connection for longer than a call; it does not count towards the limit, so that
  /// holding several can never leave the holder waiting for itself.
  func lease() throws -> VaultConnection {
    if let connection = monitor.withLock({ idle.popLast() }) { return connection }
    return try make()
  }

  /// Gives a leased connection back.
  func endLease(_ connection: VaultConnection) {
    // One more idle connection than the limit allows is one too many: it closes here.
    monitor.withLock { if idle.count + inUse < limit { idle.append(connection) } }
  }

  /// Waits until no connection is in use, then closes those that are idle.
  func drain() {
    let closing = monitor.withLock {
      while inUse > 0 { freed.wait() }
      defer { idle.removeAll() }
      return idle
    }
    withExtendedLifetime(closing) {}
  }

  private func take(_ current: ThreadID) throws -> (VaultConnection, isJoined: Bool) {
    enum Found {
      case scope(VaultConnection)
      case idle(VaultConnection)
      case room
    }
    // Who already holds something must not wait here: two such threads could wait for each other.
    lazy var mayWait =
      !WriterGate.currentThreadHoldsAny && Self.scopeHolders.withLock { $0[current] == nil }
    let found: Found = monitor.withLock {
      if !scopes.isEmpty, let scope = scopes[current] { return .scope(scope) }
      while true {
        if let connection = idle.popLast() {
          inUse += 1
          return .idle(connection)
        }
        if inUse < limit || !mayWait {
          inUse += 1
          return .room
        }
        freed.wait()
      }
    }
    switch found {
    case .scope(let connection): return (connection, true)
    case .idle(let connection): return (connection, false)
    case .room:
      do {
        return (try make(), false)
      } catch {
        monitor.withLock {
          inUse -= 1
          freed.wakeAll()
        }
        throw error
      }
    }
  }

  private func give(_ connection: VaultConnection) {
    monitor.withLock {
      inUse -= 1
      if idle.count + inUse < limit { idle.append(connection) }
      freed.wakeAll()
    }
  }
}
