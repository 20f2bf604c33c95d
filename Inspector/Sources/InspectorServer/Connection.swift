internal import Foundation

/// A connection of a browser, which carries one request.
final class Connection: Sendable {
  private let descriptor: Int32

  /// Takes ownership of a connected socket.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      var isSilent: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// Reads the head of a request.
  ///
  /// - Parameter end: The time at which reading ends.
  /// - Returns: The head, and the bytes of the body that arrived with it; `nil` if the connection
  ///   was closed without a request.
  /// - Throws: ``HTTPError``.
  func readHead(
    until end: ContinuousClock.Instant
  ) throws(HTTPError) -> (head: HTTPRequest, rest: [UInt8])? {
    let mark = Array("\r\n\r\n".utf8)
    var bytes: [UInt8] = []
    while true {
      let searched = max(0, bytes.count - 3)
      guard let more = try read(until: end) else {
        if bytes.isEmpty { return nil }
        throw .badRequest
      }
      bytes += more
      if let found = bytes[searched...].firstRange(of: mark) {
        guard found.lowerBound <= HTTPRequest.headLimit else { throw .headTooLarge }
        let head = try HTTPRequest(head: Array(bytes[..<found.lowerBound]))
        return (head, Array(bytes[found.upperBound...]))
      }
      guard bytes.count <= HTTPRequest.headLimit else { throw .headTooLarge }
    }
  }

  /// Reads the rest of a body.
  ///
  /// - Throws: ``HTTPError`` if it does not arrive in time, or if more follows it.
  func readBody(
    _ count: Int, beginningWith start: [UInt8], until end: ContinuousClock.Instant
  ) throws(HTTPError) -> [UInt8] {
    var body = start
    while body.count < count {
      guard let more = try read(until: end) else { throw .badRequest }
      body += more
    }
    guard body.count == count else { throw .badRequest }
    return body
  }

  /// Returns the next bytes, or `nil` at the end.
  func read(until end: ContinuousClock.Instant) throws(HTTPError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 8 << 10)
    while true {
      guard isReady(POLLIN, until: end) else { throw .requestTimeout }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 { return nil }
      guard errno == EAGAIN || errno == EINTR else { return nil }
    }
  }

  /// Writes bytes, until an error or a time.
  func write(_ bytes: [UInt8], until end: ContinuousClock.Instant) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var start = 0
    while start < bytes.count {
      guard isReady(POLLOUT, until: end) else { return }
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + start, $0.count - start, flags)
      }
      if count > 0 { start += count }
      if count < 0, errno != EAGAIN, errno != EINTR { return }
    }
  }

  /// Ends the connection so that the browser reads the response even if it still sends.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .milliseconds(500)
    var left = 4 * HTTPRequest.bodyLimit
    while left > 0, let more = try? read(until: end) { left -= more.count }
  }

  /// Whether the browser has closed the connection.
  var isClosed: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }

  private func isReady(_ event: Int32, until end: ContinuousClock.Instant) -> Bool {
    while true {
      let left = (end - .now).components
      let time = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      guard time > 0 else { return false }
      var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = poll(&request, 1, Int32(min(time, 60_000)))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }
}
