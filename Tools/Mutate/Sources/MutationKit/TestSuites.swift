import Synchronization

/// The suites of the mutated build and the mutants that each of them reaches.
///
/// Every suite runs once with no mutant active. That shows that it passes, how long it takes, and
/// which mutants' code it runs: only such suites can notice a mutant.
public struct TestSuites: Sendable {
  private let suites: [Suite]
  private let runner: SuiteRunner
  private let includesSlow: Bool

  /// Runs every suite once. A suite that fails runs a second time, with nothing else.
  ///
  /// - Parameters:
  ///   - build: The build with the mutants.
  ///   - workshop: The folder that it is in.
  ///   - filter: The suites to run.
  ///   - jobs: The number of suites that run at a time.
  ///   - report: Receives one line per step.
  /// - Throws: `MutationFailure` if a suite fails twice with no mutant active.
  public init(
    of build: MutatedBuild, in workshop: Workshop, filter: SuiteFilter, jobs: Int,
    report: @Sendable (String) -> Void
  ) throws {
    let runner = try SuiteRunner(workshop)
    self.runner = runner
    includesSlow = filter.includesSlow
    let hasSafety = build.mutants.values.contains { $0.kind == .safety }
    let all = try runner.suites().filter {
      filter.includes($0.name) && (!$0.isSlow || filter.includesSlow || hasSafety)
    }
    guard !all.isEmpty else { throw MutationFailure("no suite matches --only and --skip") }
    report("running \(all.count) suites with no mutant active")
    let hits = (build.mutants.keys.max() ?? 0) + 1
    let state = Mutex((passed: [Suite](), failed: [Suite]()))
    @Sendable func measure(_ suite: Suite) throws -> String? {
      let run = try runner.run([suite], mutant: 0, hits: hits, limit: 1800)
      var suite = suite
      suite.seconds = run.seconds
      suite.reached = run.reached
      let failure = run.failure.map { "\($0)\n\(run.output.suffix(2_000))" }
      state.withLock { state in
        if failure == nil { state.passed.append(suite) } else { state.failed.append(suite) }
      }
      return failure
    }
    try inParallel(all, jobs: jobs) { _ = try measure($0) }
    for suite in state.withLock({ $0.failed }) {
      if let failure = try measure(suite) {
        throw MutationFailure("\(suite.name) fails twice with no mutant active: \(failure)")
      }
      report("\(suite.name) failed once with no mutant active, and passed the second time")
    }
    suites = state.withLock { $0.passed }
  }

  /// Returns the first failure with a mutant active, and whether any suite reaches the mutant.
  func failure(with number: Int, _ mutant: Mutant) throws -> (failure: String?, isReached: Bool) {
    let reaching = suites.filter {
      $0.reached.contains(number) && (!$0.isSlow || includesSlow || mutant.kind == .safety)
    }
    for batch in Suite.batches(reaching) {
      let limit = 60 + 5 * batch.reduce(0) { $0 + $1.seconds }
      let run = try runner.run(batch, mutant: number, limit: limit)
      if let failure = run.failure { return (failure, true) }
    }
    return (nil, !reaching.isEmpty)
  }
}

/// The suites that a run uses.
public struct SuiteFilter: Sendable {
  private let only: [String]
  private let skip: [String]
  let includesSlow: Bool

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - only: Parts of names, one of which a suite must have; empty for all suites.
  ///   - skip: Parts of names that a suite must not have.
  ///   - includesSlow: Whether slow suites run for all mutants.
  public init(only: [String], skip: [String], includesSlow: Bool) {
    self.only = only
    self.skip = skip
    self.includesSlow = includesSlow
  }

  func includes(_ name: String) -> Bool {
    (only.isEmpty || only.contains { name.contains($0) }) && !skip.contains { name.contains($0) }
  }
}
