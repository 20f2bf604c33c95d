import Foundation
import ObjectVaultDriver
import ObjectVaultSession
import ObjectVaultStores

// The marks by which a transaction is settled whose answer is unknown, and the positions of commits.

extension ServerDatabase {
  /// Returns the open database of a shared vault; opens it on first use.
  static func of(_ vault: SharedVault) throws -> ServerDatabase {
    // A shared vault opens nothing else.
    unsafeDowncast(try vault.opened(), to: ServerDatabase.self)
  }

  /// Lets the commit of this thread's transaction find out whether it was stored if its answer is
  /// lost.
  ///
  /// - Parameter deadline: The time until which the server is asked.
  /// - Throws: The errors of storing a mark in the transaction.
  func settleCommit(until deadline: ContinuousClock.Instant) throws {
    let mark = UUID()
    try leave(mark)
    commits.settlement = { [unowned self] in settle(mark, until: deadline) }
  }

  /// Leaves a mark in the transaction of this thread, by which ``settle(_:until:)`` finds it.
  func leave(_ mark: UUID) throws {
    try withWriter { session in
      try session.with("INSERT INTO objectvault_commits (mark) VALUES (?1)") { statement in
        statement.binder.bind(text: mark.uuidString, at: 0)
        try statement.run()
      }
      // No client waits that long for the answer to a commit.
      guard UInt8.random(in: .min ... .max) == 0 else { return }
      try clean(session)
    }
  }

  /// Removes some of the marks that no one asks for any more, so that it takes a short time.
  ///
  /// There are at most ``cleanedAtOnce`` marks for each 256 transactions, on average, so that none
  /// remain for long.
  func clean(_ session: Session) throws {
    try session.execute(
      "DELETE FROM objectvault_commits WHERE ctid = ANY (ARRAY(SELECT ctid FROM objectvault_commits "
        + "WHERE at < now() - interval '1 day' ORDER BY at LIMIT \(Self.cleanedAtOnce)))")
  }

  /// The greatest number of marks that are removed at once.
  static let cleanedAtOnce = 1000

  /// Returns whether a transaction with a mark was stored; `nil` if the server cannot be asked.
  ///
  /// The transaction may still be in progress on a server that no longer answers. Storing the mark
  /// again waits for its end, and prevents a later one. It also waits for the replicas, so that a
  /// transaction that was found is not lost with the server.
  ///
  /// - Parameters:
  ///   - mark: The mark.
  ///   - deadline: The time until which the server is asked again, unless the operation on this
  ///     thread is cancelled.
  /// - Returns: Whether the transaction was stored.
  func settle(_ mark: UUID, until deadline: ContinuousClock.Instant) -> Bool? {
    while true {
      if let isStored = try? settle(mark) { return isStored }
      if Cancellation.current?.isCancelled == true || ContinuousClock.now > deadline { return nil }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  private func settle(_ mark: UUID) throws -> Bool {
    let session = try Self.session(by: route, for: .settling)
    _ = session.watch()
    defer { session.endWatch() }
    try session.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    // A mark of an earlier call is infinitely old.
    let isStored = try session.with(
      "WITH own AS (INSERT INTO objectvault_commits AS c (mark, at) VALUES (?1, '-infinity') "
        + "ON CONFLICT (mark) DO UPDATE SET mark = excluded.mark RETURNING c.at > '-infinity') "
        + "SELECT * FROM own"
    ) { statement in
      statement.binder.bind(text: mark.uuidString, at: 0)
      return try statement.holds()
    }
    try session.execute("COMMIT")
    note(session)
    return isStored
  }

  /// Records the position of a commit, if replicas answer reads.
  func note(_ session: Session) {
    guard route.readPreference == .replica else { return }
    (session.connection as? ServerConnection)?.notePosition()
  }
}

/// Settles commits whose answer was lost, and records the position of each commit, which replicas
/// must reach before they answer.
final class CommitHook: SessionHook, @unchecked Sendable {
  /// Returns whether the transaction in progress was stored after its commit lost its answer, or
  /// `nil` if that is unknown; `nil` if nothing settles its commit.
  ///
  /// Accessed only while the writer lock is held.
  var settlement: (() -> Bool?)?
  /// Whether the commit was settled, by a connection that recorded a position.
  ///
  /// Accessed only while the writer lock is held.
  private var isSettled = false
  private let recordsPositions: Bool

  /// Creates the hook of a database.
  ///
  /// - Parameter recordsPositions: Whether replicas answer reads.
  init(recordsPositions: Bool) {
    self.recordsPositions = recordsPositions
  }

  func didBegin(on session: Session, isNested: Bool) {
    if !isNested { (settlement, isSettled) = (nil, false) }
  }

  func isStored(despite error: any Error) throws -> Bool {
    guard let error = error as? DriverError, error.code == .commitUnknown,
      let isStored = settlement?()
    else { return false }
    guard isStored else {
      throw VaultError(
        .connectionLost,
        "The connection to the server was lost during a commit, which stored nothing. Run the "
          + "transaction again.", underlying: error)
    }
    isSettled = true
    return true
  }

  func didCommit(on session: Session) -> (() -> Void)? {
    if recordsPositions, !isSettled {
      (session.connection as? ServerConnection)?.notePosition()
    }
    return nil
  }
}
