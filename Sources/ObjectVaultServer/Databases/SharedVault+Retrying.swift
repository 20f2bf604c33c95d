import Foundation
import ObjectVaultDriver
import ObjectVaultSession
import ObjectVaultStores

extension SharedVault {
  /// Runs `body` as one transaction, and runs it again if another transaction is in the way.
  ///
  /// Transactions are serializable: each has the effect that it would have alone. The server
  /// therefore ends one of two that change the same objects at the same time, with
  /// ``VaultError/Code/conflict``. This function then waits for a random time, which grows, and
  /// starts again.
  ///
  /// It also starts again if the connection is lost before the commit, which then stores nothing,
  /// and while no server accepts a new connection, as after the failure of a primary. If the
  /// connection is lost during the commit, a mark that the transaction left shows whether it
  /// was stored, and it is run again only if it was not. Other writes of this process wait for the
  /// answer.
  ///
  /// `body` can run several times, so it must not change anything but this database: it sends no
  /// message and adds to no variable outside.
  ///
  /// ```swift
  /// try vault.transaction(retryingFor: .seconds(10)) {
  ///   guard var account = try accounts.find(number) else { throw Missing() }
  ///   account.balance -= amount
  ///   try accounts.update(account)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - limit: The time after which a conflict is thrown instead of running `body` again.
  ///   - body: The work to do.
  /// - Returns: The result of the last run of `body`.
  /// - Throws: The error of `body`; ``VaultError`` `.conflict` or `.connectionLost` after the time
  ///   limit;
  ///   `.commitUnknown` if the server cannot be asked about a commit within it;
  ///   `.invalidArgument` inside a transaction, which alone can be run again.
  @available(*, noasync, message: "Call it with 'await'.")
  @discardableResult
  public func transaction<R>(retryingFor limit: Duration, _ body: () throws -> R) throws -> R {
    let database = try ServerDatabase.of(self)
    if database.sessions.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "A transaction inside another one cannot be run again alone. Retry the outer one.")
    }
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(2)
    while true {
      try Cancellation.check()
      let losses = database.route.losses
      do {
        return try transaction {
          let result = try body()
          try database.settleCommit(until: deadline)
          return result
        }
      } catch let error as VaultError where [.conflict, .connectionLost].contains(error.code) {
        guard ContinuousClock.now + pause < deadline else { throw error }
      } catch let error as VaultError
        where error.code == .transactionAborted && database.route.losses != losses
      {
        // The connection was lost in a transaction inside this one, whose error `body` caught.
        guard ContinuousClock.now + pause < deadline else {
          throw VaultError(
            .connectionLost,
            "The connection to the server was lost in a transaction, which stored nothing. Run the "
              + "transaction again.", underlying: error)
        }
      }
      Thread.sleep(forTimeInterval: .random(in: 0...(pause / .seconds(1))))
      pause = min(pause * 2, .milliseconds(500))
    }
  }

  /// Runs `body` as one transaction on the writer thread, and runs it again if another transaction
  /// is in the way, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - limit: The time after which a conflict is thrown instead of running `body` again.
  ///   - body: The work to do, which can run several times.
  /// - Returns: The result of the last run of `body`.
  /// - Throws: ``VaultError`` as ``transaction(retryingFor:_:)-(_,()->R)``, and `.cancelled`.
  @discardableResult
  public func transaction<R: Sendable>(
    retryingFor limit: Duration, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await onExecutor(.write) { try self.transaction(retryingFor: limit, body) }
  }
}
