/// The results of a run, from which all reports are made.
package struct RunSummary: Sendable {
  /// The name of the testee: this library, or the name that a program reported.
  package var testee: String
  /// The engine of the testee, such as `SQLCipher 3.4.1`.
  package var engine: String
  /// The results in the order of the fixtures.
  package var results: [CaseResult]
  /// The duration from the start of the first case to the end of the last; cases run concurrently.
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

  /// The counts for all cases.
  package var totals: Totals { Totals(of: results) }
}

/// The number of cases for each verdict.
package struct Totals: Sendable, Equatable {
  package private(set) var passed = 0
  package private(set) var failed = 0
  package private(set) var notSupported = 0
  package private(set) var otherEngine = 0
  /// The sum of the durations of the cases.
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

  /// A one-line summary without zero counts, such as `12 cases: 10 passed, 2 failed`.
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
  /// The path of the file, such as `objectid/generated.yaml`.
  package var file: String {
    guard let colon = id.firstRange(of: ": ") else { return id }
    return String(id[..<colon.lowerBound])
  }

  /// The name of the case.
  package var name: String {
    guard let colon = id.firstRange(of: ": ") else { return id }
    return String(id[colon.upperBound...])
  }

  /// The folder of the file below the fixtures; `.` if the file is not in a folder.
  package var folder: String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }

  package var isFailed: Bool {
    if case .failed = verdict { true } else { false }
  }

  /// The differences from the expectations; empty unless the case failed.
  package var discrepancies: [Discrepancy] {
    if case .failed(let discrepancies) = verdict { discrepancies } else { [] }
  }

  /// The reason why the case was not run to its end; `nil` if it was.
  package var reasonNotRun: String? {
    switch verdict {
    case .notSupported(let reason): "not supported: \(reason)"
    case .otherEngine: "for another engine"
    case .passed, .failed: nil
    }
  }
}
