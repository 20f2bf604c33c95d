import Foundation
import Synchronization

/// Calls a closure for each element, several at a time, in the order of the elements.
///
/// After an error no further element is begun.
///
/// - Parameters:
///   - elements: The elements.
///   - jobs: The number of calls at a time.
///   - body: The closure. It is called on several threads.
/// - Throws: The first error of the closure.
func inParallel<Element: Sendable>(
  _ elements: [Element], jobs: Int, _ body: @Sendable (Element) throws -> Void
) throws {
  let state = Mutex(ParallelState())
  DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, elements.count))) { _ in
    while true {
      let element = state.withLock { state -> Element? in
        guard state.error == nil, state.next < elements.count else { return nil }
        state.next += 1
        return elements[state.next - 1]
      }
      guard let element else { return }
      do {
        try body(element)
      } catch {
        state.withLock { $0.error = $0.error ?? error }
      }
    }
  }
  if let error = state.withLock({ $0.error }) { throw error }
}

private struct ParallelState: Sendable {
  /// The position of the next element.
  var next = 0
  /// The first error.
  var error: (any Error)?
}
