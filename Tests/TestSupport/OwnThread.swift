internal import Foundation

/// Does long work on a thread of its own, and leaves those of tasks, which are few, to other tests.
package func onOwnThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
