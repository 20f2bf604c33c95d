import Dispatch

/// Runs `body`, which blocks, on a thread that no task uses.
///
/// - Parameter body: The work, such as an operation of a store.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`.
@discardableResult
func offThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
