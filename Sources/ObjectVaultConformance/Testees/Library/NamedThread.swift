import Foundation

/// A thread of a case: it does one thing at a time, while who asks waits.
final class NamedThread: @unchecked Sendable {
  private let name: String
  /// Guards what follows.
  private let changed = NSCondition()
  private var work: (() -> Void)?
  private var isBusy = false
  private var isEnding = false

  init(_ name: String) {
    self.name = name
    let thread = Thread { [self] in run() }
    thread.name = name
    // As much as the first thread has: conditions may be nested deeply.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Has the thread do something, and waits for it.
  ///
  /// - Throws: what `body` throws; ``TesteeEnded`` where that takes longer than `seconds`, or the
  ///   thread waits for something that it asked for itself.
  func perform<R>(within seconds: Double, _ body: @escaping () throws -> R) throws -> R {
    let deadline = Date(timeIntervalSinceNow: seconds)
    let outcome = Outcome<R>()
    let result = try changed.withLock {
      guard !isBusy else {
        throw TesteeEnded(
          reason: "Thread '\(name)' is asked for something by a step that it waits for.")
      }
      isBusy = true
      work = { outcome.result = Result(catching: body) }
      changed.broadcast()
      while isBusy {
        guard changed.wait(until: deadline) else {
          throw TesteeEnded(
            reason: "Thread '\(name)' did not answer within \(seconds) seconds. It may wait for a "
              + "transaction that the asking thread has open.")
        }
      }
      return outcome.result
    }
    guard let result else { throw TesteeEnded(reason: "Thread '\(name)' gave no answer.") }
    return try result.get()
  }

  /// Ends the thread once it has nothing to do.
  ///
  /// - Returns: Whether it has nothing to do, after waiting for that.
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

  /// What was done gives; filled by the thread and read by who asked.
  private final class Outcome<R> {
    var result: Result<R, any Error>?
  }
}
