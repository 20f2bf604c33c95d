import ObjectVaultConformanceFormat

extension RunSummary {
  /// Returns the report as one JSON object, with one line for each case.
  ///
  /// Members: `format` (1), `testee`, `engine`, `filtered`, `seconds`, `totals` (`cases`, `passed`,
  /// `failed`, `notSupported`, `otherEngine`) and `cases`, a list of objects with `file`, `name`,
  /// `covers`, `verdict` (`passed`, `failed`, `notSupported` or `otherEngine`) and `seconds`. A
  /// failed case also has `discrepancies` (a list of `file`, `line`, `subject`, `expected`,
  /// `actual`), and one that is not supported has `reason`. With `coverage`, the report has a
  /// further member `coverage` with that JSON text.
  package func json(coverage: String? = nil) -> String {
    let head: [(String, String)] = [
      ("format", "1"), ("testee", JSONText.quoted(testee)), ("engine", JSONText.quoted(engine)),
      ("filtered", "\(isFiltered)"), ("seconds", Decimals.text(seconds, places: 3)),
      (
        "totals",
        JSONText.object([
          ("cases", "\(totals.cases)"), ("passed", "\(totals.passed)"),
          ("failed", "\(totals.failed)"), ("notSupported", "\(totals.notSupported)"),
          ("otherEngine", "\(totals.otherEngine)"),
        ])
      ),
    ]
    let tail = coverage.map { [("coverage", $0)] } ?? []
    let cases = [("cases", JSONText.lines(results.map(\.json)))]
    return JSONText.lines(ofObject: head + cases + tail) + "\n"
  }
}

extension CaseResult {
  fileprivate var json: String {
    var members = [
      ("file", JSONText.quoted(file)), ("name", JSONText.quoted(name)),
      ("covers", JSONText.list(covers.map(JSONText.quoted))),
      ("verdict", JSONText.quoted(verdict.word)),
      ("seconds", Decimals.text(seconds, places: 3)),
    ]
    switch verdict {
    case .failed(let discrepancies):
      members.append(("discrepancies", JSONText.list(discrepancies.map(\.json))))
    case .notSupported(let reason): members.append(("reason", JSONText.quoted(reason)))
    case .passed, .otherEngine: break
    }
    return JSONText.object(members)
  }
}

extension CaseResult.Verdict {
  fileprivate var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .notSupported: "notSupported"
    case .otherEngine: "otherEngine"
    }
  }
}

extension Discrepancy {
  fileprivate var json: String {
    JSONText.object([
      ("file", JSONText.quoted(place.path)), ("line", "\(place.line)"),
      ("subject", JSONText.quoted(subject)), ("expected", JSONText.quoted(expected)),
      ("actual", JSONText.quoted(actual)),
    ])
  }
}

/// Functions that compose JSON text.
enum JSONText {
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Includes characters above U+001F: JSON allows them, but terminals interpret them and YAML
      // rejects them.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FFFE}",
        "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

  static func object(_ members: [(String, String)]) -> String {
    "{\(members.map { "\(quoted($0)):\($1)" }.joined(separator: ","))}"
  }

  /// Returns a list with a line for each element.
  static func lines(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n\(elements.joined(separator: ",\n"))\n]"
  }

  /// Returns an object with a line for each member.
  static func lines(ofObject members: [(String, String)]) -> String {
    "{\n\(members.map { "\(quoted($0)):\($1)" }.joined(separator: ",\n"))\n}"
  }
}
