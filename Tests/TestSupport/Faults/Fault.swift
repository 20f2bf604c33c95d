/// A failure injected into one call of a program.
package struct Fault: Sendable, Hashable {
  /// The effect of the fault on the call.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// The process is killed before the call.
    case killedBefore = "kill"
    /// The process is killed in the middle of a write, or immediately after any other call.
    case killedWithin = "torn"
    /// The call fails once, as on a broken disk.
    case inputOutputError = "EIO"
    /// The call fails once because of missing disk space.
    case noRoom = "ENOSPC"
    /// From this call on, creating and writing fail because of missing disk space.
    case diskFull = "full"

    /// Whether the process continues and receives the error.
    package var isSurvived: Bool {
      switch self {
      case .killedBefore, .killedWithin: false
      case .inputOutputError, .noRoom, .diskFull: true
      }
    }
  }

  /// The number of the call, counted from 1.
  package var number: Int
  package var action: Action

  package init(_ action: Action, at number: Int) {
    self.number = number
    self.action = action
  }
}

/// A call that changes a file, as made by the program.
package struct CountedCall: Sendable, Hashable {
  /// The kind: `create`, `write`, `truncate`, `sync`, `chmod`, `rename`, `link` or `unlink`.
  package let kind: String
  /// The name of the file, relative to the folder; `.` is the folder itself.
  package let file: String

  /// Creates the call from a line of the log.
  package init?(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    kind = String(parts[0])
    file = String(parts[1])
  }
}
