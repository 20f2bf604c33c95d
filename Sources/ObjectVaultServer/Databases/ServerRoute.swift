import Logging
import ObjectVaultDriver
import ObjectVaultSession

/// The way to the servers of a database, which the connections of a process share.
///
/// It records which server was the primary, and which was lost, so that a new connection tries the
/// right one first. After the loss of one connection all others are replaced at their next use: the
/// server may have stopped, and each of them would have to find out alone.
final class ServerRoute: Sendable {
  private struct State {
    /// The primary that was reached last.
    var primary: ServerHost?
    /// The server that was lost last, and not reached since.
    var lost: ServerHost?
    var losses = 0
    var hasConnected = false
    /// The last attempts to connect that failed after a loss, by whether a replica was preferred.
    var failures: [Bool: (error: DriverError, time: ContinuousClock.Instant)] = [:]
    /// The time from which new connections prefer replicas again; `nil` if they do.
    var nextReplica: ContinuousClock.Instant?
    /// The position of the log after the last commit of this process, and after those of others that
    /// observers know of; `nil` if it is unknown.
    var written: Int64? = 0
    /// Whether the position is one of a server that was lost.
    var isOfLostServer = false
    /// Whether anyone observed the objects at a time.
    var observation: (isPresent: Bool, time: ContinuousClock.Instant)?
    /// The number of the server's process for the connection of this process that writes.
    var writer: Int32 = 0
  }

  let address: ServerAddress
  let timeLimit: Duration
  /// The observers of other processes, whom commits notify.
  let observers: ObservedSchema
  let readPreference: SharedVaultConfiguration.ReadPreference
  let replicaTimeLimit: Duration
  private let logger: Logger?
  private let state = Locked(State())

  init(_ address: ServerAddress, _ configuration: SharedVaultConfiguration) {
    self.address = address
    timeLimit = configuration.timeLimit
    observers = ObservedSchema(configuration.schema)
    readPreference = configuration.readPreference
    replicaTimeLimit = configuration.replicaTimeLimit
    logger = configuration.logger
  }

  // MARK: Connecting

  /// Connects to the primary, or to a replica.
  ///
  /// - Parameters:
  ///   - replica: Whether a replica is preferred to the primary.
  ///   - sharesFailure: Whether an attempt that has just failed counts as this one if the operation
  ///     waited for others. Each of those that wait would otherwise make the next ones wait longer.
  /// - Returns: A connection on which the schema is the first in the search path.
  /// - Throws: ``DriverError`` `.cannotOpen` if no server accepts the connection, or a lost
  ///   connection if one did before; `.unsupportedEngine`.
  func connect(
    preferringReplicas replica: Bool, sharingFailure sharesFailure: Bool = false
  ) throws(DriverError) -> ServerLink {
    let replica = replica && !leavesReplicas
    let (hosts, losses, hasConnected, failure) = state.withLock { state in
      (order(state, replica), state.losses, state.hasConnected, state.failures[replica])
    }
    if sharesFailure, let failure, .now < failure.time + Self.failureTime,
      ThreadState.current.hasWaited
    {
      throw failure.error
    }
    let link: ServerLink
    do throws(DriverError) {
      link = try ServerLink(
        address.connect(to: hosts, preferringReplicas: replica, timeLimit: timeLimit),
        to: hosts, losses: losses)
      try check(link)
    } catch {
      guard hasConnected, error.code != .unsupportedEngine else { throw error }
      let lost = DriverError(
        .inputOutput,
        "The connection to the server was lost, and there is no new one. "
          + error.message, resultCode: SQLState.connectionLost)
      state.withLock { $0.failures[replica] = (lost, .now) }
      throw lost
    }
    state.withLock { state in
      state.hasConnected = true
      state.failures[replica] = nil
      if !link.isReplica { state.primary = link.host }
      if state.lost == link.host { state.lost = nil }
    }
    return link
  }

  /// The time for which operations share a failure: longer than those that waited for it need to
  /// learn of it, and shorter than a server needs to start.
  private static let failureTime = Duration.milliseconds(100)

  private func order(_ state: State, _ replica: Bool) -> [ServerHost] {
    var hosts = replica ? address.hosts.shuffled() : address.hosts
    if !replica, let primary = state.primary {
      hosts = hosts.filter { $0 == primary } + hosts.filter { $0 != primary }
    }
    guard let lost = state.lost else { return hosts }
    return hosts.filter { $0 != lost } + hosts.filter { $0 == lost }
  }

