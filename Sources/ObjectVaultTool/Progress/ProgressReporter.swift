internal import ArgumentParser
import Synchronization

/// Says on standard error how far long work is.
///
/// On a terminal that is a bar, from one second after the start on. For programs it is lines of
/// JSON, `{"phase":"importing","done":65536,"total":1048576}`, at most four a second and one at the
/// end of each phase; `total` is null where it is not known. Imports of CSV and JSON Lines count
/// bytes; work on whole files counts pages; everything else counts objects.
final class ProgressReporter {
  /// What the command line asks for.
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

  /// - Parameter mode: A bar shows only where standard error is a terminal.
  init(_ mode: Mode) {
    self.mode = mode == .bar && !StandardError.isTerminal ? .none : mode
    start = clock.now
    lastReport = start
  }

  /// Says how far the work is; cheap enough to be called for every object.
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

  /// Says that the phase is over.
  func endPhase(_ progress: @autoclosure () -> (done: Int64, total: Int64?)) {
    if mode == .json, !phase.isEmpty { report(progress()) }
    phase = ""
  }

  /// Takes the bar away.
  func finish() {
    guard isBarShown else { return }
    isBarShown = false
    StandardError.write("\r\u{1B}[K")
  }

  /// Says how far work is that calls seldom enough for a look at the clock each time.
  ///
  /// - Parameter isMilestone: Whether programs are told in any case.
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

/// `--progress`, for subcommands whose work can be long.
struct ProgressOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "How progress is shown on standard error: a bar (on a terminal, after a second), lines of JSON, or not at all."
    ))
  var progress = ProgressReporter.Mode.bar

  var reporter: ProgressReporter { ProgressReporter(progress) }

  func validate() { Warning.areJSON.withLock { $0 = progress == .json } }
}
