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

  /// Adds what must hold of a run of so many seconds: that it did enough of everything.
  mutating func requireSpread(seconds: Double, cancellationsPerMinute: Double) {
    func require(_ what: String, _ count: Int, atLeast least: Double) {
      if Double(count) < least { violations.append("only \(count) \(what) in \(seconds) s") }
    }
    require("reads", reads, atLeast: seconds * 10)
    require("transfers", transfers, atLeast: seconds * 5)
    require("nested transactions", nested, atLeast: seconds * 2)
    require("refused batches", refusedBatches, atLeast: seconds)
    require(
      "cancellations", cancellations, atLeast: seconds * cancellationsPerMinute / 60)
    if largestLog > 64 << 20 {
      violations.append("the write-ahead log grew to \(largestLog >> 20) MiB")
    }
  }
}
