internal import Dispatch
import ObjectVaultCore
import ObjectVaultSession

/// The limits on the queries of a page: their number at a time and their duration.
final class QueryLimit: Sendable {
  private let places: DispatchSemaphore
  private let duration: Duration

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - count: The number of queries at a time; others wait.
  ///   - duration: The time after which a query is stopped.
  init(count: Int, duration: Duration) {
    places = DispatchSemaphore(value: count)
    self.duration = duration
  }

  /// Runs a query on this thread.
  ///
  /// - Parameters:
  ///   - isAbandoned: Whether no one waits for the result any more; polled while the query runs.
  ///   - body: The query.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; ``InspectionFailure`` if it was stopped.
  func run<R>(
    isAbandoned: @escaping @Sendable () -> Bool, _ body: () throws -> R
  ) throws -> R {
    places.wait()
    defer { places.signal() }
    let cancellation = Cancellation()
    let end = ContinuousClock.now + duration
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
    timer.setEventHandler {
      if ContinuousClock.now >= end || isAbandoned() { cancellation.cancel() }
    }
    timer.activate()
    defer { timer.cancel() }
    do {
      return try Cancellation.withCurrent(cancellation, body)
    } catch let error as VaultError where error.code == .cancelled {
      throw InspectionFailure(
        503,
        "The query was stopped after \(duration.components.seconds) seconds. Narrow the condition, "
          + "or see with 'Explain' whether an index would help.")
    }
  }
}
