import Synchronization

/// A run that tries every mutant that has no result yet.
public final class MutationRun: Sendable {
  private let state: Mutex<MutationReport>
  private let output: String?

  /// The results so far.
  public var report: MutationReport { state.withLock { $0 } }

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - report: The results of an earlier run; empty for a new one.
  ///   - output: The file that is written after each result, or `nil`.
  public init(_ report: MutationReport, output: String?) {
    state = Mutex(report)
    self.output = output
  }

  /// Returns the mutants without a result, by number.
  public func open(_ mutants: [Int: Mutant]) -> [Int: Mutant] {
    let done = Set(report.rows.map(\.mutant))
    return mutants.filter { !done.contains($0.value) }
  }

  /// Records that the compiler rejects mutants.
  public func reject(_ mutants: [Mutant]) throws {
    for mutant in mutants { try add(mutant, .rejected) }
  }

  /// Tries the mutants of a build that have no result yet.
  ///
  /// - Parameters:
  ///   - build: The build with the mutants.
  ///   - suites: The suites that may notice them.
  ///   - jobs: The number of mutants to try at a time.
  ///   - print: Receives one line per mutant.
  /// - Throws: An error if a suite cannot be run or the result file cannot be written.
  public func run(
    _ build: MutatedBuild, suites: TestSuites, jobs: Int, print: @Sendable (String) -> Void
  ) throws {
    let mutants = open(build.mutants).sorted { $0.key < $1.key }
    try inParallel(mutants, jobs: jobs) { number, mutant in
      let start = ContinuousClock.now
      let (failure, isReached) = try suites.failure(with: number, mutant)
      let verdict: MutationReport.Verdict =
        failure != nil ? .killed : isReached ? .survived : .notReached
      let seconds = Double(start.duration(to: .now).components.seconds)
      let row = try add(mutant, verdict, killer: failure, seconds: seconds)
      print("\(number) \(row.text)")
    }
  }

  @discardableResult
  private func add(
    _ mutant: Mutant, _ verdict: MutationReport.Verdict, killer: String? = nil,
    seconds: Double = 0
  ) throws -> MutationReport.Row {
    let row = MutationReport.Row(
      mutant: mutant, verdict: verdict, killer: killer, seconds: seconds)
    try state.withLock { report in
      report.add(row)
      if let output { try report.write(to: output) }
    }
    return row
  }
}
