import ObjectVaultCore
import ObjectVaultTerminal

/// A reporter of the work on one file: phase, pages, speed, and the remaining time of the phase.
final class RekeyReporter {
  private let file: String?
  private let prefix: String
  private let show: (_ line: ProgressLine, _ isMilestone: Bool) -> Void
  private let clock = ContinuousClock()
  private var phase: RekeyProgress.Phase?
  private var phaseStart: ContinuousClock.Instant
  /// Whether the phase has reported all of its pages; the engine may still build indexes.
  private var isComplete = false

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - file: The file, if there are several.
  ///   - prefix: The text before the phase, for people.
  ///   - show: A closure that receives the lines. The first and the last line of a phase are
  ///     milestones.
  init(
    file: String?, prefix: String,
    show: @escaping (_ line: ProgressLine, _ isMilestone: Bool) -> Void
  ) {
    self.file = file
    self.prefix = prefix
    self.show = show
    phaseStart = clock.now
  }

  func update(_ report: RekeyProgress) {
    let isFirst = report.phase != phase
    if isFirst {
      phase = report.phase
      phaseStart = clock.now
      isComplete = false
    }
    let isLast = report.total > 0 && report.done == report.total && !isComplete
    if isLast { isComplete = true }
    show(
      ProgressLine(
        phase: report.phase.rawValue, done: Int64(report.done),
        total: report.total > 0 ? Int64(report.total) : nil, file: file,
        detail: Self.detail(report, elapsed: clock.now - phaseStart), prefix: prefix),
      isFirst || isLast)
  }

  /// Returns the text after phase and bar, for people.
  static func detail(_ report: RekeyProgress, elapsed: Duration) -> String {
    guard report.total > 0 else { return "..." }
    let unit =
      switch report.phase {
      case .copying, .verifying, .comparing: report.total == 1 ? "page" : "pages"
      case .preparing, .replacing: report.total == 1 ? "step" : "steps"
      }
    var text = "\(report.done) of \(report.total) \(unit)"
    let seconds = elapsed / .seconds(1)
    guard [.copying, .verifying, .comparing].contains(report.phase), report.done > 0, seconds > 0
    else { return text }
    let speed = Double(report.done) * Double(report.pageSize) / seconds / 1_000_000
    let left = seconds * Double(report.total - report.done) / Double(report.done)
    text += ", \(speed < 10 ? (speed * 10).rounded() / 10 : speed.rounded()) MB/s"
      .replacing(".0 MB", with: " MB")
    return text + ", \(time(left)) left"
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 1e9))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }
}
