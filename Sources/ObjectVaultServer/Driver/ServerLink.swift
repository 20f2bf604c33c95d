internal import CPostgreSQL
import Foundation
import ObjectVaultDriver

/// One connection of the client library.
///
/// Every call ends at its deadline, because the client library would wait for ever for a server that
/// has stopped. After that, and after a loss, the link is broken and replaced by another one.
final class ServerLink {
  private(set) var server: OpaquePointer?
  /// Whether the connection was lost or given up.
  private(set) var isBroken = false
  /// The error of the time limit that ended the connection, if one did.
  private var timeLimitFailure: DriverError?
  /// The number of messages of the last request that the server performed.
  private(set) var succeededCount = 0
  /// The time of the last answer, by the ``CoarseClock``.
  private var lastAnswer: Int64 = 0
  /// Whether the server gave up waiting for its replicas since ``expectReplicas()``.
  private(set) var didNotReachReplicas = false
  /// The server.
  let host: ServerHost?
  /// The number of losses that the route had met when the link was made.
  let losses: Int
  /// Whether the server is a replica.
  let isReplica: Bool

  /// Takes over a connection of the client library.
  ///
  /// - Parameters:
  ///   - server: The connection.
  ///   - hosts: The servers that were tried.
  ///   - losses: The number of losses that the route has met.
  /// - Throws: ``DriverError`` `.cannotOpen` if the server does not accept the connection.
  init(
    _ server: OpaquePointer?, to hosts: [ServerHost], losses: Int
  ) throws(DriverError) {
    self.server = server
    self.losses = losses
    func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
    let (name, port) = (text(PQhost(server)), text(PQport(server)))
    host = hosts.first { host in
      [host.host, host.address].contains(name) && (host.port == nil || host.port == port)
    }
    isReplica = text(PQparameterStatus(server, "in_hot_standby")) == "on"
    guard PQstatus(server) == CONNECTION_OK else {
      let text = PQerrorMessage(server).map { String(cString: $0) } ?? ""
      throw DriverError(
        .cannotOpen,
        "The server does not accept the connection: "
          + text.split(whereSeparator: \.isWhitespace).joined(separator: " ").asSentence
          + " Check the address, the user and the server.")
    }
    // Otherwise sending waits for a server that does not read.
    PQsetnonblocking(server, 1)
    PQsetNoticeReceiver(
      server, { ServerLink.receive($0, $1) }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { PQfinish(server) }

  /// Examines a notice. Its text is not logged, because it can contain stored values.
  private static func receive(_ link: UnsafeMutableRawPointer?, _ notice: OpaquePointer?) {
    // The name of this field is a character macro, which Swift does not import.
    guard let link, let notice, let function = PQresultErrorField(notice, CInt(UInt8(ascii: "R"))),
      String(cString: function) == "SyncRepWaitForLSN"
    else { return }
    Unmanaged<ServerLink>.fromOpaque(link).takeUnretainedValue().didNotReachReplicas = true
  }

  /// Begins to record whether the server gives up waiting for its replicas.
  func expectReplicas() { didNotReachReplicas = false }

  /// The version of the server, such as 150020.
  var version: Int { Int(PQserverVersion(server)) }

  /// Returns the value of a parameter that the server reports; empty if there is none.
  func setting(_ name: String) -> String {
    PQparameterStatus(server, name).map { String(cString: $0) } ?? ""
  }

  // MARK: State

  /// The state of the transaction. While rows arrive it is that before their statement.
  private var transactionStatus: PGTransactionStatusType {
    guard let stream else { return PQtransactionStatus(server) }
    return stream.isInTransaction ? PQTRANS_INTRANS : PQTRANS_IDLE
  }

  /// Whether no transaction is open.
  var isIdle: Bool { transactionStatus == PQTRANS_IDLE }

  /// Whether an error ended the transaction, so that only a rollback is possible.
  var isInFailedTransaction: Bool { transactionStatus == PQTRANS_INERROR }

  /// Returns whether this machine has not learned that the server closed the idle connection.
  ///
  /// - Parameter interval: The time after an answer, in nanoseconds, for which nothing is examined.
  /// - Returns: Whether the connection seems usable.
  func isAlive(after interval: Int64) -> Bool {
    guard !isBroken else { return false }
    if CoarseClock.now - lastAnswer < interval { return true }
    if stream != nil { return true }
    // An idle server that sends something usually says why it ends the connection.
    var descriptor = pollfd(fd: PQsocket(server), events: Int16(POLLIN), revents: 0)
    for _ in 0..<10 {
      descriptor.revents = 0
      guard poll(&descriptor, 1, 0) > 0 else { break }
      guard PQconsumeInput(server) == 1 else { break }
      _ = PQisBusy(server)
    }
    if PQstatus(server) != CONNECTION_OK || descriptor.revents != 0 { isBroken = true }
    return !isBroken
  }

  /// The number of the server's process for the connection.
  var process: Int32 { PQbackendPID(server) }

  /// Waits for notifications.
  ///
  /// - Parameter time: The longest time to wait.
  /// - Returns: The numbers of the server's processes that sent them.
  /// - Throws: ``DriverError`` for a lost connection.
  func notifications(within time: Duration) throws(DriverError) -> [Int32] {
    // Some arrived with the answer to a query.
    let senders = takeNotifications()
    if !senders.isEmpty { return senders }
    var descriptor = pollfd(fd: PQsocket(server), events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(time / .milliseconds(1))) > 0 else { return [] }
    guard PQconsumeInput(server) == 1 else { throw lost() }
    return takeNotifications()
  }

  private func takeNotifications() -> [Int32] {
    var senders: [Int32] = []
    while let notification = PQnotifies(server) {
      senders.append(notification.pointee.be_pid)
      PQfreemem(notification)
    }
    return senders
  }

  // MARK: Running

  /// Messages that are sent together and answered together, as a pipeline, in which an error skips
  /// the rest.
  struct Request {
    /// Commands without values and rows, which are sent first.
    var before: [String] = []
    /// Commands without values and rows, which are sent last.
    var after: [String] = []
    /// The number of messages that the caller sends.
    var count = 1
  }

  /// Sends messages and waits for the answers to all of them.
  ///
  /// - Parameters:
  ///   - request: What is sent with them.
  ///   - deadline: The time at which the connection is given up.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  ///   - send: Sends the messages, and returns 1 if it succeeded.
  /// - Returns: The result of each message that the caller sent.
  /// - Throws: ``DriverError`` for an error of the server, a lost connection, the end of the time
  ///   limit, and `.interrupted` after a cancellation.
  func perform(
    _ request: Request, until deadline: ContinuousClock.Instant, isCancelled: (() -> Bool)?,
    _ send: (OpaquePointer?) -> CInt
  ) throws(DriverError) -> [ServerResult] {
    try begin()
    var answers = Answers()
    var results: [ServerResult] = []
    try sendTogether(request, send)
    let wanted = request.before.count..<request.before.count + request.count
    for number in 0..<wanted.upperBound + request.after.count {
      let result = try readAnswer(&answers, until: deadline, isCancelled)
      if let result, wanted.contains(number) { results.append(result) }
    }
    try readEnd(&answers, until: deadline, isCancelled)
    guard PQexitPipelineMode(server) == 1 else { throw lost() }
    try end(answers, until: deadline, succeeded: results.count)
    guard results.count == request.count else { throw lost() }
    return results
  }

  /// Sends one message without others and waits for its answer.
  ///
  /// - Parameters:
  ///   - beginsCopy: Whether it begins a `COPY` from the client.
  ///   - deadline: The time at which the connection is given up.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  ///   - send: Sends the message, and returns 1 if it succeeded.
  /// - Returns: The result.
  /// - Throws: ``DriverError`` as ``perform(_:until:isCancelled:_:)``.
  func performAlone(
    beginningCopy beginsCopy: Bool = false, until deadline: ContinuousClock.Instant,
    isCancelled: (() -> Bool)?, _ send: (OpaquePointer?) -> CInt
  ) throws(DriverError) -> ServerResult {
    try begin()
    var answers = Answers(beginsCopy: beginsCopy)
    guard send(server) == 1 else { throw lost() }
    let result = try readAnswer(&answers, until: deadline, isCancelled)
    try end(answers, until: deadline, succeeded: result == nil ? 0 : 1)
    guard let result else { throw lost() }
    return result
  }

  /// Makes the link free for a request.
  private func begin() throws(DriverError) {
    settle()
    succeededCount = 0
    guard !isBroken else { throw lost() }
  }

  /// Ends a request whose answers were read.
  private func end(
    _ answers: Answers, until deadline: ContinuousClock.Instant, succeeded count: Int
  ) throws(DriverError) {
    if PQstatus(server) != CONNECTION_OK { throw lost() }
    // A request that arrives later would cancel the next statement.
    if let cancel = answers.cancel, !cancel.wait(until: deadline) { giveUp() }
    succeededCount = count
    lastAnswer = CoarseClock.now
    if let failure = answers.failure { throw failure }
  }

  private func sendTogether(
    _ request: Request, _ send: (OpaquePointer?) -> CInt
  ) throws(DriverError) {
    func isSent(_ commands: [String]) -> Bool {
      commands.allSatisfy { PQsendQueryParams(server, $0, 0, nil, nil, nil, nil, 1) == 1 }
    }
    guard PQenterPipelineMode(server) == 1, isSent(request.before), send(server) == 1,
      isSent(request.after), PQpipelineSync(server) == 1
    else { throw lost() }
  }

  /// The failure of a request and its cancellation, while its answers are read.
  struct Answers {
    var failure: DriverError?
    var cancel: CancelRequest?
    var beginsCopy = false
  }

  /// Reads the answer to one message.
  ///
  /// - Parameters:
  ///   - answers: Receives a failure and a request to cancel.
  ///   - deadline: The time at which the connection is given up.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  /// - Returns: The result; `nil` after a failure.
  /// - Throws: ``DriverError`` for a lost connection and the end of the time limit.
  func readAnswer(
    _ answers: inout Answers, until deadline: ContinuousClock.Instant,
    _ isCancelled: (() -> Bool)?
  ) throws(DriverError) -> ServerResult? {
    var last: ServerResult?
    var count = 0
    while true {
      try waitForInput(until: deadline, isCancelled, &answers.cancel)
      guard let result = PQgetResult(server) else { break }
      count += 1
      if count > 2 { try checkTime(until: deadline, isCancelled, &answers.cancel) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = ServerResult(result)
      case PGRES_COPY_IN where answers.beginsCopy:
        // The end of this answer follows the data.
        return answers.failure == nil ? ServerResult(result) : nil
      case let status where Self.isCopy(status): throw refuseCopy(result)
      default:
        if answers.failure == nil {
          answers.failure = failure(result, isCancelled, answers.cancel)
        }
        PQclear(result)
      }
      if PQstatus(server) != CONNECTION_OK { throw lost() }
    }
    return answers.failure == nil ? last : nil
  }

  /// Reads the answer to the end of a pipeline, at which its commands are committed.
  private func readEnd(
    _ answers: inout Answers, until deadline: ContinuousClock.Instant,
    _ isCancelled: (() -> Bool)?
  ) throws(DriverError) {
    while true {
      try waitForInput(until: deadline, isCancelled, &answers.cancel)
      guard PQstatus(server) == CONNECTION_OK else { throw lost() }
      // Between two answers, there is none.
      if let result = PQgetResult(server) {
        let status = PQresultStatus(result)
        if Self.isCopy(status) { throw refuseCopy(result) }
        if status != PGRES_PIPELINE_SYNC, answers.failure == nil {
          answers.failure = failure(result, isCancelled, answers.cancel)
        }
        PQclear(result)
        if status == PGRES_PIPELINE_SYNC { return }
      }
      try checkTime(until: deadline, isCancelled, &answers.cancel)
    }
  }

  /// Returns the error of a result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - isCancelled: Returns whether the caller cancelled what the server performs.
  ///   - request: The request to cancel it, if there was one.
  /// - Returns: The error.
  func failure(
    _ result: OpaquePointer, _ isCancelled: (() -> Bool)?, _ request: CancelRequest?
  ) -> DriverError {
    ServerFailure(result).error(isCancelled: request != nil || isCancelled?() == true)
  }

  /// Returns whether the server began to copy rows, which a connection only ends by doing so.
  static func isCopy(_ status: ExecStatusType) -> Bool {
    [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status)
  }

  /// Closes the connection, because the server copies rows that no one asked for.
  func refuseCopy(_ result: OpaquePointer) -> DriverError {
    PQclear(result)
    giveUp()
    return lost()
  }

  /// Performs commands without values and rows.
  func perform(
    _ sql: String, until deadline: ContinuousClock.Instant
  ) throws(DriverError) -> ServerResult {
    try performAlone(until: deadline, isCancelled: nil) { PQsendQuery($0, sql) }
  }

  // MARK: Streams

  /// The stream whose rows arrive, if any.
  private var stream: ServerStream?

  /// Forgets the stream, whose last row has arrived.
  func endStream() { stream = nil }

  /// Sends a message whose rows are read while they arrive.
  ///
  /// - Parameters:
  ///   - timeLimit: The longest time to wait for a row.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  ///   - send: Sends the message, and returns 1 if it succeeded.
  /// - Returns: The stream of the rows.
  /// - Throws: ``DriverError`` for a lost connection.
  func stream(
    within timeLimit: Duration, isCancelled: (() -> Bool)?, _ send: (OpaquePointer?) -> CInt
  ) throws(DriverError) -> ServerStream {
    settle()
    guard !isBroken else { throw lost() }
    let stream = ServerStream(self, within: timeLimit, isCancelled: isCancelled)
    guard send(server) == 1, ov_receive_rows(server, ServerStream.chunk) == 1 else { throw lost() }
    // It ends with its last row, or when its statement does.
    self.stream = stream
    return stream
  }

  /// Reads the rows that have not arrived, so that the connection can perform something else.
  private func settle() { stream?.store() }

  /// Waits until a result can be read, or the connection is lost.
  ///
  /// - Parameters:
  ///   - deadline: The time at which the connection is given up.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  ///   - request: The request to cancel it, if there was one.
  /// - Throws: ``DriverError`` for a lost connection and the end of the time limit.
  func waitForInput(
    until deadline: ContinuousClock.Instant, _ isCancelled: (() -> Bool)?,
    _ request: inout CancelRequest?
  ) throws(DriverError) {
    while PQisBusy(server) != 0 {
      let unsent = PQflush(server)
      if unsent < 0 { return }
      let events = unsent > 0 ? POLLIN | POLLOUT : POLLIN
      var descriptor = pollfd(fd: PQsocket(server), events: Int16(events), revents: 0)
      let count = poll(&descriptor, 1, 50)
      if count < 0, errno != EINTR { throw lost() }
      if count > 0, PQconsumeInput(server) == 0 || PQisBusy(server) == 0 { return }
      try checkTime(until: deadline, isCancelled, &request)
    }
  }

  /// Cancels what the server performs if the caller wants that or the deadline has passed.
  func checkTime(
    until deadline: ContinuousClock.Instant, _ isCancelled: (() -> Bool)?,
    _ request: inout CancelRequest?
  ) throws(DriverError) {
    if request == nil, isCancelled?() == true { request = CancelRequest(server) }
    guard ContinuousClock.now > deadline else { return }
    if request == nil { request = CancelRequest(server) }
    giveUp()
    let failure = DriverError(
      .inputOutput,
      "The server did not answer within the time limit, so the connection was closed. A "
        + "transaction that was in progress stored nothing. Try again, or set a longer "
        + "'timeLimit'.", resultCode: SQLState.timedOut)
    timeLimitFailure = failure
    throw failure
  }

  /// Closes the connection, because the state of the server is unknown.
  func giveUp() {
    isBroken = true
    PQfinish(server)
    server = nil
  }

  /// Returns the error of a connection that has ended.
  func lost() -> DriverError {
    isBroken = true
    return timeLimitFailure
      ?? DriverError(
        .inputOutput,
        "The connection to the server was lost. A transaction that was in progress stored nothing. Try "
          + "again, and check the server.", resultCode: SQLState.connectionLost)
  }
}
