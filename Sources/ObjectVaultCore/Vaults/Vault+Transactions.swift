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
    let file = try file()
    // A copy of the file before the transaction is to be without all that it does, and nothing else.
    return try file.transaction(
      isShown: true, deferringReferences: deferringReferences,
      sharing: !file.settings.keepsPreimage
    ) { _ in try body() }
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
    try await onLane(.write, sharing: true) {
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
    try await onLane(.write, sharing: true) {
      try self.attempt(deferringReferences: deferringReferences, body)
    }
  }

  /// Runs `body` in a read scope on a thread of the vault's own, without blocking the caller's.
  @discardableResult
  public func read<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await onLane(.read) { try self.file().readScope(body) }
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
