extension RunSummary {
  /// Returns the report in JUnit's XML format, with a suite for each file of fixtures.
  ///
  /// Cases that are not supported or for another engine are `skipped`, with the reason.
  func junit() -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(XMLText.attribute("conformance of \(testee) on \(engine)"))"\
      \(Self.counts(totals, seconds: seconds))>

      """
    for file in filesInOrder {
      let suite = results.filter { $0.file == file }
      let totals = Totals(of: suite)
      text += "  <testsuite name=\"\(XMLText.attribute(file))\"\(Self.counts(totals))>\n"
      for result in suite { text += result.junit }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private var filesInOrder: [String] {
    var seen: Set<String> = []
    return results.map(\.file).filter { seen.insert($0).inserted }
  }

  private static func counts(_ totals: Totals, seconds: Double? = nil) -> String {
    """
     tests="\(totals.cases)" failures="\(totals.failed)" errors="0" \
    skipped="\(totals.notSupported + totals.otherEngine)" \
    time="\(Decimals.text(seconds ?? totals.seconds, places: 3))"
    """
  }
}

extension CaseResult {
  fileprivate var junit: String {
    // Servers group test cases by the part of the class name before the last dot.
    let className =
      (file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file)
      .split(separator: "/").joined(separator: ".")
    let head = """
          <testcase classname="\(XMLText.attribute(className))" name="\(XMLText.attribute(name))" \
      time="\(Decimals.text(seconds, places: 3))"
      """
    if let reasonNotRun {
      return head
        + ">\n      <skipped message=\"\(XMLText.attribute(reasonNotRun))\"/>\n    </testcase>\n"
    }
    guard isFailed else { return head + "/>\n" }
    let summary = discrepancies.first.map { "\($0.place): \($0.subject)" } ?? "failed"
    let details = discrepancies.map {
      "\($0.place): \($0.subject)\n  expected  \($0.expected)\n  actual    \($0.actual)\n"
    }.joined()
    return """
      \(head)>
            <failure message="\(XMLText.attribute(summary))" \
      type="discrepancy">\(XMLText.content(details))</failure>
          </testcase>

      """
  }
}

/// Text escaped for XML 1.0.
///
/// XML 1.0 cannot represent most control characters; they become visible escapes.
enum XMLText {
  static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

  static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

  private static func escaped(_ text: String, inAttribute: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where inAttribute: result += "&quot;"
      // An XML parser turns a line break in an attribute into a space, and a lone carriage return
      // into a newline.
      case "\n" where inAttribute, "\t" where inAttribute, "\r": result += "&#\(scalar.value);"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
