// Reading: pool connections for a call, a read scope or an iteration.

extension VaultFile {
  /// Calls `body` with a connection for reading.
  ///
  /// Inside a transaction of this thread it is the writer connection, which sees uncommitted
  /// changes; otherwise it is one of the pool.
  func read<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    if isInMemory, !isInTransaction { return try readInMemory(body) }
    if gate.isHeldByCurrentThread { return try join(body) }
    try endAwaited()
    try checkUsable()
    return try mappingErrors {
      try readers.withConnection { connection in
        try check(connection)
        return try cancellable(connection) { try body(connection) }
      }
    }
  }

  /// Checks everything that may have changed since a connection was last used for reading.
  func check(_ connection: VaultConnection) throws {
    try checkUsable()
    try checkNotReplaced(since: connection)
    try tellReady(connection)
  }

  /// Calls `body` while every read of this thread sees the same snapshot of the file.
  func readScope<R>(_ body: () throws -> R) throws -> R {
    if gate.isHeldByCurrentThread { return try body() }
    // No other thread can change the data while this thread holds the writer lock.
    if isInMemory { return try readInMemory { _ in try body() } }
    try endAwaited()
    try checkUsable()
    return try mappingErrors {
      try readers.withScope { scope, isOutermost in
        guard isOutermost else { return try body() }
        let connection = scope.connection
        try check(connection)
        try connection.execute("BEGIN DEFERRED")
        defer {
          scope.end()
          try? connection.execute("COMMIT")
        }
        // The engine takes the snapshot at the first read, so read now: the scope begins here.
        try connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        return try body()
      }
    }
  }

  /// Calls `body` in a read scope that caches objects and reads each one once.
  ///
  /// Nothing is cached in a transaction, or in memory, which has no snapshots.
  ///
  /// - Parameters:
  ///   - limit: The largest number of cached objects.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and errors of beginning the scope.
  func readScope<R>(keepingObjects limit: Int, _ body: () throws -> R) throws -> R {
    try readScope {
      guard limit > 0, !gate.isHeldByCurrentThread, let scope = currentScope,
        scope.identityMap == nil
      else { return try body() }
      let map = IdentityMap(self, scope.connection, limit: limit)
      let record = ThreadRecord.current
      let outer = record.identityMap
      (scope.identityMap, record.identityMap) = (map, map)
      defer { (scope.identityMap, record.identityMap) = (nil, outer) }
      return try body()
    }
  }

  /// The read scope of the calling thread.
  var currentScope: ReadScope? { readers.currentScope }

  /// Whether the calling thread may see a state other than the last commit.
  var isInScope: Bool { isInTransaction || currentScope != nil }

  /// Leases a reader connection for the duration of an iteration.
  func leaseReader() throws -> VaultConnection {
    if isInMemory { return try readInMemory { try copy(of: $0) } }
    try endAwaited()
    try checkUsable()
    return try mappingErrors {
      let connection = try readers.lease()
      do {
        try checkNotReplaced(since: connection)
        try tellReady(connection)
        return connection
      } catch {
        readers.endLease(connection)
        throw error
      }
    }
  }

  /// Returns a leased connection to the pool.
  func endLease(_ connection: VaultConnection) {
    if !isInMemory { readers.endLease(connection) }
  }
}
