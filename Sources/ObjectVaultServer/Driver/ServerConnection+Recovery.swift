import Foundation
import ObjectVaultDriver

// Connecting again, and reading on replicas.

extension ServerConnection {
  /// Makes the connection ready for the next use.
  ///
  /// Outside of transactions, it replaces a connection that was lost, and waits until a replica has
  /// what this process wrote.
  ///
  /// - Throws: ``DriverError`` if no server accepts a new connection.
  func makeReady() throws(DriverError) {
    if isInTransaction { return }
    // Another connection would see another state.
    if isReadScope { throw link.lost() }
    let seeksReplica = prefersReplicas && !mustLeaveReplica
    // A read that meets the loss runs again; a transaction would not.
    if !link.isAlive(after: role == .reading ? 10_000_000 : 0) {
      route.noteLoss(of: link)
      try reconnect(preferringReplicas: seeksReplica)
    } else if mustLeaveReplica || !route.isCurrent(link)
      || seeksReplica && !link.isReplica && ContinuousClock.now >= nextReplica
    {
      try reconnect(preferringReplicas: seeksReplica)
    }
    if link.isReplica { try catchUp() }
  }

  /// Waits until the replica has what this process wrote and observers know of, or moves to the
  /// primary.
  private func catchUp() throws(DriverError) {
    let deadline = ContinuousClock.now + route.replicaTimeLimit
    var pause = 0.000_2
    while let written = route.written {
      if replayed >= written { return }
      do throws(DriverError) {
        replayed = try position("pg_last_wal_replay_lsn()")
      } catch {
        break
      }
      if replayed >= written { return }
      guard ContinuousClock.now < deadline else { break }
      Thread.sleep(forTimeInterval: pause)
      pause = min(pause * 2, 0.02)
    }
    try reconnect(preferringReplicas: false)
  }

  /// Prepares the connection to run a statement again that had no effect.
  ///
  /// - Parameter error: Its error.
  /// - Returns: Whether it can be run again.
  /// - Throws: ``DriverError`` if no server accepts a new connection.
  func isReadyAgain(after error: DriverError) throws(DriverError) -> Bool {
    if error.resultCode == SQLState.connectionLost {
      try reconnect(preferringReplicas: prefersReplicas)
      if link.isReplica { try catchUp() }
      return true
    }
    guard link.isReplica else { return false }
    let reasons =
      Self.replicaConflicts + [
        // The statement needs a temporary table.
        SQLState.readOnlyTransaction,
        // Another process has just created the table or the column.
        SQLState.noTable, SQLState.noColumn,
      ]
    guard reasons.contains(error.resultCode) else { return false }
    try reconnect(preferringReplicas: false)
    return true
  }

  /// The codes with which a replica ends a statement, because it must remove rows that the
  /// statement reads.
  private static let replicaConflicts = [SQLState.serialization, SQLState.deadlock]

  /// Returns the error of a read that failed among its rows, outside of transactions.
  ///
  /// If a replica ended the read, the next one moves to the primary. A replica can end it by closing
  /// the connection, which another one replaces then.
  func leavingReplica(after error: DriverError) -> DriverError {
    guard link.isReplica else { return error }
    if link.isBroken { route.leaveReplicas() }
    guard Self.replicaConflicts.contains(error.resultCode) else { return error }
    mustLeaveReplica = true
    return DriverError(
      .inputOutput,
      "The replica ended a read, because it must remove rows that the read needs. Try again: the "
        + "primary answers.", resultCode: SQLState.connectionLost)
  }

  /// Records the position of the log after a commit of this connection.
  ///
  /// A commit is on the disk, unless the settings say otherwise. Records of other connections behind
  /// it may stay in memory for seconds, and replicas do not receive them before.
  func notePosition() { route.note(try? position(Self.committed)) }

  /// The expression of the position after the last commit.
  static let committed =
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() "
    + "ELSE pg_current_wal_flush_lsn() END"
}
