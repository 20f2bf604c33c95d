import ObjectVaultTerminal

extension RunSummary {
  /// Returns a summary by folder, each failure, the unsupported cases, and the totals.
  func table(lineWidth: Int?) -> String {
    [folders(), failures(lineWidth: lineWidth ?? 200), notSupported(), lastLine]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func folders() -> String {
    var rows = AlignedRows(
      ["folder", "passed", "failed", "not supported", "other engine", "seconds"],
      rightAligned: [1, 2, 3, 4, 5])
    let byFolder = Dictionary(grouping: results, by: \.folder)
    for (folder, results) in byFolder.sorted(by: { $0.key < $1.key }) {
      let totals = Totals(of: results)
      rows.add([
        folder, "\(totals.passed)", "\(totals.failed)", "\(totals.notSupported)",
        "\(totals.otherEngine)", Decimals.text(totals.seconds),
      ])
    }
    return rows.text
  }

  private func failures(lineWidth: Int) -> String {
    var text = ""
    for result in results {
      guard case .failed(let discrepancies) = result.verdict else { continue }
      text += "FAILED  \(PrintableText.escaped(result.id))\n"
      for discrepancy in discrepancies {
        let label = "    "
        text += "  \(discrepancy.place): \(PrintableText.escaped(discrepancy.subject))\n"
        let pair = ComparedTexts(
          expected: discrepancy.expected, actual: discrepancy.actual,
          width: max(40, lineWidth - label.count - 10))
        text += "\(label)expected  \(pair.expected)\n\(label)actual    \(pair.actual)\n"
        if let column = pair.column {
          text += label + String(repeating: " ", count: 10 + column) + "^\n"
        }
      }
    }
    return text
  }

  /// Returns the unsupported cases grouped by reason, since one missing operation often affects
  /// many cases.
  private func notSupported() -> String {
    var cases: [String: [String]] = [:]
    for result in results {
      if case .notSupported(let reason) = result.verdict {
        cases[reason, default: []].append(result.id)
      }
    }
    guard !cases.isEmpty else { return "" }
    var text = "Not supported by \(PrintableText.escaped(testee)):\n"
    for (reason, ids) in cases.sorted(by: { $0.key < $1.key }) {
      text += "  \(PrintableText.escaped(reason))\n"
      for id in ids { text += "    \(PrintableText.escaped(id))\n" }
    }
    return text
  }

  private var lastLine: String {
    """
    \(totals.text); \(Decimals.text(seconds)) s, \(PrintableText.escaped(testee)) on \
    \(PrintableText.escaped(engine))\(isFiltered ? "; filtered" : "")

    """
  }
}

/// Numbers with a fixed number of decimals, two by default, in the same format on every platform.
enum Decimals {
  static func text(_ number: Double, places: Int = 2) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    // The seconds are far from the limits of Int64, unless a clock is wrong.
    guard let scaled = Int64(exactly: (number * scale).rounded()), scaled >= 0 else {
      return "\(number)"
    }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}

/// Rows aligned in columns, for tables that are complete before they are printed.
struct AlignedRows {
  private var rows: [[String]]
  private let rightAligned: Set<Int>

  init(_ titles: [String], rightAligned: Set<Int>) {
    rows = [titles]
    self.rightAligned = rightAligned
  }

  mutating func add(_ cells: [String]) { rows.append(cells.map(PrintableText.escaped)) }

  var text: String {
    let widths = rows[0].indices.map { column in
      rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    return rows.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let space = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
        line +=
          (column > 0 ? "  " : "") + (rightAligned.contains(column) ? space + cell : cell + space)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