  private func check(_ link: ServerLink) throws(DriverError) {
    guard link.version >= 150_000 else {
      throw DriverError(
        .unsupportedEngine, "The server is older than PostgreSQL 15. Upgrade the server.")
    }
    guard link.setting("server_encoding") == "UTF8", link.setting("client_encoding") == "UTF8"
    else {
      throw DriverError(
        .unsupportedEngine,
        "The database has another encoding than UTF8. Create one with 'ENCODING UTF8'.")
    }
    guard link.setting("standard_conforming_strings") == "on" else {
      throw DriverError(
        .unsupportedEngine,
        "The server has standard_conforming_strings off. Set it to 'on' for the database.")
    }
    // A warning tells that a commit did not reach its replicas. The default of the database can be
    // serializable transactions: a replica rejects them, and a read would conflict with writes.
    let sql =
      "SET search_path TO \(SQL.quoted(address.schema)); "
      + "SET client_min_messages TO 'warning'; "
      + "SET default_transaction_isolation TO 'read committed'"
    _ = try link.perform(sql, until: .now + timeLimit)
  }

  // MARK: Replicas

  /// The time for which the primary answers in place of a replica that could not.
  static let primaryTime = Duration.seconds(10)

  /// Lets new connections prefer the primary for ``primaryTime``.
  func leaveReplicas() { state.withLock { $0.nextReplica = .now + Self.primaryTime } }

  private var leavesReplicas: Bool {
    state.withLock { state in state.nextReplica.map { .now < $0 } ?? false }
  }

  // MARK: Losses

  /// Records that a connection was lost.
  func noteLoss(of link: ServerLink) {
    let isFirst = state.withLock { state in
      guard state.losses == link.losses else { return false }
      state.losses += 1
      state.lost = link.host
      state.isOfLostServer = true
      if state.primary == link.host { state.primary = nil }
      return true
    }
    if isFirst {
      logger?.notice("The connection to '\(address.name)' was lost. The next call connects again.")
    }
  }

  /// The number of losses, of which those of connections that were made before the last one count
  /// once.
  var losses: Int { state.withLock { $0.losses } }

  /// Whether no connection was lost since a link was made.
  func isCurrent(_ link: ServerLink) -> Bool { state.withLock { $0.losses == link.losses } }

  // MARK: Observers

  /// The number of the server's process for the connection of this process that writes, whose
  /// commits are known without a notification.
  var writer: Int32 { state.withLock { $0.writer } }

  /// Records the connection of this process that writes.
  func noteWriter(_ link: ServerLink) { state.withLock { $0.writer = link.process } }

  /// Returns whether commits must notify observers.
  ///
  /// - Parameter query: Asks the server, whose answer applies for a second.
  /// - Returns: Whether there are some.
  /// - Throws: The error of `query`.
  func mustNotify(_ query: () throws(DriverError) -> Bool) throws(DriverError) -> Bool {
    let now = ContinuousClock.now
    if let known = state.withLock({ $0.observation }), now < known.time + ObservedSchema.answerTime
    {
      return known.isPresent
    }
    let isPresent = try query()
    state.withLock { $0.observation = (isPresent, now) }
    return isPresent
  }

  // MARK: Positions

  /// The position of the log that a replica must have reached to answer; `nil` if it is unknown, so
  /// that only the primary can answer.
  var written: Int64? { state.withLock { $0.written } }

  /// Records the position of the log after a commit; `nil` if it is unknown.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - isOwn: Whether this process made the commit. After an own commit with an unknown position,
  ///     the positions of others say nothing about it.
  func note(_ position: Int64?, isOwn: Bool = true) {
    state.withLock { state in
      guard isOwn || state.written != nil else { return }
      guard let position = position.map(Self.end) else { return state.written = nil }
      // Threads can report in another order than the one of their commits.
      let former = state.isOfLostServer ? position : state.written ?? position
      state.written = max(former, position)
      state.isOfLostServer = false
    }
  }

  /// Returns the end of the last record before the place of the next one.
  ///
  /// At the start of a page, the next record follows the header of the page, but a replica has only
  /// reached the end of the page before (PostgreSQL's `xlog_internal.h`: pages of 8192 bytes, headers
  /// of 24 bytes, and of 40 in the first page of a segment, which has at least 1 MiB).
  static func end(ofRecordsBefore position: Int64) -> Int64 {
    let isAtHeader = position % 8192 == 24 || position % 0x10_0000 == 40
    return isAtHeader ? position - position % 8192 : position
  }
}
