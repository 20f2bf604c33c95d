internal import Foundation

/// What many random operations found.
package struct ModelReport: Sendable {
  package var operations = 0
  /// How many operations of each kind there were.
  package var counts: [String: Int] = [:]
  /// What differed, with the seed that repeats it.
  package var difference: String?

  /// The counts on one line.
  package var line: String {
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }
    return "operations \(operations) (\(kinds.joined(separator: ", "))), differences "
      + (difference == nil ? "0" : "1")
  }

  /// Does random operations in one vault after another, each of which has its own seed.
  ///
  /// - Parameters:
  ///   - operations: How many operations at least.
  ///   - each: How many operations in one vault; the last one may have fewer.
  ///   - seed: The seed of the first vault; the next has the next number.
  ///   - progress: Called after each vault.
  package static func run(
    operations: Int, each: Int = 20_000, seed: UInt64, progress: (ModelReport) -> Void = { _ in }
  ) -> ModelReport {
    var report = ModelReport()
    var vault: UInt64 = 0
    while report.operations < operations, report.difference == nil {
      let seed = seed &+ vault
      vault += 1
      do {
        let run = try ModelRun(seed: seed)
        let found = run.run(operations: min(each, operations - report.operations))
        report.operations += run.operations
        report.counts.merge(run.counts, uniquingKeysWith: +)
        if let found { report.difference = "seed \(seed), \(found)" }
      } catch {
        report.difference = "seed \(seed): \(error)"
      }
      progress(report)
    }
    return report
  }
}
