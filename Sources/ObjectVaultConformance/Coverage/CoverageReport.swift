import ObjectVaultTerminal

extension Coverage {
  /// Returns the report as text.
  ///
  /// It lists the counts of each group, every row with its coverage, the rows without coverage, the
  /// open rows, and the rows that do not apply.
  package func text() -> String {
    [
      counts, allRows, section(.heldByNothing, "Not covered", nothing: "none"), openRows,
      inapplicableRows,
    ].joined(separator: "\n")
  }

  private var counts: String {
    var rows = AlignedRows(
      ["", "rows", "fixtures", "tests only", "failing", "open", "not applicable", "not covered"],
      rightAligned: [1, 2, 3, 4, 5, 6, 7])
    for group in list.groups {
      rows.add(["\(group.letter): \(group.title)"] + Self.cells(entries(of: group.letter)))
    }
    rows.add(["all"] + Self.cells(entries))
    let scope =
      summary.isFiltered
      ? """
      Only the cases that match the filter were run: rows that other cases cover are shown as not \
      covered.

      """ : ""
    return """
      Coverage by \(Totals(of: summary.results).text), and by tests, which were not run here and \
      apply to this library only.
      \(scope)
      \(rows.text)
      """
  }

  private static func cells(_ entries: [Entry]) -> [String] {
    let order: [State] = [
      .heldByFixtures, .heldByTests, .failing, .open, .notApplicable, .heldByNothing,
    ]
    return ["\(entries.count)"]
      + order.map { state in "\(entries.count { $0.state == state })" }
  }

  private var allRows: String {
    entries.map { entry in
      var text = "\(entry.row.id)  \(entry.state.words): \(PrintableText.escaped(entry.row.must))\n"
      for result in entry.cases {
        text += "      \(result.verdict.words)  \(PrintableText.escaped(result.id))\n"
      }
      return text
    }.joined()
  }

  private func section(_ state: State, _ title: String, nothing: String) -> String {
    let entries = entries(in: state)
    guard !entries.isEmpty else { return "\(title): \(nothing)\n" }
    return "\(title): \(entries.count)\n"
      + entries.map { "  \($0.row.id)  \(PrintableText.escaped($0.row.must))\n" }.joined()
  }

  private var openRows: String {
    let entries = entries(in: .open)
    var text = "Open: \(entries.count)\n"
    for feature in list.features {
      let rows = entries.filter { $0.row.open == feature.name }
      guard !rows.isEmpty else { continue }
      text += "  \(feature.name): \(PrintableText.escaped(feature.description))\n"
      for entry in rows {
        text += "    \(entry.row.id)  \(PrintableText.escaped(entry.row.must))\n"
        if let note = entry.row.note { text += "        \(PrintableText.escaped(note))\n" }
      }
    }
    return text
  }

  private var inapplicableRows: String {
    let entries = entries(in: .notApplicable)
    return "Not applicable: \(entries.count)\n"
      + entries.map { entry in
        """
          \(entry.row.id)  \(PrintableText.escaped(entry.row.must))
              \(PrintableText.escaped(entry.row.notApplicable ?? ""))

        """
      }.joined()
  }

  /// Returns the report as a JSON object with a member for each row.
  ///
  /// The members of a row are `state`, `must`, `cases`, and `open`, `note` and `notApplicable` if
  /// present.
  package func json() -> String {
    JSONText.lines(
      ofObject: entries.map { entry in
        let row = entry.row
        var members = [
          ("state", JSONText.quoted(entry.state.word)), ("must", JSONText.quoted(row.must)),
          ("cases", JSONText.list(entry.cases.map { JSONText.quoted($0.id) })),
        ]
        for (name, text) in [
          ("open", row.open), ("note", row.note), ("notApplicable", row.notApplicable),
        ] {
          if let text { members.append((name, JSONText.quoted(text))) }
        }
        return (row.id, JSONText.object(members))
      })
  }
}

extension Coverage.State {
  fileprivate var words: String {
    switch self {
    case .heldByFixtures: "fixtures"
    case .heldByTests: "tests only"
    case .failing: "FAILING"
    case .open: "open"
    case .notApplicable: "not applicable"
    case .heldByNothing: "NOT COVERED"
    }
  }

  fileprivate var word: String {
    switch self {
    case .heldByFixtures: "fixtures"
    case .heldByTests: "tests"
    case .failing: "failing"
    case .open: "open"
    case .notApplicable: "notApplicable"
    case .heldByNothing: "nothing"
    }
  }
}

extension CaseResult.Verdict {
  fileprivate var words: String {
    switch self {
    case .passed: "passed"
    case .failed: "FAILED"
    case .notSupported: "not supported"
    case .otherEngine: "for another engine"
    }
  }
}
