internal import Foundation

/// One process of a transfer scenario, which is killed and restarted.
struct TransferProcess {
  private let name: String
  /// The role of the process: `write`, `read` or `observe`.
  private let role: String
  private let place: TransferPlace
  private let workers: [String]
  private var program: SpawnedProgram?
  private var killMoment = ContinuousClock.now
  /// The latest moment at which progress of the process was seen.
  private var lastWork = ContinuousClock.now
  private var done = 0
  /// The number of consecutive kills without progress.
  private var idleKills = 0

  /// The maximum time without progress, after which a process counts as hanging.
  private static let patience = Duration.seconds(300)

  init(_ name: String, _ role: String, _ place: TransferPlace, _ workers: [String] = []) {
    self.name = name
    self.role = role
    self.place = place
    self.workers = workers
  }

  /// Whether the process made any progress.
  var hasWorked: Bool { done > 0 }

  /// The measure of progress: the size of the files that the process appends to.
  private var work: Int {
    let files =
      workers.isEmpty
      ? [place.tally(of: role)] : workers.compactMap { Int($0) }.map(place.log(of:))
    return files.reduce(0) { $0 + place.size(of: $1) }
  }

  mutating func start(_ random: inout SeededGenerator) throws {
    let seed = random.next() >> 1
    program = try SpawnedProgram.start(
      "vaultchild", ["transfer-\(role)", place.folder, "\(seed)"] + workers,
      output: place.output(of: name))
    // Usually while it opens the vault or soon afterwards, occasionally after seconds. The time
    // grows on a busy computer, so that the process can make progress.
    let milliseconds =
      random.oneIn(8)
      ? Int.random(in: 1000...5000, using: &random) : Int.random(in: 5...600, using: &random)
    killMoment = .now + .milliseconds(milliseconds << min(idleKills, 8))
  }

  /// Kills and restarts the process if its moment has come.
  ///
  /// Reports a process that ended by itself.
  mutating func advance(
    _ now: ContinuousClock.Instant, _ random: inout SeededGenerator, _ report: inout TransferReport
  ) throws {
    guard let program else { return }
    if program.hasEnded {
      self.program = nil
      report.violations.append("\(name) ended by itself: \(printed)")
      return
    }
    guard now >= killMoment else { return }
    let work = work
    if work != done {
      (done, lastWork, idleKills) = (work, now, 0)
    } else {
      idleKills += 1
      if now - lastWork > Self.patience { report.violations.append("\(name) hangs") }
    }
    end(&report)
    try start(&random)
  }

  /// Kills the process.
  ///
  /// Reports one that had already ended by itself.
  mutating func end(_ report: inout TransferReport) {
    guard let program else { return }
    self.program = nil
    program.signal(SIGKILL)
    let (status, exited) = program.wait()
    if exited || status != SIGKILL {
      report.violations.append("\(name) ended with \(status): \(printed)")
    } else {
      report.kills[role, default: 0] += 1
    }
  }

  /// The output of the process.
  private var printed: String {
    (try? String(contentsOfFile: place.output(of: name), encoding: .utf8)) ?? ""
  }
}
