import Synchronization

import ObjectVaultPlatform

/// SIGHUP (a lost terminal), SIGINT (Control-C) and SIGTERM as a flag that work polls between two
/// steps, so that it can clean up.
///
/// A second signal of the same kind ends the process immediately.
enum StopSignals {
  /// The number of the received signal; 0 before.
  private static let received = Atomic<Int32>(0)

  /// Records the signals from now on.
  ///
  /// A signal that was ignored stays ignored, as for a program that a shell started in the
  /// background or with `nohup`.
  static func watch() {
    // Initialize it now: a handler must not be the first to access it.
    received.store(0, ordering: .releasing)
    for number in [SIGHUP, SIGINT, SIGTERM] {
      let former = signal(number) { number in
        signal(number, SIG_DFL)
        StopSignals.received.store(number, ordering: .releasing)
      }
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
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

/// The error of work that was stopped by a signal.
struct Stopped: Error {
  let status: ExitStatus
  let message: String
}
