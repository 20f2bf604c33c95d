#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a process ended.
package enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
  /// By itself, with this status.
  case exited(Int32)
  /// By this signal.
  case signalled(Int32)

  /// - Parameter status: What `waitpid` gives.
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Whether it was killed as nothing can prevent it; a shell says so of what it ran with 128 and
  /// the number of the signal.
  package var wasKilled: Bool { self == .signalled(SIGKILL) || self == .exited(128 + SIGKILL) }

  package var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .signalled(let number): "signal \(number)"
    }
  }
}
