internal import CPostgreSQL
import Foundation
import ObjectVaultDriver
import Synchronization

/// A connection that receives the notifications of commits by other processes.
///
/// It has a thread of its own. It connects again if the server is lost; until then, observers learn
/// of commits by polling, as they do if a program between them and the server passes no
/// notifications.
final class ServerListener: Sendable {
  /// The reason for reading the observed objects again.
  enum Event {
    /// Another process committed a change.
    case commit
    /// Every process knows of the observers from now on, but may not have notified them before.
    case beginning
  }

  private let route: ServerRoute
  private let interval: Duration
  private let report: @Sendable (Event) -> Void
  private let isEnded = Atomic<Bool>(false)
  /// The time after which the listener notices its end.
  private static let patience = Duration.milliseconds(200)

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - route: The way to the primary.
  ///   - interval: The time between two attempts to connect.
  ///   - report: Receives the events, on the thread of the listener.
  init(
    by route: ServerRoute, retryingAfter interval: Duration,
    _ report: @escaping @Sendable (Event) -> Void
  ) {
    self.route = route
    self.interval = interval
    self.report = report
  }

  func begin() { Thread.detachNewThread { self.run() } }

  func end() { isEnded.store(true, ordering: .relaxed) }

  private var isActive: Bool { !isEnded.load(ordering: .relaxed) }

  private func run() {
    while isActive {
      try? listen()
      let end = ContinuousClock.now + min(interval, .seconds(5))
      while isActive, ContinuousClock.now < end {
        Thread.sleep(forTimeInterval: Self.patience / .seconds(1))
      }
    }
  }

  /// Reports commits until the connection is lost.
  private func listen() throws(DriverError) {
    let link = try route.connect(preferringReplicas: false)
    for sql in route.observers.listening {
      _ = try link.perform(sql, until: .now + route.timeLimit)
    }
    var beginning: ContinuousClock.Instant? =
      .now + ObservedSchema.answerTime + .milliseconds(100)
    while isActive {
      let senders = try link.notifications(within: Self.patience)
      if senders.contains(where: { $0 != route.writer }) {
        if route.readPreference == .replica { try notePosition(link) }
        report(.commit)
      }
      if let time = beginning, ContinuousClock.now > time {
        beginning = nil
        report(.beginning)
      }
    }
  }

  /// Records the position of a commit of another process, which replicas must reach before they
  /// answer.
  private func notePosition(_ link: ServerLink) throws(DriverError) {
    let result = try link.performAlone(until: .now + route.timeLimit, isCancelled: nil) { server in
      let query = ServerConnection.query(of: ServerConnection.committed)
      return PQsendQueryParams(server, query, 0, nil, nil, nil, nil, 1)
    }
    result.position = 0
    route.note(result.integer(at: 0), isOwn: false)
  }
}
