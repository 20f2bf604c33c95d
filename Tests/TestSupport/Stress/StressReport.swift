/// The counts and the violations of a stress run.
package struct StressReport: Sendable {
  package var reads = 0
  package var transfers = 0
  package var nested = 0
  package var refusedBatches = 0
  /// The number of operations that ended with `.cancelled`.
  package var cancellations = 0
  /// The number of operations that finished before their cancellation.
  package var tooLate = 0
  /// The largest observed size of the write-ahead log, in bytes.
  package var largestLog = 0
  package var violations: [String] = []
  /// The output of the other process.
  package var secondProcess: String?

  /// The counts on one line.
  package var line: String {
    "reads \(reads), transfers \(transfers), nested \(nested), refused batches \(refusedBatches), "
      + "cancellations \(cancellations) (too late: \(tooLate)), largest log \(largestLog >> 10) KiB"
  }

  /// Returns the operations that were too rare for a meaningful run of this duration.
  func lacks(seconds: Double, cancellationsPerMinute: Double) -> [String] {
    let least = [
      ("reads", reads, 10), ("transfers", transfers, 5), ("nested transactions", nested, 2),
      ("refused batches", refusedBatches, 1),
      ("cancellations", cancellations, cancellationsPerMinute / 60),
    ]
    return least.filter { Double($1) < seconds * $2 }.map { what, count, _ in
      "only \(count) \(what)"
    }
  }

  /// Adds violations of the conditions for the end of the run.
  mutating func checkLog() {
    if largestLog > 64 << 20 {
      violations.append("the write-ahead log grew to \(largestLog >> 20) MiB")
    }
  }
}
