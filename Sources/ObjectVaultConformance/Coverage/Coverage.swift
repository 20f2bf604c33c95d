/// What holds each row of the acceptance list, as far as one run shows.
package struct Coverage: Sendable {
  package let list: AcceptanceList
  package let entries: [Entry]
  let summary: RunSummary

  /// One row and what holds it.
  package struct Entry: Sendable {
    package let row: AcceptanceList.Row
    /// The cases that name it, in the order of the run.
    package let cases: [CaseResult]
    package let state: State
  }

  /// What a run shows of a row.
  package enum State: Sendable, Hashable, CaseIterable {
    /// At least one case passed and none failed.
    case heldByFixtures
    /// No case was run to its end; tests hold it, which the run does not include.
    case heldByTests
    /// A case failed.
    case failing
    /// It needs a feature that is not built.
    case open
    /// It asks nothing of a vault.
    case notApplicable
    /// Neither a case that was run nor a test holds it.
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

  /// Whether a row that a vault of today must have is not held. What a filter left out is not
  /// missed.
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
      } else if !row.tests.isEmpty {
        .heldByTests
      } else {
        .heldByNothing
      }
  }
}
