import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// SIGINT (Ctrl-C) and SIGTERM as something that work looks at between two steps, so that it can
/// tidy up.
///
/// A second signal of the same kind ends the process at once, as ever.
enum StopSignals {
  /// The number of the signal that came; 0 before.
  private static let received = Atomic<Int32>(0)
  private static let numbers = [SIGINT, SIGTERM]

  /// From now on the signals are noted. One that was ignored stays so, as for a program that a
  /// shell started in the background.
  static func watch() {
    // Made now: a handler must not be the first to touch it.
    received.store(0, ordering: .releasing)
    for number in numbers {
      let former = signal(number) { number in
        signal(number, SIG_DFL)
        StopSignals.received.store(number, ordering: .releasing)
      }
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  /// - Parameter message: What is said to the person where the work ends here.
  /// - Throws: ``Stopped`` once a signal came.
  static func check(_ message: @autoclosure () -> String) throws {
    let number = received.load(ordering: .acquiring)
    guard number != 0 else { return }
    throw Stopped(status: number == SIGTERM ? .terminated : .interrupted, message: message())
  }
}

/// A signal asked the work to end.
struct Stopped: Error {
  let status: ExitStatus
  let message: String
}
