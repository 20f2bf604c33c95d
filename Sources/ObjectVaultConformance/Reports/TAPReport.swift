import ObjectVaultConformanceFormat
import ObjectVaultTerminal

extension RunSummary {
  /// Returns the report in the Test Anything Protocol, version 14 (testanything.org).
  ///
  /// Each failure has a YAML block. Cases that are not supported or for another engine have `#
  /// SKIP`.
  func tap() -> String {
    var text = "TAP version 14\n1..\(results.count)\n"
    for (index, result) in results.enumerated() {
      text += "\(result.isFailed ? "not ok" : "ok") \(index + 1) - \(Self.description(result.id))"
      if let reason = result.reasonNotRun { text += " # SKIP \(PrintableText.escaped(reason))" }
      text += "\n"
      if result.isFailed { text += result.tapDiagnostics }
    }
    return text + "# \(PrintableText.escaped(testee)) on \(PrintableText.escaped(engine))\n"
  }

  /// Returns the text with number signs escaped, which would begin a directive.
  private static func description(_ text: String) -> String {
    PrintableText.escaped(text).map {
      $0 == "#" || $0 == "\\" ? "\\\($0)" : String($0)
    }.joined()
  }
}

extension CaseResult {
  fileprivate var tapDiagnostics: String {
    var text = "  ---\n  duration_ms: \(Decimals.text(seconds * 1000))\n  discrepancies:\n"
    for discrepancy in discrepancies {
      // Quoted JSON text is valid YAML.
      text += """
            - at: \(JSONText.quoted(discrepancy.place.description))
              subject: \(JSONText.quoted(discrepancy.subject))
              expected: \(JSONText.quoted(discrepancy.expected))
              actual: \(JSONText.quoted(discrepancy.actual))

        """
    }
    return text + "  ...\n"
  }
}
