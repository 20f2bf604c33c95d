internal import Foundation

/// Runs long work on a separate thread, so that it does not occupy the few threads of tasks.
@discardableResult
package func onOwnThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
