import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession

extension Database {
  /// Runs `body` as one transaction: commits all its changes to this vault, or none if it throws.
  ///
  /// Calls on the vault from `body`, on its thread, are part of the transaction and see its changes
  /// so far. Other threads see the last commit. A nested transaction is a savepoint: its failure
  /// rolls back only its own changes. One transaction writes at a time; others wait.
  ///
  /// ```swift
  /// try vault.transaction {
  ///   try students.insert(student)
  ///   try courses.save(course)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - deferringReferences: Whether an object may refer to one that is stored later in the
  ///     transaction, or that is removed and replaced in it. Each reference must have its object at
  ///     the end. If `false`, every operation checks its references itself.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``VaultError`` `.busy` if another process holds the file,
  ///   `.deadlock` if waiting for this vault would close a cycle of transactions,
  ///   `.transactionAborted` if the engine rolled back the transaction, `.danglingReference` if a
  ///   reference lacks its object at the end.
  @discardableResult
  public func transaction<R>(
    deferringReferences: Bool = false, _ body: () throws -> R
  ) throws -> R {
    try opened().transaction(isOfApplication: true) { session in
      try session.deferringReferences(deferringReferences, body)
    }
  }

  /// Runs `body` as one transaction that is committed if `body` returns `true`.
  ///
  /// It is rolled back if `body` returns `false` or throws.
  ///
  /// - Parameters:
  ///   - deferringReferences: As for ``transaction(deferringReferences:_:)-(_,()->R)``.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: ``VaultError`` as ``transaction(deferringReferences:_:)-(_,()->R)``.
  @discardableResult
  public func attempt(
    deferringReferences: Bool = false, _ body: () throws -> Bool
  ) throws -> Bool {
    do {
      return try transaction(deferringReferences: deferringReferences) {
        guard try body() else { throw Undone() }
        return true
      }
    } catch is Undone {
      return false
    }
  }

  /// Runs `body` while every read of this vault on its thread sees the same snapshot.
  ///
  /// Later commits of others are not visible inside. Many small reads are also faster inside. You
  /// can write inside, but the scope continues to see the snapshot that it began with.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and ``VaultError`` if the snapshot cannot be taken.
  @discardableResult
  public func read<R>(_ body: () throws -> R) throws -> R {
    try opened().readScope(body)
  }

  /// Runs `body` as ``read(_:)-(()->R)`` does, and caches the objects it reads.
  ///
  /// This is an identity map: a repeated read returns the same instance of a class, or the same
  /// value of a struct, without reading the file. It applies to `find`, `all`, `first`, `forEach`,
  /// cursors, pages, matches and following references. It belongs to the scope and not to the
  /// vault, so it is never out of date and two threads never share an object. It ends with the
  /// scope.
  ///
  /// - All code inside the scope shares an instance: a change to it is visible to all, whether it
  ///   is saved or not. Saving inside does not change what the scope reads.
  /// - Nothing is cached or taken from the cache inside a transaction, by stores of a partition, by
  ///   stores that omit owned objects of their class, or for rows of SQL. A vault in memory caches
  ///   nothing.
  /// - Owned objects are those of their owner and are not looked up in the cache. An object that
  ///   has owned objects and an object ID that is not a number is recognised only by `find` of a
  ///   single object.
  /// - A scope inside another caching scope is part of that scope and uses its limit.
  ///
  /// - Parameters:
  ///   - limit: The largest number of cached objects of all classes together. When one more is
  ///     read, all are released first. 0 disables the cache.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``VaultError`` `.invalidArgument` for a negative number.
  @discardableResult
  public func read<R>(keepingObjects limit: Int, _ body: () throws -> R) throws -> R {
    try Self.check(keepingObjects: limit)
    return try opened().readScope(keepingObjects: limit, body)
  }

  private static func check(keepingObjects limit: Int) throws(VaultError) {
    guard limit >= 0 else {
      throw VaultError(
        .invalidArgument,
        "The number of objects that a read scope caches is negative. Use 0 or more.")
    }
  }

  /// Runs `body` as one transaction on the vault's writer thread, without blocking the caller's
  /// thread.
  ///
  /// `body` is synchronous and uses the synchronous forms of all operations. Cancelling the task
  /// rolls back the transaction.
  ///
  /// - Parameters:
  ///   - deferringReferences: As for ``transaction(deferringReferences:_:)-(_,()->R)``.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: ``VaultError`` as ``transaction(deferringReferences:_:)-(_,()->R)``, and
  ///   `.cancelled`.
  @discardableResult
  public func transaction<R: Sendable>(
    deferringReferences: Bool = false, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await onExecutor(.write) {
      try self.transaction(deferringReferences: deferringReferences, body)
    }
  }

  /// Runs `body` as one transaction that is committed if `body` returns `true`, without blocking
  /// the caller's thread.
  ///
  /// It runs on the vault's writer thread, and is rolled back if `body` returns `false` or throws.
  ///
  /// - Parameters:
  ///   - deferringReferences: As for ``transaction(deferringReferences:_:)-(_,()->R)``.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: ``VaultError`` as ``transaction(deferringReferences:_:)-(_,()->R)``, and
  ///   `.cancelled`.
  @discardableResult
  public func attempt(
    deferringReferences: Bool = false, _ body: @escaping @Sendable () throws -> Bool
  ) async throws -> Bool {
    try await onExecutor(.write) {
      try self.attempt(deferringReferences: deferringReferences, body)
    }
  }

  /// Runs `body` in a read scope on one of the vault's threads, without blocking the caller's
  /// thread.
  ///
  /// - Parameter body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, and ``VaultError`` if the snapshot cannot be taken.
  @discardableResult
  public func read<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await onExecutor(.read) { try self.opened().readScope(body) }
  }

  /// Runs `body` in a caching read scope on one of the vault's threads, without blocking the
  /// caller's thread.
  ///
  /// See ``read(keepingObjects:_:)-(_,()->R)``.
  ///
  /// - Parameters:
  ///   - limit: The largest number of cached objects.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``VaultError`` `.invalidArgument` for a negative number.
  @discardableResult
  public func read<R: Sendable>(
    keepingObjects limit: Int, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try Self.check(keepingObjects: limit)
    return try await onExecutor(.read) {
      try self.opened().readScope(keepingObjects: limit, body)
    }
  }
}

/// An error that rolls back a transaction and is caught by the call that began it.
private struct Undone: Error {}
