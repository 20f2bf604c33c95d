/// The results of one run for each row of the acceptance list.
package struct Coverage: Sendable {
  package let list: AcceptanceList
  package let entries: [Entry]
  let summary: RunSummary

  /// One row and the cases that cover it.
  package struct Entry: Sendable {
    package let row: AcceptanceList.Row
    /// The cases that name the row, in the order of the run.
    package let cases: [CaseResult]
    package let state: State
  }

  /// The result of a run for one row.
  package enum State: Sendable, Hashable, CaseIterable {
    /// At least one case passed and none failed.
    case heldByFixtures
    /// The list says that only the tests of this package check the row.
    ///
    /// These tests are not part of the run.
    case heldByTests
    /// A case failed.
    case failing
    /// The row needs a feature that is not built.
    case open
    /// The row requires nothing of a vault.
    case notApplicable
    /// No case that covers the row was run to its end.
    case heldByNothing
  }

  package init(of list: AcceptanceList, in summary: RunSummary) {
    self.list = list
    self.summary = summary
    var cases: [String: [CaseResult]] = [:]
    for result in summary.results {
      for row in Set(result.covers) { cases[row, default: []].append(result) }
    }
    entries = list.rows.map { row in
      let cases = cases[row.id] ?? []
      return Entry(row: row, cases: cases, state: State(of: row, cases: cases))
    }
  }

  /// Whether a required row is not covered.
  ///
  /// A row without coverage is not a gap if the run was filtered.
  package var hasGaps: Bool {
    entries.contains { $0.state == .failing || $0.state == .heldByNothing && !summary.isFiltered }
  }

  func entries(of letter: String) -> [Entry] { entries.filter { $0.row.letter == letter } }

  func entries(in state: State) -> [Entry] { entries.filter { $0.state == state } }
}

extension Coverage.State {
  init(of row: AcceptanceList.Row, cases: [CaseResult]) {
    let isPassed = cases.contains {
      if case .passed = $0.verdict { true } else { false }
    }
    self =
      if cases.contains(where: \.isFailed) {
        .failing
      } else if row.notApplicable != nil {
        .notApplicable
      } else if row.open != nil {
        .open
      } else if isPassed {
        .heldByFixtures
      } else if row.isHeldByTests {
        .heldByTests
      } else {
        .heldByNothing
      }
  }
}
