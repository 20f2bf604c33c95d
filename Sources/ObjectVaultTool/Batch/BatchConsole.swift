import ObjectVaultCore
import ObjectVaultTerminal
import Synchronization

/// The output of files that are processed concurrently.
///
/// One file at a time writes, in whole lines.
final class BatchConsole: Sendable {
  private struct State {
    var taken = 0
    var done = 0
    /// The number of files that were done and needed no change.
    var unchanged = 0
    /// The progress of each file that is being processed.
    var atWork: [Int: ProgressLine] = [:]
    /// The error that ends the whole batch.
    var ending: (any Error)?
    /// The shared progress bar.
    let bar: ProgressReporter
    /// The reporters for JSON, one for each file, so that the reports of one do not delay those of
    /// another.
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

  /// Returns the number of the next file, counted from 1.
  ///
  /// Returns `nil` if no file is left or the batch is ending.
  func takeNumber() -> Int? {
    state.withLock { state in
      guard state.ending == nil, state.taken < fileCount else { return nil }
      state.taken += 1
      return state.taken
    }
  }

  func finished(_ number: Int, _ outcome: FileBatch.Outcome) {
    state.withLock { state in
      Self.leave(number, &state)
      state.done += 1
      if outcome.isUnchanged { state.unchanged += 1 }
      // A failure to write output ends the batch, but not the files that are being processed.
      do { try Self.write(outcome.line) } catch { state.ending = state.ending ?? error }
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

  /// The number of files that were done, and how many of them needed no change.
  var counts: (done: Int, unchanged: Int) { state.withLock { ($0.done, $0.unchanged) } }

  /// The error that ends the whole batch.
  ///
  /// The caller that started it throws the error.
  var ending: (any Error)? { state.withLock(\.ending) }

  /// Returns whether an error would affect every other file, too.
  private static func concernsAll(_ error: any Error) -> Bool {
    switch error {
    case is Stopped: true
    case let error as VaultError:
      [.noKey, .invalidKey, .keySourceUnreadable, .unusableEngine].contains(error.code)
    default: false
    }
  }

  /// Returns whether the error that ends the batch says the same.
  ///
  /// Both are the same if the key for all files cannot be read.
  private static func isSaid(_ error: any Error, by ending: (any Error)?) -> Bool {
    guard let error = error as? VaultError, let ending = ending as? VaultError else { return false }
    return error.code == ending.code && error.message == ending.message
  }

  // MARK: Output

  func say(_ line: String) throws {
    try state.withLock { state in
      state.bar.finish()
      try Self.write(line)
    }
  }

  /// Removes the progress bar.
  func finish() { state.withLock { $0.bar.finish() } }

  /// Returns the progress reporter for one of the files.
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

  /// Prints a line immediately.
  ///
  /// A closed output does not stop the processing of the files.
  private static func write(_ line: String) throws {
    do {
      try StandardOutput.shared.write(line + "\n")
      try StandardOutput.shared.flush()
    } catch is OutputClosed {}
  }
}
