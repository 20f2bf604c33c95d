internal import CPostgreSQL
import Foundation
import ObjectVaultDriver

extension ServerLink {
  /// Sends a part of the rows of a `COPY` that the server has begun.
  ///
  /// - Parameters:
  ///   - bytes: The rows in the binary format.
  ///   - timeLimit: The time after which the connection is given up.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  /// - Returns: Whether the server accepts more.
  /// - Throws: ``DriverError`` for a lost connection and the end of the time limit.
  func copy(
    _ bytes: [UInt8], within timeLimit: Duration, isCancelled: (() -> Bool)?
  ) throws(DriverError) -> Bool {
    let deadline = ContinuousClock.now + timeLimit
    var request: CancelRequest?
    var isQueued = true
    for start in stride(from: 0, to: bytes.count, by: Self.largestPart) where isQueued {
      isQueued = bytes.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(
          rebasing: bytes[start..<min(bytes.count, start + Self.largestPart)])
        let first = part.assumingMemoryBound(to: CChar.self).baseAddress
        return PQputCopyData(server, first, Int32(part.count)) == 1
      }
      if isQueued { try flush(until: deadline, isCancelled, &request) }
    }
    if let request, !request.wait(until: deadline) { giveUp() }
    return isQueued && !isBroken
  }

  /// The greatest number of bytes in a message. The server accepts less than 1 GiB, and a row in
  /// several messages.
  private static let largestPart = 1 << 24

  /// Waits until the server has accepted what is queued.
  private func flush(
    until deadline: ContinuousClock.Instant, _ isCancelled: (() -> Bool)?,
    _ request: inout CancelRequest?
  ) throws(DriverError) {
    while true {
      let unsent = PQflush(server)
      if unsent < 0 { throw lost() }
      if unsent == 0 { return }
      var descriptor = pollfd(fd: PQsocket(server), events: Int16(POLLIN | POLLOUT), revents: 0)
      if poll(&descriptor, 1, 50) < 0, errno != EINTR { throw lost() }
      if Int32(descriptor.revents) & POLLIN != 0, PQconsumeInput(server) == 0 { throw lost() }
      try checkTime(until: deadline, isCancelled, &request)
    }
  }

  /// Ends a `COPY`.
  ///
  /// - Parameters:
  ///   - isComplete: Whether to store the rows.
  ///   - timeLimit: The time after which the connection is given up.
  ///   - isCancelled: Returns whether to cancel what the server performs.
  /// - Returns: The result.
  /// - Throws: ``DriverError`` as ``perform(_:until:isCancelled:_:)``; also if it is not complete.
  func endCopy(
    isComplete: Bool, within timeLimit: Duration, isCancelled: (() -> Bool)?
  ) throws(DriverError) -> ServerResult {
    guard !isBroken else { throw lost() }
    let deadline = ContinuousClock.now + timeLimit
    var answers = Answers()
    // Without success the server has already ended it, and its error follows.
    _ = PQputCopyEnd(server, isComplete ? nil : "stopped")
    let result = try readAnswer(&answers, until: deadline, isCancelled)
    if PQstatus(server) != CONNECTION_OK { throw lost() }
    if let cancel = answers.cancel, !cancel.wait(until: deadline) { giveUp() }
    if let failure = answers.failure { throw failure }
    guard let result else { throw lost() }
    return result
  }
}
