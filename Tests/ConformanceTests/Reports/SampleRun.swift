import ObjectVaultConformanceFormat
@testable import ObjectVaultConformance

/// A run with every verdict, and with every kind of character that a format could stumble over.
enum SampleRun {
  static let summary = RunSummary(
    testee: "ObjectVault 0.2.0", engine: "SQLCipher 3.4.1",
    results: [
      result("batch/insert.yaml: all or none", ["S18", "S27"], .passed, 0.0125),
      result(
        "conditions/text.yaml: a < b & \"c\" # not a directive \\", ["S32"],
        .failed([
          Discrepancy(
            place: SourcePlace(path: "conditions/text.yaml", line: 31), subject: "step 2, query",
            expected: "[1, 2, 3]", actual: "[1, 4, 3]"),
          Discrepancy(
            place: SourcePlace(path: "conditions/text.yaml", line: 40),
            subject: "after: withoutPlaintext", expected: "no 'a\u{0}\u{1B}[31m]]>\n'",
            actual: "é\u{FFFF}😀\r\t"),
        ]), 1.5),
      result("rekey/rekey.yaml: under a new key", ["S63"], .notSupported("rekey"), 0.001),
      result("rekey/rekey.yaml: to format 4", [], .otherEngine, 0),
      result("top.yaml: in no folder", ["S1"], .passed, 0.25),
    ],
    seconds: 1.625)

  static func result(
    _ id: String, _ covers: [String], _ verdict: CaseResult.Verdict, _ seconds: Double
  ) -> CaseResult {
    CaseResult(id: id, covers: covers, verdict: verdict, seconds: seconds)
  }
}
