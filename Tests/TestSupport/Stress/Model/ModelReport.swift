internal import Foundation

/// The result of many random operations.
package struct ModelReport: Sendable {
  package var operations = 0
  /// The number of operations of each kind.
  package var counts: [String: Int] = [:]
  /// The difference that was found, with the seed that reproduces it.
  package var difference: String?

  /// The counts on one line.
  package var line: String {
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }
    return "operations \(operations) (\(kinds.joined(separator: ", "))), differences "
      + (difference == nil ? "0" : "1")
  }

  /// Performs random operations in one vault after another, each with its own seed.
  ///
  /// - Parameters:
  ///   - operations: The minimum number of operations.
  ///   - each: The number of operations in one vault. The last vault can have fewer.
  ///   - seed: The seed of the first vault. Each further vault has the next number.
  ///   - progress: A closure that is called after each vault.
  /// - Returns: The counts, and the first difference.
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
