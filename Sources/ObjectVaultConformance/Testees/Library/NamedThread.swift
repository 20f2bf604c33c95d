import Foundation

/// A thread of a case.
///
/// It runs one closure at a time while the caller waits.
final class NamedThread: @unchecked Sendable {
  private let name: String
  /// The lock of the properties below.
  private let changed = NSCondition()
  private var work: (() -> Void)?
  private var isBusy = false
  private var isEnding = false

  init(_ name: String) {
    self.name = name
    let thread = Thread { [self] in run() }
    thread.name = name
    // As large as a main thread's stack: conditions can be nested deeply.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Runs a closure on the thread and waits for its result.
  ///
  /// - Parameters:
  ///   - seconds: The time limit in seconds.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of `body`; ``TesteeEnded`` if it exceeds the time limit, or if the thread
  ///   waits for a step that it requested itself.
  func perform<R>(within seconds: Double, _ body: @escaping () throws -> R) throws -> R {
    let deadline = Date(timeIntervalSinceNow: seconds)
    let outcome = Outcome<R>()
    let result = try changed.withLock {
      guard !isBusy else {
        throw TesteeEnded(
          reason: "Thread '\(name)' waits for the step that needs it.")
      }
      isBusy = true
      work = { outcome.result = Result(catching: body) }
      changed.broadcast()
      while isBusy {
        guard changed.wait(until: deadline) else {
          throw TesteeEnded(
            reason: "Thread '\(name)' did not answer within \(seconds) seconds. It may wait for a "
              + "transaction that the calling thread has open.")
        }
      }
      return outcome.result
    }
    guard let result else { throw TesteeEnded(reason: "Thread '\(name)' returned no answer.") }
    return try result.get()
  }

  /// Ends the thread when it is idle.
  ///
  /// - Parameter seconds: The maximum time in seconds to wait until it is idle.
  /// - Returns: Whether the thread is idle.
  func end(within seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    return changed.withLock {
      isEnding = true
      changed.broadcast()
      while isBusy {
        guard changed.wait(until: deadline) else { return false }
      }
      return true
    }
  }

  private func run() {
    while let work = next() {
      work()
      changed.withLock {
        isBusy = false
        changed.broadcast()
      }
    }
  }

  private func next() -> (() -> Void)? {
    changed.withLock {
      while work == nil, !isEnding { changed.wait() }
      defer { work = nil }
      return work
    }
  }

  /// The result of a closure, set by the thread and read by the caller.
  private final class Outcome<R> {
    var result: Result<R, any Error>?
  }
}
