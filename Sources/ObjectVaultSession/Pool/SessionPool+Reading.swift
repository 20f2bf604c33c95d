import ObjectVaultDriver

// Reading: sessions for a call, a read scope or an iteration.

extension SessionPool {
  /// Calls `body` with a session for reading.
  ///
  /// Inside a transaction of this thread it is the one that writes, which sees uncommitted changes;
  /// otherwise it is one of the pool.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of obtaining the session.
  package func read<R>(_ body: (Session) throws -> R) throws -> R {
    if hasOneSession || writerLock.isHeldByCurrentThread { return try join(body) }
    try endAwaited()
    try checkUsable()
    return try describingErrors {
      func checked(_ session: Session) throws -> R {
        try check(session)
        return try session.cancellable { try body(session) }
      }
      let thread = ThreadState.current
      if let scope = thread.readScope(of: self) { return try checked(scope.session) }
      let session = try take(thread)
      defer { release(session, thread) }
      return try checked(session)
    }
  }

  /// Calls `body` with a session for one read that needs only the checks of the pool.
  ///
  /// - Parameters:
  ///   - thread: The state of the thread, which reads outside of scopes.
  ///   - isOpen: Whether a handle retains the database. A handle that releases it announces this
  ///     first and then informs the pool.
  ///   - body: The work to do.
  /// - Returns: The result of `body`; `nil` if no handle retains the database any more.
  /// - Throws: The error of `body`, and errors of obtaining the session.
  @inlinable @inline(__always)
  package func readAlone<R>(
    _ thread: ThreadState, while isOpen: () -> Bool, _ body: (Session) throws -> R
  ) throws -> R? {
    // The owner must be released after the connection.
    var last: AnyObject?
    defer { withExtendedLifetime(last) {} }
    guard let session = try take(thread, while: isOpen, &last) else { return nil }
    defer { last = release(session, thread) }
    try check(session)
    return try body(session)
  }

  /// Calls `body` while every read of this thread sees the same snapshot of the database.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of taking the snapshot.
  package func readScope<R>(_ body: () throws -> R) throws -> R {
    if writerLock.isHeldByCurrentThread { return try body() }
    // No other thread can change the data while this thread holds the writer lock.
    if hasOneSession { return try join { _ in try body() } }
    try endAwaited()
    try checkUsable()
    return try describingErrors {
      let thread = ThreadState.current
      if thread.readScope(of: self) != nil { return try body() }
      let session = try take(thread)
      let scope = ReadScope(session, of: self, inside: thread.readScope)
      thread.readScope = scope
      defer {
        thread.readScope = scope.outer
        release(session, thread)
      }
      try check(session)
      try session.execute(session.connection.catalog.beginReading)
      defer {
        scope.end()
        try? session.execute("COMMIT")
      }
      // The engine takes the snapshot at the first read, so read now: the scope begins here.
      try session.execute(session.connection.catalog.firstRead)
      return try body()
    }
  }

  /// The read scope of the calling thread.
  package var currentScope: ReadScope? { ThreadState.current.readScope(of: self) }

  /// Whether the calling thread may see a state other than the last commit.
  package var isInScope: Bool { isInTransaction || currentScope != nil }

  /// Leases a session for the duration of an iteration.
  package func lease() throws -> Session {
    if hasOneSession { return try join { try owner.copy(of: $0) } }
    try endAwaited()
    try checkUsable()
    return try describingErrors {
      let session = try readers.lease()
      do {
        try check(session)
        return session
      } catch {
        readers.endLease(session)
        throw error
      }
    }
  }

  /// Returns a leased session to the pool.
  package func endLease(_ session: Session) {
    if !hasOneSession { readers.endLease(session) }
  }

  private func take(_ thread: ThreadState) throws -> Session {
    let session = try readers.take(thread)
    thread.readersHeld += 1
    return session
  }

  @usableFromInline
  func take(
    _ thread: ThreadState, while isOpen: () -> Bool, _ last: inout AnyObject?
  ) throws -> Session? {
    guard let session = try readers.take(thread, while: isOpen, &last) else { return nil }
    thread.readersHeld += 1
    return session
  }

  @usableFromInline @discardableResult
  func release(_ session: Session, _ thread: ThreadState) -> AnyObject? {
    thread.readersHeld -= 1
    return readers.give(session)
  }
}
