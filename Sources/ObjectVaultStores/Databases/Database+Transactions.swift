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
  @available(*, noasync, message: "Call it with 'await'.")
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
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
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
  /// ```swift
  /// let towns = try vault.read(caching: .objects(10_000)) { try townsOfAllStudents() }
  /// ```
  ///
  /// - Parameters:
  ///   - caching: Whether the scope returns objects that it read before; see ``ObjectCaching``.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``VaultError`` if the snapshot cannot be taken, and
  ///   `.invalidArgument` for a negative number of cached objects.
  @available(*, noasync, message: "Call it with 'await'.")
  @discardableResult
  public func read<R>(caching: ObjectCaching = .none, _ body: () throws -> R) throws -> R {
    let limit = try caching.checkedLimit()
    return try opened().readScope(keepingObjects: limit, body)
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

  /// Runs `body` in a read scope on one of the vault's threads, without blocking the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - caching: Whether the scope returns objects that it read before; see ``ObjectCaching``.
  ///   - body: The work to do, which uses the synchronous forms of all operations.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``VaultError`` if the snapshot cannot be taken, `.cancelled`,
  ///   and `.invalidArgument` for a negative number of cached objects.
  @discardableResult
  public func read<R: Sendable>(
    caching: ObjectCaching = .none, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let limit = try caching.checkedLimit()
    return try await onExecutor(.read) {
      try self.opened().readScope(keepingObjects: limit, body)
    }
  }
}

/// An error that rolls back a transaction and is caught by the call that began it.
private struct Undone: Error {}
