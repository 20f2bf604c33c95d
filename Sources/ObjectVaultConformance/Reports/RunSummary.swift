/// What was run, and how each case went: all that a report says.
package struct RunSummary: Sendable {
  /// Who was tested: this library, or the name that a program gave itself.
  package var testee: String
  /// What it stands on, such as `SQLCipher 3.4.1`.
  package var engine: String
  /// In the order of the fixtures.
  package var results: [CaseResult]
  /// From the first case's beginning to the last one's end; cases run beside one another.
  package var seconds: Double
  /// Whether cases were chosen by a filter.
  package var isFiltered: Bool

  package init(
    testee: String, engine: String, results: [CaseResult], seconds: Double,
    isFiltered: Bool = false
  ) {
    self.testee = testee
    self.engine = engine
    self.results = results
    self.seconds = seconds
    self.isFiltered = isFiltered
  }

  /// How all cases went.
  package var totals: Totals { Totals(of: results) }
}

/// How many cases went how.
package struct Totals: Sendable, Equatable {
  package private(set) var passed = 0
  package private(set) var failed = 0
  package private(set) var notSupported = 0
  package private(set) var otherEngine = 0
  /// The sum over the cases.
  package private(set) var seconds = 0.0

  package init(of results: some Sequence<CaseResult>) {
    for result in results {
      switch result.verdict {
      case .passed: passed += 1
      case .failed: failed += 1
      case .notSupported: notSupported += 1
      case .otherEngine: otherEngine += 1
      }
      seconds += result.seconds
    }
  }

  package var cases: Int { passed + failed + notSupported + otherEngine }

  /// One line, without what did not occur: `12 cases: 10 passed, 2 failed`.
  package var text: String {
    let parts = [
      (passed, "passed"), (failed, "failed"), (notSupported, "not supported"),
      (otherEngine, "for another engine"),
    ]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(cases) case\(cases == 1 ? "" : "s"): \(said.isEmpty ? "none run" : said)"
  }
}

extension CaseResult {
  /// The path of the file, as in `objectid/generated.yaml`.
  package var file: String {
    guard let colon = id.firstRange(of: ": ") else { return id }
    return String(id[..<colon.lowerBound])
  }

  /// The name of the case.
  package var name: String {
    guard let colon = id.firstRange(of: ": ") else { return id }
    return String(id[colon.upperBound...])
  }

  /// The folder of the file below the fixtures; `.` where it is in none.
  package var folder: String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }

  package var isFailed: Bool {
    if case .failed = verdict { true } else { false }
  }

  /// What was not as expected; empty unless the case failed.
  package var discrepancies: [Discrepancy] {
    if case .failed(let discrepancies) = verdict { discrepancies } else { [] }
  }

  /// Why the case was not run to its end, where it was not.
  package var reasonNotRun: String? {
    switch verdict {
    case .notSupported(let reason): "not supported: \(reason)"
    case .otherEngine: "for another engine"
    case .passed, .failed: nil
    }
  }
}
