import Foundation
package import ObjectVaultConformanceFormat
import Synchronization

/// A run of the chosen cases of fixtures, several at a time.
package struct ConformanceRun: Sendable {
  package var fixtures: [Fixture]
  package var settings: RunSettings
  package var filter: CaseFilter

  package init(_ fixtures: [Fixture], _ settings: RunSettings, filter: CaseFilter = CaseFilter()) {
    self.fixtures = fixtures
    self.settings = settings
    self.filter = filter
  }

  /// The progress of a run.
  package struct Progress: Sendable {
    /// The case that has just ended.
    package var result: CaseResult
    /// The number of cases that have ended.
    package var done: Int
    /// The number of all cases.
    package var total: Int
  }

  /// The results of a run.
  package struct Outcome: Sendable {
    /// A result for each case that was run, in the order of the files.
    package var results: [CaseResult]
    /// The name and engine of the testee; `nil` if no case obtained them.
    package var testee: TesteeFacts?
    package var seconds: Double
  }

  /// The number of chosen cases.
  package var count: Int { chosen.count }

  /// Runs the cases.
  ///
  /// - Parameter progress: A closure that is called after each case, by one thread at a time.
  /// - Returns: The results, and the testee's name and engine.
  package func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) -> Outcome {
    let start = Date()
    let chosen = chosen
    let state = Mutex(RunState(count: chosen.count))
    let settings = settings
    let workers = DispatchGroup()
    for _ in 0..<min(max(1, settings.workers), chosen.count) {
      workers.enter()
      let thread = Thread {
        defer { workers.leave() }
        let runner = CaseRunner(settings)
        while !settings.isStopped(), let index = state.withLock({ $0.takeNext() }) {
          let result = runner.run(chosen[index].case, of: chosen[index].fixture)
          state.withLock { state in
            state.end(index, result, runner.facts)
            progress(Progress(result: result, done: state.done, total: chosen.count))
          }
        }
      }
      // As large as the stack of a main thread, because the tested library runs on this thread.
      thread.stackSize = 8 << 20
      thread.start()
    }
    workers.wait()
    return state.withLock { state in
      Outcome(
        results: state.results.compactMap { $0 }, testee: state.facts,
        seconds: Date().timeIntervalSince(start))
    }
  }

  private var chosen: [(fixture: Fixture, case: FixtureCase)] {
    fixtures.flatMap { fixture in
      fixture.cases
        .filter { filter.chooses(fixture.id(of: $0), covers: $0.covers) }
        .map { (fixture, $0) }
    }
  }
}

private struct RunState {
  private(set) var results: [CaseResult?]
  private(set) var done = 0
  private(set) var facts: TesteeFacts?
  private var next = 0

  init(count: Int) { results = Array(repeating: nil, count: count) }

  mutating func takeNext() -> Int? {
    guard next < results.count else { return nil }
    defer { next += 1 }
    return next
  }

  mutating func end(_ index: Int, _ result: CaseResult, _ facts: TesteeFacts?) {
    results[index] = result
    done += 1
    self.facts = self.facts ?? facts
  }
}
