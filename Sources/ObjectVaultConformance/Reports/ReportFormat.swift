/// The formats of a report.
package enum ReportFormat: String, Sendable, CaseIterable {
  /// A table for people.
  case table
  /// One JSON object; see ``RunSummary/json(coverage:)``.
  case json
  /// The XML that continuous-integration servers read.
  case junit
  /// The Test Anything Protocol, version 14.
  case tap
}

extension RunSummary {
  /// Returns the report of the run in a format.
  ///
  /// `lineWidth` is the width of the terminal in columns, or `nil` without a terminal. It applies
  /// to the table only.
  package func report(as format: ReportFormat, lineWidth: Int? = nil) -> String {
    switch format {
    case .table: table(lineWidth: lineWidth)
    case .json: json()
    case .junit: junit()
    case .tap: tap()
    }
  }
}
