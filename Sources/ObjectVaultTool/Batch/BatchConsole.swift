import ObjectVaultCore
import Synchronization

/// Where files that are worked on at the same time say how they are: one speaks at a time, in whole
/// lines.
final class BatchConsole: Sendable {
  private struct State {
    var taken = 0
    var done = 0
    /// How far each file at work is.
    var atWork: [Int: ProgressLine] = [:]
    /// What ends the whole.
    var ending: (any Error)?
    /// The one bar.
    let bar: ProgressReporter
    /// Each file's own, for programs, so that none keeps another from speaking.
    var reporters: [Int: ProgressReporter] = [:]
  }

  private let mode: ProgressReporter.Mode
  private let fileCount: Int
  private let state: Mutex<State>

  init(_ mode: ProgressReporter.Mode, fileCount: Int) {
    self.mode = mode
    self.fileCount = fileCount
    state = Mutex(State(bar: ProgressReporter(mode)))
  }

  // MARK: Files

  /// The number of the next file, from 1 on; `nil` where none is left, or the whole is to end.
  func takeNumber() -> Int? {
    state.withLock { state in
      guard state.ending == nil, state.taken < fileCount else { return nil }
      state.taken += 1
      return state.taken
    }
  }

  func finished(_ number: Int, saying line: String) {
    state.withLock { state in
      Self.leave(number, &state)
      state.done += 1
      // Output that cannot be written ends the whole, not what others are doing.
      do { try Self.write(line) } catch { state.ending = state.ending ?? error }
    }
  }

  func failed(_ number: Int, _ error: any Error) {
    state.withLock { state in
      Self.leave(number, &state)
      if Self.concernsAll(error), state.ending == nil {
        state.ending = error
      } else if !Self.isSaid(error, by: state.ending) {
        _ = Failure.report(error)
      }
    }
  }

  var doneCount: Int { state.withLock(\.done) }

  /// What ends the whole, for the one who started it to throw.
  var ending: (any Error)? { state.withLock(\.ending) }

  /// Whether an error would meet every other file too.
  private static func concernsAll(_ error: any Error) -> Bool {
    switch error {
    case is Stopped: true
    case let error as VaultError:
      [.noKey, .invalidKey, .keySourceUnreadable, .unusableEngine].contains(error.code)
    default: false
    }
  }

  /// Whether the error that ends the whole tells the same: the key of all files cannot be read.
  private static func isSaid(_ error: any Error, by ending: (any Error)?) -> Bool {
    guard let error = error as? VaultError, let ending = ending as? VaultError else { return false }
    return error.code == ending.code && error.message == ending.message
  }

  // MARK: Speaking

  func say(_ line: String) throws {
    try state.withLock { state in
      state.bar.finish()
      try Self.write(line)
    }
  }

  /// Takes the bar away.
  func finish() { state.withLock { $0.bar.finish() } }

  /// What tells how far one of the files is.
  func reporter(of file: String, number: Int) -> RekeyReporter {
    RekeyReporter(
      file: fileCount > 1 ? file : nil, prefix: fileCount > 1 ? "\(number)/\(fileCount) " : ""
    ) { line, isMilestone in
      self.update(number, line, isMilestone: isMilestone)
    }
  }

  private func update(_ number: Int, _ line: ProgressLine, isMilestone: Bool) {
    state.withLock { state in
      guard mode != .json else {
        let reporter = state.reporters[number] ?? ProgressReporter(mode)
        state.reporters[number] = reporter
        reporter.update(line, isMilestone: isMilestone)
        return
      }
      state.atWork[number] = line
      let shown =
        state.atWork.count == 1
        ? line
        : .together(
          state.atWork.sorted { $0.key < $1.key }.map(\.value),
          prefix: "\(state.done)/\(fileCount) ")
      state.bar.update(shown, isMilestone: isMilestone)
    }
  }

  private static func leave(_ number: Int, _ state: inout State) {
    state.atWork[number] = nil
    state.reporters[number] = nil
    state.bar.finish()
  }

  /// Prints a line at once. That nobody reads any more is no reason to leave files out.
  private static func write(_ line: String) throws {
    do {
      try StandardOutput.shared.write(line + "\n")
      try StandardOutput.shared.flush()
    } catch is OutputClosed {}
  }
}
