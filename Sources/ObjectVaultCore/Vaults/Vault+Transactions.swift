import Dispatch

extension Vault {
  /// Runs `body` as one transaction: all that it does to this vault is kept, or, when it throws,
  /// nothing.
  ///
  /// Calls on the vault from inside `body`, on its thread, are part of the transaction and see
  /// what it did so far; others see the last commit. A transaction inside another is a savepoint:
  /// its failure undoes its own part only. One transaction writes at a time; others wait.
  ///
  /// - Parameters:
  ///   - deferringReferences: Whether objects may refer to others that are stored later in the
  ///     transaction, or be left by those they refer to until others take their place. Each
  ///     reference must have its object at the end. Otherwise every operation sees to that itself.
  ///   - body: What is to be done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; ``VaultError`` `.busy` where another process holds the file,
  ///   `.deadlock` where waiting for this vault would close a circle of transactions,
  ///   `.transactionAborted` where the engine gave the transaction up, `.danglingReference` where a
  ///   reference is without its object at the end.
  @discardableResult
  public func transaction<R>(
    deferringReferences: Bool = false, _ body: () throws -> R
  ) throws -> R {
    try file().transaction(isShown: true, deferringReferences: deferringReferences) { _ in
      try body()
    }
  }

  /// Runs `body` as one transaction that is kept where `body` answers `true`, and undone where it answers
  /// `false` or throws.
  ///
  /// - Parameters: as ``transaction(deferringReferences:_:)-(_,()->R)``.
  /// - Returns: What `body` answered.
  /// - Throws: as ``transaction(deferringReferences:_:)-(_,()->R)``.
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

  /// Runs `body` while every read of this vault on its thread sees one and the same state,
  /// whatever others commit meanwhile. Many small reads are also faster inside.
  ///
  /// Writing inside is possible, but the scope goes on seeing the state it began with.
  @discardableResult
  public func read<R>(_ body: () throws -> R) throws -> R {
    try file().readScope(body)
  }

  /// Runs `body` as ``read(_:)-(()->R)`` does, and reads each object once: who asks for it again is
  /// given the same instance of a class, or the same value of a struct, without a look into the file.
  ///
  /// This is an identity map. It takes part in `find`, `all`, `first`, `forEach`, cursors, pages, matches
  /// and what follows references. It belongs to the scope and not to the vault, so that it is never out of
  /// date and no object of it is met by two threads; it ends with the scope.
  ///
  /// - An instance is everybody's who asks inside the scope: a change to it is seen by all of them,
  ///   whether it is saved or not. What is saved inside does not change what the scope sees.
  /// - Nothing is kept or given inside a transaction, by stores of a partition, and by stores without
  ///   the owned objects of their class, nor of rows of SQL; a vault in memory keeps nothing.
  /// - Objects that belong to others are those of their owner, and are not looked for among the kept
  ///   ones. Objects with owned ones whose objectID is no number are known again by `find` of one alone.
  /// - Inside another scope that keeps objects it is part of that, whose limit holds.
  ///
  /// - Parameters:
  ///   - limit: How many objects are kept at most, of all classes together. When one more comes, all are
  ///     let go of first. 0 keeps none.
  ///   - body: What is to be done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; ``VaultError`` `.invalidArgument` for a negative number.
  @discardableResult
  public func read<R>(keepingObjects limit: Int, _ body: () throws -> R) throws -> R {
    try Self.check(keepingObjects: limit)
    return try file().readScope(keepingObjects: limit, body)
  }

  private static func check(keepingObjects limit: Int) throws(VaultError) {
    guard limit >= 0 else {
      throw VaultError(
        .invalidArgument, "A read scope keeps no fewer than 0 objects. Give a number of 0 or more.")
    }
  }

  /// Runs `body` as one transaction on the vault's own thread, without blocking the caller's.
  ///
  /// `body` is synchronous: inside, the synchronous forms of all operations are used. When the
  /// task is cancelled the transaction is undone.
  ///
  /// - Throws: as ``transaction(_:)-(()->R)``, and `.cancelled`.
  @discardableResult
  public func transaction<R: Sendable>(
    deferringReferences: Bool = false, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await onLane(.write) {
      try self.transaction(deferringReferences: deferringReferences, body)
    }
  }

  /// Runs `body` as one transaction on the vault's own thread that is kept where `body` answers `true`,
  /// and undone where it answers `false` or throws, without blocking the caller's.
  ///
  /// - Returns: What `body` answered.
  /// - Throws: as ``transaction(deferringReferences:_:)-(_,()->R)``, and `.cancelled`.
  @discardableResult
  public func attempt(
    deferringReferences: Bool = false, _ body: @escaping @Sendable () throws -> Bool
  ) async throws -> Bool {
    try await onLane(.write) {
      try self.attempt(deferringReferences: deferringReferences, body)
    }
  }

  /// Runs `body` in a read scope on a thread of the vault's own, without blocking the caller's.
  @discardableResult
  public func read<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await onLane(.read) { try self.file().readScope(body) }
  }

  /// Runs `body` in a read scope that reads each object once, on a thread of the vault's own, without
  /// blocking the caller's; see ``read(keepingObjects:_:)-(_,()->R)``.
  @discardableResult
  public func read<R: Sendable>(
    keepingObjects limit: Int, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try Self.check(keepingObjects: limit)
    return try await onLane(.read) {
      try self.file().readScope(keepingObjects: limit, body)
    }
  }

  /// Opens the file without blocking the caller's thread.
  public func open() async throws {
    _ = try await openedOnLane()
  }

  /// What `body` gives, which runs on a thread of the vault's own.
  ///
  /// - Parameter sharing: Whether the commit of what `body` writes may come after the next operations, where
  ///   the vault is to have that.
  func onLane<R: Sendable>(
    _ direction: Lanes.Direction, sharing: Bool = false,
    _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    let file = try await openedOnLane()
    return try await file.lanes.run(
      direction, of: file, sharing: sharing && file.settings.groupsCommits, body)
  }

  /// The file; opening it, which can take as long as a key derivation, happens off the caller's
  /// thread.
  func openedOnLane() async throws -> VaultFile {
    if let file = handle.openFile { return file }
    return try await Lanes.runAlone { try self.file() }
  }
}

/// Ends a transaction that is not to be kept, and goes no further than the call that began it.
private struct Undone: Error {}
