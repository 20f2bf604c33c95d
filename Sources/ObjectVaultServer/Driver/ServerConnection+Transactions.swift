internal import CPostgreSQL
import ObjectVaultDriver

// Beginning and ending transactions.

extension ServerConnection {
  /// Calls `body`, which sends the only statement of a transaction, without `BEGIN` and `COMMIT`.
  func committingAtOnce<R>(
    _ body: (_ after: [String]) throws(DriverError) -> R
  ) throws(DriverError) -> R {
    let begun = pending
    isCommittingAtOnce = true
    defer { isCommittingAtOnce = false }
    do throws(DriverError) {
      pending = []
      let notification = try notification()
      let after = notification.map { [$0] } ?? []
      let result = try reportingUnknown { () throws(DriverError) in try body(after) }
      hasCommitted = true
      return result
    } catch {
      if !link.isBroken, error.code != .commitUnknown { pending = begun }
      throw error
    }
  }

  /// Performs a command that begins or ends a transaction or a part of it.
  func performTransaction(_ text: ParameterText) throws(DriverError) -> ServerResult {
    let command = text.text
    if text.transaction == .commit || text.transaction == .rollback { isReadScope = false }
    if hasCommitted, text.transaction == .commit || text.transaction == .rollback {
      hasCommitted = false
      return nothing
    }
    switch text.transaction {
    case .begin where !link.isBroken && link.isIdle,
      .savepoint where isInTransaction && !isInFailedTransaction,
      .release where isInTransaction && !isInFailedTransaction:
      if text.transaction == .begin {
        noteBegin()
        isReadScope = role == .reading
      }
      pending.append(command)
      return nothing
    case .commit where !link.isBroken && link.isIdle && !pending.isEmpty,
      .rollback where !link.isBroken && link.isIdle && !pending.isEmpty:
      // Nothing was sent since the transaction began.
      pending = []
      return nothing
    case .commit: return try noting(text, committing(command))
    case .rollbackTo(let savepoint):
      noteRollback()
      if let position = pending.lastIndex(of: savepoint) {
        pending.removeSubrange((position + 1)...)
        return nothing
      }
      pending = []
    case .rollback:
      noteRollback()
      pending = []
    case .none, .begin, .savepoint, .release: break
    }
    return try self.command(command)
  }

  /// The command that notifies observers of a commit; `nil` if there are none.
  ///
  /// A notification makes a commit on a socket of the same machine twice as slow, and commits that
  /// notify wait for each other. So the connection asks each second whether anyone listens.
  private func notification() throws(DriverError) -> String? {
    let isNeeded = try route.mustNotify { () throws(DriverError) in
      let commands = pending
      pending = []
      defer { pending = commands + pending }
      let result = try ended {
        PQsendQueryParams($0, route.observers.query, 0, nil, nil, nil, nil, 1)
      }
      result.position = 0
      return result.integer(at: 0) == 1
    }
    return isNeeded ? "NOTIFY \(route.observers.channel)" : nil
  }

  /// Commits.
  private func committing(_ command: String) throws(DriverError) -> ServerResult {
    // The transaction ended with its connection, before the commit.
    if link.isBroken { return try watchingLoss { () throws(DriverError) in throw link.lost() } }
    if hasChanges, !isInFailedTransaction, let notification = try notification() {
      pending.append(notification)
    }
    return try reportingUnknown { () throws(DriverError) in try self.command(command) }
  }

  /// Calls `body`, which commits, and gives an unknown outcome its own error.
  private func reportingUnknown<R>(
    _ body: () throws(DriverError) -> R
  ) throws(DriverError) -> R {
    link.expectReplicas()
    do throws(DriverError) {
      let result = try body()
      if link.didNotReachReplicas {
        route.note(nil)
        throw Self.notReplicated
      }
      return result
    } catch {
      // A server that refuses to write has stored nothing.
      guard link.isBroken, role != .reading, error.code != .readOnly else { throw error }
      // Replicas can lack the transaction, so the primary answers.
      route.note(nil)
      throw DriverError(
        .commitUnknown,
        "The connection to the server was lost during a commit. Whether the transaction was stored is "
          + "unknown. Look at the objects before you run it again.")
    }
  }

  /// The error of a commit that the server stored alone, which reports success.
  private static var notReplicated: DriverError {
    DriverError(
      .commitUnknown,
      "The server stored the transaction, but stopped waiting for its replicas. It is lost if the "
        + "server fails before they have it. Look at the objects before you run it again.")
  }
}
