import Synchronization

import ObjectVaultPlatform

/// SIGHUP (a lost terminal), SIGINT (Control-C) and SIGTERM as a flag that work polls between two
/// steps, so that it can clean up.
///
/// A second signal of the same kind ends the process immediately.
enum StopSignals {
  /// The number of the received signal; 0 before.
  private static let received = Atomic<Int32>(0)
  /// Whether ``watch()`` was called.
  private static let isWatching = Atomic(false)

  /// The handler of a signal before it was recorded.
  private struct FormerHandler {
    let number: Int32
    let handler: (@convention(c) (Int32) -> Void)?
  }

  /// Records the signals from now on.
  ///
  /// A signal that was ignored stays ignored, as for a program that a shell started in the
  /// background or with `nohup`.
  static func watch() {
    _ = record()
    isWatching.store(true, ordering: .releasing)
  }

  /// Records the signals, and returns the former handlers of those that were not ignored.
  private static func record() -> [FormerHandler] {
    // Initialize it now: a handler must not be the first to access it.
    received.store(0, ordering: .releasing)
    return [SIGHUP, SIGINT, SIGTERM].compactMap { number in
      let former = signal(number) { number in
        signal(number, SIG_DFL)
        StopSignals.received.store(number, ordering: .releasing)
      }
      guard unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else {
        signal(number, SIG_IGN)
        return nil
      }
      return FormerHandler(number: number, handler: former)
    }
  }

  /// Whether a signal was received.
  static var wasReceived: Bool { received.load(ordering: .acquiring) != 0 }

  /// Throws ``Stopped`` if a signal was received.
  ///
  /// `message` is the message for the user if the work ends here.
  static func check(_ message: @autoclosure () -> String) throws {
    let number = received.load(ordering: .acquiring)
    guard number != 0 else { return }
    // As in a shell, the exit status is 128 plus the number of the signal.
    throw Stopped(status: ExitStatus(rawValue: 128 + number) ?? .interrupted, message: message())
  }
}

extension StopSignals {
  /// A time in which the signals are recorded, also by a command that does not watch them.
  ///
  /// In such a command, a received signal has its effect at the end of the time.
  struct Recording {
    private let formerHandlers: [FormerHandler]

    /// Records the signals from now on.
    init() {
      formerHandlers =
        StopSignals.isWatching.load(ordering: .acquiring) ? [] : StopSignals.record()
    }

    /// Restores the former handlers, and sends this process the signal that it received.
    func end() {
      guard !formerHandlers.isEmpty else { return }
      for former in formerHandlers { signal(former.number, former.handler) }
      let number = StopSignals.received.exchange(0, ordering: .acquiringAndReleasing)
      if number != 0 { raise(number) }
    }
  }
}

/// The error of work that was stopped by a signal.
struct Stopped: Error {
  let status: ExitStatus
  let message: String
}
