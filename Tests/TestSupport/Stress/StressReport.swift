/// What a stress run did, and what it found broken.
package struct StressReport: Sendable {
  package var reads = 0
  package var transfers = 0
  package var nested = 0
  package var refusedBatches = 0
  /// Operations that ended with `.cancelled`.
  package var cancellations = 0
  /// Operations that were done before their cancellation came.
  package var tooLate = 0
  /// The largest size of the write-ahead log that was seen.
  package var largestLog = 0
  package var violations: [String] = []
  /// What the other process printed.
  package var secondProcess: String?

  /// The counts on one line.
  package var line: String {
    "reads \(reads), transfers \(transfers), nested \(nested), refused batches \(refusedBatches), "
      + "cancellations \(cancellations) (too late: \(tooLate)), largest log \(largestLog >> 10) KiB"
  }

  /// What there is too little of after so many seconds for the run to show much.
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

  /// Adds what must hold at the end.
  mutating func checkLog() {
    if largestLog > 64 << 20 {
      violations.append("the write-ahead log grew to \(largestLog >> 20) MiB")
    }
  }
}
