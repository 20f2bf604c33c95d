/// How far a group of writes grows.
package struct GroupLimits: Sendable {
  /// How many writes share a commit at most.
  package var members = 32
  /// How long after the end of its first write a group takes more.
  package var window = Duration.milliseconds(5)
}

/// Writes of several threads that one commit is to keep.
final class CommitGroup: @unchecked Sendable {
  private let monitor: Monitor
  private let isOver: Monitor.Signal
  private var outcome: Result<Void, any Error>?
  private var actions: [@Sendable (Result<Void, any Error>) -> Void] = []
  private let limit: Int
  private let end: ContinuousClock.Instant
  /// Touched only inside the gate.
  private var members = 1

  /// Begins with one write, which is done.
  init(_ limits: GroupLimits) {
    limit = limits.members
    end = .now + limits.window
    monitor = Monitor()
    isOver = Monitor.Signal(monitor)
  }

  /// Whether it takes one more; inside the gate.
  var mayGrow: Bool { members < limit && ContinuousClock.now < end }

  /// Takes one more; inside the gate.
  func grow() { members += 1 }

  /// Waits for the commit.
  ///
  /// - Throws: what it failed with; nothing of any member is kept then.
  func wait() throws {
    try monitor.withLock {
      while true {
        if let outcome { return outcome }
        isOver.wait()
      }
    }.get()
  }

  /// Calls `action` after the commit, on whatever thread ends it; at once where that is done.
  func whenOver(_ action: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    let outcome = monitor.withLock {
      if self.outcome == nil { actions.append(action) }
      return self.outcome
    }
    if let outcome { action(outcome) }
  }

  /// Lets all members go; outside every lock.
  func finish(_ outcome: Result<Void, any Error>) {
    let actions = monitor.withLock {
      self.outcome = outcome
      isOver.wakeAll()
      defer { self.actions = [] }
      return self.actions
    }
    for action in actions { action(outcome) }
  }
}
