import ObjectVaultDriver

/// Behaviour of a feature that attaches to the transactions of a pool.
///
/// All functions are called while the writer lock is held. What they do not implement does nothing.
package protocol SessionHook: AnyObject, Sendable {
  /// An outermost transaction is about to begin, in which a closure of the application runs.
  func willBeginForApplication(on session: Session) throws

  /// A transaction began, or a savepoint in it if `isNested`.
  func didBegin(on session: Session, isNested: Bool)

  /// The outermost transaction is about to commit. The hook may write, and throw to roll it back.
  func willCommit(on session: Session) throws

  /// The commit of the outermost transaction failed.
  ///
  /// - Parameter error: The error, which is thrown if no hook finds the transaction stored.
  /// - Returns: Whether the transaction was stored although its commit reported the error.
  /// - Throws: The error to throw in its place.
  func isStored(despite error: any Error) throws -> Bool

  /// A write of a transaction that other threads may continue is finished.
  ///
  /// The hook may throw to roll it back, for what the commit would reject for all of them.
  func willShare(on session: Session) throws

  /// The innermost savepoint ended; its changes belong to the enclosing one or to the transaction.
  func didKeep(on session: Session)

  /// The innermost transaction or savepoint was rolled back.
  func didUndo(on session: Session)

  /// The outermost transaction was committed.
  ///
  /// - Returns: Work that is done after all locks are released; `nil` if there is none.
  func didCommit(on session: Session) -> (() -> Void)?
}

extension SessionHook {
  package func willBeginForApplication(on session: Session) throws {}
  package func didBegin(on session: Session, isNested: Bool) {}
  package func willCommit(on session: Session) throws {}
  package func isStored(despite error: any Error) throws -> Bool { false }
  package func willShare(on session: Session) throws {}
  package func didKeep(on session: Session) {}
  package func didUndo(on session: Session) {}
  package func didCommit(on session: Session) -> (() -> Void)? { nil }
}
