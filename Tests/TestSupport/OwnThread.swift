internal import Foundation
import Synchronization

/// Runs long work on a separate thread, so that it does not occupy the few threads of tasks.
@discardableResult
package func onOwnThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Work on a thread that begins at once, also while all threads of tasks are busy.
///
/// Use it if other work waits for this one: `async let` may begin only minutes later.
package final class WorkOnThread<R: Sendable>: Sendable {
  private let outcome = Mutex<Result<R, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () throws -> R) {
    Thread.detachNewThread { [self] in
      let result = Result { try body() }
      outcome.withLock { $0 = result }
      ended.signal()
    }
  }

  /// Returns the result of the work, after its end.
  package func result() async throws -> R {
    try await onOwnThread { [self] in
      ended.wait()
      guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("no result") }
      return try outcome.get()
    }
  }
}
