internal import Foundation

/// A TCP socket of the loopback interface that listens.
struct LoopbackSocket: ~Copyable {
  private let descriptor: Int32
  /// The port that the socket listens on.
  let port: UInt16

  /// Listens on a port of 127.0.0.1, or on a free one if `port` is 0.
  ///
  /// - Throws: `POSIXError`.
  init(port: UInt16) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Self.lastError }
    var address = Self.address(port: port)
    var reuses: Int32 = 1
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
    let isReady = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isReady else {
      let error = Self.lastError
      close(descriptor)
      throw error
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Another thread or a client that went away must not block the loop.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Returns the next connection, or `nil` after a time without one.
  func accept(withinMilliseconds time: Int32) -> Connection? {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, time) > 0 else { return nil }
    let accepted = acceptNext(descriptor)
    guard accepted >= 0 else {
      // Without free descriptors the connection stays in the queue, and poll returns at once.
      if errno == EMFILE || errno == ENFILE { usleep(100_000) }
      return nil
    }
    return Connection(accepted)
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
  }

  private static var lastError: POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }
}

/// Calls the system's function, which has the name of the method above.
private func acceptNext(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
