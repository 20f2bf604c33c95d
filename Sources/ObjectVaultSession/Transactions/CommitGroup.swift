import ObjectVaultDriver

/// The limits of a group of writes that share a commit.
package struct GroupLimits: Sendable {
  /// The largest number of writes that share a commit.
  package var members = 32
  /// The time after the end of the first write in which a group accepts more.
  package var window = Duration.milliseconds(5)

  package init() {}
}

/// A group of writes of several threads that share one commit.
final class CommitGroup: @unchecked Sendable {
  private let monitor: Monitor
  private let isOver: Monitor.Signal
  private var outcome: Result<Void, any Error>?
  private var actions: [@Sendable (Result<Void, any Error>) -> Void] = []
  private let limit: Int
  private let end: ContinuousClock.Instant
  /// Accessed only while the writer lock is held.
  private var members = 1

  /// Creates a group with one finished write.
  init(_ limits: GroupLimits) {
    limit = limits.members
    end = .now + limits.window
    monitor = Monitor()
    isOver = Monitor.Signal(monitor)
  }

  /// Whether the group accepts another write.
  ///
  /// The caller holds the writer lock.
  var mayGrow: Bool { members < limit && ContinuousClock.now < end }

  /// Adds a write.
  ///
  /// The caller holds the writer lock.
  func grow() { members += 1 }

  /// Waits for the commit.
  ///
  /// - Throws: The error of the commit; no write of the group is stored then.
  func wait() throws {
    try monitor.withLock {
      while true {
        if let outcome { return outcome }
        isOver.wait()
      }
    }.get()
  }

  /// Calls `action` after the commit, on the thread that ends it; at once if it has ended.
  func whenOver(_ action: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    let outcome = monitor.withLock {
      if self.outcome == nil { actions.append(action) }
      return self.outcome
    }
    if let outcome { action(outcome) }
  }

  /// Releases all members of the group.
  ///
  /// The caller holds no lock.
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
