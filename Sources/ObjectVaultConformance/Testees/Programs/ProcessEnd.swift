import ObjectVaultPlatform

/// The way in which a process ended.
package enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
  /// The process exited with this status.
  case exited(Int32)
  /// The process was ended by this signal.
  case signalled(Int32)

  /// Creates the value from a status of `waitpid`.
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Whether the process was killed by `SIGKILL`.
  ///
  /// A shell reports that of its child as the exit status 128 plus the number of the signal.
  package var wasKilled: Bool { self == .signalled(SIGKILL) || self == .exited(128 + SIGKILL) }

  package var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .signalled(let number): "signal \(number)"
    }
  }
}
