internal import CPostgreSQL
import ObjectVaultDriver

/// The rows of a statement that arrive while they are read, in chunks, or one at a time from a client
/// library before version 17 (libpq's documentation, "Retrieving Query Results in Chunks").
///
/// The link can perform nothing else until the last row has arrived. If it must, the rest is read
/// into memory first.
final class ServerStream {
  /// The greatest number of rows in a chunk. More save nothing, and large values are then held at the
  /// same time.
  static let chunk: CInt = 16
  /// The time and the bytes for which rows are left out before the server is asked to stop.
  private static let patience = (time: Duration.milliseconds(20), bytes: 1 << 20)
  /// The number of results after which the time and a cancellation are checked, because results
  /// that arrive without a wait are not checked otherwise.
  private static let checkInterval = 32

  private let link: ServerLink
  private let timeLimit: Duration
  private let isCancelled: (() -> Bool)?
  private var cancel: CancelRequest?
  private var failure: DriverError?
  /// The rows that were read into memory.
  private var stored: OpaquePointer?
  /// Whether rows can arrive.
  private var isOpen = true
  /// The time at which the link is given up if rows still arrive; `nil` while the caller reads them,
  /// each of which may take the time limit. Rows that arrive after a cancellation are not read.
  private var deadline: ContinuousClock.Instant?
  /// The time at which the server is asked to stop; `nil` while the caller reads the rows.
  private var stopTime: ContinuousClock.Instant?
  /// The number of results that have arrived.
  private var resultCount = 0
  /// Whether rows were left out because of a cancellation.
  private var isInterrupted = false
  /// Whether a result was returned.
  private var hasAnswered = false
  /// Whether a transaction was open when the statement was sent.
  let isInTransaction: Bool

  /// Creates the stream of a message that is sent next.
  ///
  /// - Parameters:
  ///   - link: The link, which has no other stream.
  ///   - timeLimit: The longest time to wait for a row, and for all rows that are left out,
  ///     are stored or arrive after a cancellation.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  init(_ link: ServerLink, within timeLimit: Duration, isCancelled: (() -> Bool)?) {
    self.link = link
    self.timeLimit = timeLimit
    self.isCancelled = isCancelled
    isInTransaction = !link.isIdle
  }

  deinit { PQclear(stored) }

  /// Returns the next rows as a result of the client library, which the caller clears.
  ///
  /// Without any row, the result of the statement is returned once.
  ///
  /// - Returns: A chunk of rows, or all rows that are in memory; `nil` after the last one.
  /// - Throws: ``DriverError`` as ``ServerLink/perform(_:until:isCancelled:_:)``.
  func next() throws(DriverError) -> OpaquePointer? {
    if isOpen { return try receive() }
    if let stored {
      self.stored = nil
      return stored
    }
    if let failure {
      self.failure = nil
      throw failure
    }
    return nil
  }

  private func receive() throws(DriverError) -> OpaquePointer? {
    do throws(DriverError) {
      while true {
        guard !link.isBroken else { throw link.lost() }
        try waitForResult()
        guard let result = PQgetResult(link.server) else { break }
        switch PQresultStatus(result) {
        case PGRES_SINGLE_TUPLE where cancel != nil, ov_tuples_chunk where cancel != nil:
          // The server sent them before it received the cancellation.
          isInterrupted = true
          PQclear(result)
        case PGRES_SINGLE_TUPLE, ov_tuples_chunk:
          hasAnswered = true
          return result
        case PGRES_TUPLES_OK where !hasAnswered:
          hasAnswered = true
          return result
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: PQclear(result)
        case let status where ServerLink.isCopy(status): throw link.refuseCopy(result)
        default:
          if failure == nil { failure = link.failure(result, isCancelled, cancel) }
          PQclear(result)
        }
        if PQstatus(link.server) != CONNECTION_OK { throw link.lost() }
      }
      try end()
      return nil
    } catch {
      close()
      throw error
    }
  }

  /// Waits for the next result.
  private func waitForResult() throws(DriverError) {
    // The cancellation may never reach the server.
    if cancel != nil, deadline == nil { deadline = .now + timeLimit }
    let mustStop =
      stopTime.map { [isCancelled] time in { isCancelled?() == true || .now >= time } }
      ?? isCancelled
    if PQisBusy(link.server) != 0 {
      try link.waitForInput(until: deadline ?? .now + timeLimit, mustStop, &cancel)
    }
    resultCount &+= 1
    guard resultCount % Self.checkInterval == 0 else { return }
    try link.checkTime(until: deadline ?? .now + timeLimit, mustStop, &cancel)
  }

  private func close() {
    isOpen = false
    link.endStream()
  }

  private func end() throws(DriverError) {
    close()
    if PQstatus(link.server) != CONNECTION_OK { throw link.lost() }
    if let cancel, !cancel.wait(until: .now + timeLimit) { link.giveUp() }
    if let failure {
      self.failure = nil
      throw failure
    }
    if isInterrupted { throw DriverError(.interrupted, "The statement was cancelled.") }
  }

  /// Reads the rows that have not arrived into memory, so that the link is free. A failure is thrown
  /// behind them. The link is given up if they take longer than the time limit.
  func store() {
    deadline = .now + timeLimit
    var count: Int32 = 0
    do throws(DriverError) {
      while isOpen, let rows = try receive() {
        defer { PQclear(rows) }
        if stored == nil { stored = PQcopyResult(rows, PG_COPYRES_ATTRS) }
        for position in 0..<PQntuples(rows) {
          try add(position, of: rows, to: count)
          count += 1
        }
      }
    } catch {
      failure = error
    }
  }

  private func add(
    _ position: Int32, of rows: OpaquePointer, to count: Int32
  ) throws(DriverError) {
    for column in 0..<PQnfields(rows) {
      let isNull = PQgetisnull(rows, position, column) != 0
      let length = isNull ? -1 : PQgetlength(rows, position, column)
      guard let stored,
        PQsetvalue(stored, count, column, PQgetvalue(rows, position, column), length) != 0
      else { throw DriverError(.noMemory, "There is not enough memory for the rows of a query.") }
    }
  }

  /// Leaves out the rows that were not read, so that the link is free.
  ///
  /// Outside a transaction, the server is soon asked to stop. The link is given up if the rest takes
  /// longer than the time limit.
  func discard() {
    PQclear(stored)
    stored = nil
    deadline = .now + timeLimit
    // A cancellation would end a transaction.
    if !isInTransaction { stopTime = .now + Self.patience.time }
    var size = 0
    while isOpen, let rows = try? receive() {
      size += PQresultMemorySize(rows)
      PQclear(rows)
      if size >= Self.patience.bytes, stopTime != nil, cancel == nil {
        cancel = CancelRequest(link.server)
      }
    }
    failure = nil
  }
}
