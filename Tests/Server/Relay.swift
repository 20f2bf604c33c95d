import Foundation
import Synchronization

/// A relay to a port of this machine, which sees what both sides send.
final class Relay: Sendable {
  /// The beginning of a connection of a client of PostgreSQL (its documentation, "Message Formats").
  enum Opening: Equatable {
    case tls, cancel, other

    init(_ bytes: ArraySlice<UInt8>) {
      switch bytes.dropFirst(4).prefix(4).reduce(0, { $0 << 8 | UInt32($1) }) {
      case 80_877_103: self = .tls
      case 80_877_102: self = .cancel
      default: self = .other
      }
    }
  }

  struct Failure: Error { let number = errno }

  private struct State {
    var openings: [Opening] = []
    var bytes: [UInt8] = []
  }

  private static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// The port of this machine that clients use.
  let port: UInt16
  private let listener: Int32
  private let state = Mutex(State())

  /// Starts a relay.
  init(to server: UInt16) throws {
    (listener, port) = try Self.bound()
    guard listen(listener, 16) == 0 else { throw Failure() }
    let listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.relay(client, to: server)
      }
    }
  }

  deinit { stopAccepting() }

  /// Rejects further connections. Those that exist stay open.
  func stopAccepting() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Returns a socket with a free port of this machine, and the port.
  private static func bound() throws -> (Int32, UInt16) {
    let socket = socket(AF_INET, stream, 0)
    var address = address(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withPointer(&address, { bind(socket, $0, size) }) == 0,
      withPointer(&address, { getsockname(socket, $0, &size) }) == 0
    else { throw Failure() }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// Returns a port of this machine that nothing listens on.
  static func freePort() throws -> UInt16 {
    let (socket, port) = try bound()
    close(socket)
    return port
  }

  /// The beginnings of the connections that have sent something.
  var openings: [Opening] { state.withLock { $0.openings } }

  /// The number of bytes that both sides sent.
  var byteCount: Int { state.withLock { $0.bytes.count } }

  /// Returns whether the bytes that were sent contain a text.
  func contains(_ text: String) -> Bool {
    state.withLock { Data($0.bytes).range(of: Data(text.utf8)) != nil }
  }

  private func relay(_ client: Int32, to port: UInt16) {
    let server = socket(AF_INET, Self.stream, 0)
    var address = Self.address(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard Self.withPointer(&address, { connect(server, $0, size) }) == 0 else {
      close(client)
      close(server)
      return
    }
    let ended = DispatchSemaphore(value: 0)
    for (source, target) in [(client, server), (server, client)] {
      Thread.detachNewThread { [weak self] in
        self?.pump(source, to: target, isClient: source == client)
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
        ended.signal()
      }
    }
    Thread.detachNewThread {
      ended.wait()
      ended.wait()
      close(client)
      close(server)
    }
  }

  private func pump(_ source: Int32, to target: Int32, isClient: Bool) {
    var isFirst = isClient
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      let part = buffer[..<count]
      state.withLock { state in
        if isFirst { state.openings.append(Opening(part)) }
        state.bytes += part
      }
      isFirst = false
      var sent = 0
      while sent < count {
        let added = buffer.withUnsafeBytes {
          send(target, $0.baseAddress! + sent, count - sent, Self.withoutSignal)
        }
        guard added > 0 else { return }
        sent += added
      }
    }
  }

  private static var withoutSignal: Int32 {
    #if canImport(Glibc)
      Int32(MSG_NOSIGNAL)
    #else
      0
    #endif
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func withPointer<R>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> R
  ) -> R {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}
