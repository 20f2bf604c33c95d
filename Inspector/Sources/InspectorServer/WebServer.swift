internal import Foundation
public import ObjectVaultTool
import Synchronization

/// The server of the page.
///
/// Each connection has a thread of its own and carries one request. Their number, the size of a
/// request and the time to send it are limited.
public enum WebServer {
  /// The number of connections at a time; others are rejected.
  static let connectionLimit = 32
  /// The time to send a request, and to read a response.
  static let timeLimit = Duration.seconds(10)

  /// Serves an inspection until it ends, and prints the address of the page.
  ///
  /// - Parameters:
  ///   - inspection: The inspection.
  ///   - port: The port; `nil` for a free one.
  /// - Throws: `InspectionServerError` if the port cannot be used.
  public static func serve(_ inspection: VaultInspection, port: UInt16?) throws {
    let socket: LoopbackSocket
    do {
      socket = try LoopbackSocket(port: port ?? 0)
    } catch let error as POSIXError {
      throw InspectionServerError(
        "Port \(port ?? 0) of 127.0.0.1 cannot be used: "
          + String(cString: strerror(error.code.rawValue))
          + ". Use another --port, or none for a free one.")
    }
    let session = BrowserSession()
    let router = Router(session: session, port: socket.port) { operation, body, isAbandoned in
      inspection.answer(operation, body, isAbandoned: isAbandoned)
    }
    print(
      """
      Open this address in a browser on this computer. It works once:

        http://127.0.0.1:\(socket.port)/#\(session.token)

      \(inspection.isWritable ? "The page can change objects. " : "The vault is only read. ")\
      Press Control-C to end.
      """)
    fflush(nil)
    run(socket, router) { inspection.end != nil }
  }

  /// Answers requests until `isOver`.
  static func run(
    _ socket: borrowing LoopbackSocket, _ router: Router, isOver: () -> Bool
  ) {
    let connections = ConnectionCount()
    while !isOver() {
      guard let connection = socket.accept(withinMilliseconds: 200) else { continue }
      guard connections.add(upTo: connectionLimit) else {
        connection.write(HTTPResponse(.unavailable).bytes, until: .now + .milliseconds(50))
        continue
      }
      Thread.detachNewThread {
        answer(connection, router)
        connections.remove()
      }
    }
  }

  private static func answer(_ connection: Connection, _ router: Router) {
    let end = ContinuousClock.now + timeLimit
    let response: HTTPResponse
    do {
      guard let (request, rest) = try connection.readHead(until: end) else { return }
      try router.check(request)
      let body = try connection.readBody(request.bodyCount, beginningWith: rest, until: end)
      response = try router.response(to: request, body) { connection.isClosed }
    } catch {
      response = HTTPResponse(error)
    }
    connection.write(response.bytes, until: .now + timeLimit)
    connection.finish()
  }
}

/// The number of open connections.
private final class ConnectionCount: Sendable {
  private let count = Mutex(0)

  /// Adds a connection; returns `false` if there are too many.
  func add(upTo limit: Int) -> Bool {
    count.withLock {
      if $0 >= limit { return false }
      $0 += 1
      return true
    }
  }

  func remove() { count.withLock { $0 -= 1 } }
}
