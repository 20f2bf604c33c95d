internal import ArgumentParser
import ObjectVaultTerminal
import Synchronization

/// A reporter of the progress of long work, on standard error.
///
/// On a terminal it shows a bar, starting one second after the start. For programs it writes lines
/// of JSON, `{"phase":"importing","done":65536,"total":1048576}`, at most four per second and one
/// at the end of each phase. `total` is null if unknown. Imports of CSV and JSON Lines count bytes,
/// work on whole files counts pages, and everything else counts objects.
final class ProgressReporter {
  /// The forms of progress output.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case bar, json, none
  }

  private let mode: Mode
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastReport: ContinuousClock.Instant
  private var calls = 0
  private var phase = ""
  private var isBarShown = false

  /// Creates a reporter.
  ///
  /// The bar is shown only if standard error is a terminal.
  init(_ mode: Mode) {
    self.mode = mode == .bar && !StandardError.isTerminal ? .none : mode
    start = clock.now
    lastReport = start
  }

  /// Reports progress.
  ///
  /// The call is fast enough to be made for every object.
  func update(_ phase: String, _ progress: @autoclosure () -> (done: Int64, total: Int64?)) {
    guard mode != .none else { return }
    self.phase = phase
    calls &+= 1
    guard calls & 0x3F == 0 else { return }
    let now = clock.now
    guard now - lastReport >= .milliseconds(250) else { return }
    if mode == .bar, now - start < .seconds(1) { return }
    lastReport = now
    report(progress())
  }

  /// Reports the end of the phase.
  func endPhase(_ progress: @autoclosure () -> (done: Int64, total: Int64?)) {
    if mode == .json, !phase.isEmpty { report(progress()) }
    phase = ""
  }

  /// Removes the bar.
  func finish() {
    guard isBarShown else { return }
    isBarShown = false
    StandardError.write("\r\u{1B}[K")
  }

  /// Reports progress of work that calls this rarely enough to read the clock each time.
  ///
  /// A milestone is always reported to programs.
  func update(_ line: @autoclosure () -> ProgressLine, isMilestone: Bool) {
    guard mode != .none else { return }
    let now = clock.now
    if mode == .bar, now - start < .seconds(1) { return }
    guard mode == .json && isMilestone || now - lastReport >= .milliseconds(250) else { return }
    lastReport = now
    report(line())
  }

  private func report(_ progress: (done: Int64, total: Int64?)) {
    report(ProgressLine(phase: phase, done: progress.done, total: progress.total))
  }

  private func report(_ line: ProgressLine) {
    if mode == .json {
      StandardError.write(line.json + "\n")
      return
    }
    isBarShown = true
    StandardError.write("\r\(line.bar(columns: StandardError.terminalWidth))\u{1B}[K")
  }
}

/// The option `--progress` of subcommands with long work.
struct ProgressOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The form of progress on standard error: a bar (on a terminal, after a second), lines "
        + "of JSON, or none."
    ))
  var progress = ProgressReporter.Mode.bar

  var reporter: ProgressReporter { ProgressReporter(progress) }

  func validate() { Warning.areJSON.withLock { $0 = progress == .json } }
}
