/// One call of a program that does not go as it should.
package struct Fault: Sendable, Hashable {
  /// What becomes of the call.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// The process dies before it.
    case killedBefore = "kill"
    /// The process dies in the middle of a write, and right after any other call.
    case killedWithin = "torn"
    /// The call fails once, as by a broken disk.
    case inputOutputError = "EIO"
    /// The call fails once for want of room.
    case noRoom = "ENOSPC"
    /// From this call on nothing can be created or written for want of room.
    case diskFull = "full"

    /// Whether the process goes on and hears of the failure.
    package var isSurvived: Bool {
      switch self {
      case .killedBefore, .killedWithin: false
      case .inputOutputError, .noRoom, .diskFull: true
      }
    }
  }

  /// The number of the call, from 1.
  package var number: Int
  package var action: Action

  package init(_ action: Action, at number: Int) {
    self.number = number
    self.action = action
  }
}

/// A call that changes a file, as the program made it.
package struct CountedCall: Sendable, Hashable {
  /// `create`, `write`, `truncate`, `sync`, `chmod`, `rename`, `link` or `unlink`.
  package let kind: String
  /// The name of the file, relative to the folder; `.` is the folder itself.
  package let file: String

  /// Reads a line of the log.
  init?(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    kind = String(parts[0])
    file = String(parts[1])
  }
}
