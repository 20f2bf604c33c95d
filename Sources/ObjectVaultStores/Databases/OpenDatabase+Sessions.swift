import ObjectVaultDriver
package import ObjectVaultSession

// The operations of the sessions. The file must outlive each of them: when the last reference to it
// goes, the connections close. A handle can release the file at any time on another thread.

extension OpenDatabase {
  /// Calls `body` with a session for reading, see ``SessionPool/read(_:)``.
  package func read<R>(_ body: (Session) throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.read(body) }
  }

  /// Calls `body` while every read of this thread sees the same snapshot, see
  /// ``SessionPool/readScope(_:)``.
  package func readScope<R>(_ body: () throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.readScope(body) }
  }

  /// Calls `body` with a session for reading, on which all reads see the same snapshot.
  package func readSnapshot<R>(_ body: (Session) throws -> R) throws -> R {
    try readScope { try read(body) }
  }

  /// Calls `body` with a session for reading, on which no commit changes the columns of a statement
  /// between its compilation and its first row.
  ///
  /// An engine in this process compiles a statement again at its first row if the schema changed.
  package func readForStatement<R>(_ body: (Session) throws -> R) throws -> R {
    try dialect.isInProcess ? readSnapshot(body) : read(body)
  }

  /// Leases a session for the duration of an iteration, which also keeps the file.
  package func lease() throws -> Session { try withExtendedLifetime(self) { try sessions.lease() } }

  /// Returns a leased session to the pool.
  package func endLease(_ session: Session) {
    withExtendedLifetime(self) { sessions.endLease(session) }
  }

  /// Calls `body` inside this thread's transaction or one of its own, see ``SessionPool/write(_:)``.
  @inline(__always)
  func write<R>(_ body: (Session) throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.write(body) }
  }

  /// Calls `body` inside a transaction or a savepoint, see
  /// ``SessionPool/transaction(isOfApplication:_:)``.
  @inline(__always)
  package func transaction<R>(
    isOfApplication: Bool = false, _ body: (Session) throws -> R
  ) throws -> R {
    try withExtendedLifetime(self) {
      try sessions.transaction(isOfApplication: isOfApplication, body)
    }
  }

  /// Calls `body` with the session that writes, see ``SessionPool/withWriter(_:)``.
  package func withWriter<R>(_ body: (Session) throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.withWriter(body) }
  }

  /// Calls `body` with the session that writes, inside this thread's transaction if it has one.
  package func join<R>(_ body: (Session) throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.join(body) }
  }

  /// Calls `body` while no other thread writes, see ``SessionPool/excludingWriters(_:)``.
  package func excludingWriters<R>(_ body: () throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.excludingWriters(body) }
  }

  /// Calls `body` while no other thread writes, unless one does or waits to.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`; `nil` if the writer lock is not free.
  /// - Throws: The error of `body`.
  func excludingWritersIfFree<R>(_ body: () throws -> R) rethrows -> R? {
    try withExtendedLifetime(self) { try sessions.excludingWritersIfFree(body) }
  }

  /// Calls `body` and translates its errors for the application.
  package func describingErrors<R>(_ body: () throws -> R) throws -> R {
    try withExtendedLifetime(self) { try sessions.describingErrors(body) }
  }
}
