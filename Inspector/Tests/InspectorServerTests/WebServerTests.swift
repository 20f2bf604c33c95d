import Foundation
import ObjectVaultTool
import Synchronization
import Testing

@testable import InspectorServer

@Suite("The server of the inspector") struct WebServerTests {
  /// A server on a free port, in a thread of its own.
  private final class RunningServer: Sendable {
    let port: UInt16
    private let isOver = Mutex(false)

    init() throws {
      let socket = try LoopbackSocket(port: 0)
      port = socket.port
      let router = Router(session: BrowserSession(), port: port) { _, _, _ in fatalError() }
      let owner = SocketOwner(socket)
      Thread.detachNewThread { [self] in
        WebServer.run(owner.socket, router) { isOver.withLock(\.self) }
      }
    }

    func end() { isOver.withLock { $0 = true } }

    func connect() throws -> Connection {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(result == 0)
      return Connection(descriptor)
    }

    func answer(to bytes: [UInt8], on connection: Connection) -> String {
      connection.write(bytes, until: .now + .seconds(5))
      var answer: [UInt8] = []
      while let more = try? connection.read(until: .now + .seconds(5)) { answer += more }
      return String(decoding: answer, as: UTF8.self)
    }
  }

  private final class SocketOwner: @unchecked Sendable {
    let socket: LoopbackSocket
    init(_ socket: consuming LoopbackSocket) { self.socket = socket }
  }

  @Test("A page is served, and a wrong host is not")
  func hosts() throws {
    let server = try RunningServer()
    defer { server.end() }
    func get(_ host: String) throws -> String {
      server.answer(
        to: Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8), on: try server.connect())
    }
    #expect(try get("127.0.0.1:\(server.port)").hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try get("rebound.example:\(server.port)").hasPrefix("HTTP/1.1 421 "))
  }

  @Test("A long head and a large body are rejected without being read completely")
  func sizes() throws {
    let server = try RunningServer()
    defer { server.end() }
    let long = Array("GET / HTTP/1.1\r\na: \(String(repeating: "a", count: 200_000))".utf8)
    #expect(server.answer(to: long, on: try server.connect()).hasPrefix("HTTP/1.1 431 "))
    let large = Array(
      "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999999\r\n\r\n".utf8)
    #expect(server.answer(to: large, on: try server.connect()).hasPrefix("HTTP/1.1 413 "))
  }

  @Test("Connections above the limit are rejected, and their end makes room")
  func connections() throws {
    let server = try RunningServer()
    defer { server.end() }
    let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n".utf8)
    var waiting: [Connection] = []
    for _ in 0..<WebServer.connectionLimit { waiting.append(try server.connect()) }
    #expect(server.answer(to: request, on: try server.connect()).hasPrefix("HTTP/1.1 503 "))
    waiting.removeAll()
    let isServed = (0..<50).contains { _ in
      usleep(100_000)
      return (try? server.connect()).map { server.answer(to: request, on: $0) }?
        .hasPrefix("HTTP/1.1 200 ") == true
    }
    #expect(isServed)
  }

  @Test("The end of a connection is noticed while a query runs")
  func abandoned() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let connection = Connection(ends[0])
    #expect(!connection.isClosed)
    close(ends[1])
    #expect(connection.isClosed)
  }

  @Test("A port in use is an error")
  func portInUse() throws {
    let first = try LoopbackSocket(port: 0)
    #expect(throws: POSIXError.self) { _ = try LoopbackSocket(port: first.port) }
  }
}
