internal import CPostgreSQL
import Foundation

/// A request to a server to cancel what it performs for a connection.
///
/// The client library sends it on another connection and waits for its end without a time limit,
/// which a server that has stopped never reaches. So it has a thread of its own. That connection has
/// the protection of the first one from libpq 17 on, and none before.
final class CancelRequest {
  private let done = DispatchSemaphore(value: 0)

  /// Sends a request.
  init(_ server: OpaquePointer?) {
    // The thread alone uses it, and releases it.
    nonisolated(unsafe) let request = ov_cancel_create(server)
    let done = done
    Thread.detachNewThread {
      ov_cancel_send(request)
      done.signal()
    }
  }

  /// Waits until the server has received the request.
  ///
  /// - Parameter deadline: The end of the wait.
  /// - Returns: Whether the request has ended.
  func wait(until deadline: ContinuousClock.Instant) -> Bool {
    let left = max(0, (deadline - .now) / .seconds(1))
    return done.wait(timeout: .now() + left) == .success
  }
}
