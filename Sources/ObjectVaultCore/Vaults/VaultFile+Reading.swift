import ObjectVaultEngine

// Reading: connections of the pool, for a call, for a scope, for an iteration.

extension VaultFile {
  /// Calls `body` with a connection that reads: the writer inside a transaction of this thread,
  /// which sees what it has not committed yet, else one of the pool.
  func read<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    if isInMemory, !isInTransaction { return try readInMemory(body) }
    if gate.isHeldByCurrentThread {
      return try write(body)
    }
    try endAwaited()
    try checkUsable()
    return try mappingErrors {
      try readers.withConnection { connection in
        try check(connection)
        return try cancellable(connection) { try body(connection) }
      }
    }
  }

  /// Looks at what may have changed since a connection read last.
  func check(_ connection: VaultConnection) throws {
    try checkUsable()
    try checkNotReplaced(since: connection)
    try tellReady(connection)
  }

  /// Calls `body` while every read of this thread sees one and the same state of the file.
  func readScope<R>(_ body: () throws -> R) throws -> R {
    if gate.isHeldByCurrentThread { return try body() }
    // Nobody else changes what the thread sees while it is inside the gate.
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
        // The engine takes the snapshot at the first look: the scope begins here, not there.
        try connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        return try body()
      }
    }
  }

  /// The same, where each object is read once.
  ///
  /// - Parameter limit: How many objects are kept at most; none in a transaction, and none where there is
  ///   no scope of one state, as in memory.
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

  /// The read scope that the calling thread is in.
  var currentScope: ReadScope? { readers.currentScope }

  /// Whether what the calling thread sees can differ from the last commit.
  var isInScope: Bool { isInTransaction || currentScope != nil }

  /// Takes a reading connection for as long as an iteration lasts.
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

  /// Gives a leased connection back.
  func endLease(_ connection: VaultConnection) {
    if !isInMemory { readers.endLease(connection) }
  }
}
