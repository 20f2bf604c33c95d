/// The forms in which a run is reported.
package enum ReportFormat: String, Sendable, CaseIterable {
  /// For people.
  case table
  /// One object; see ``RunSummary/json(coverage:)``.
  case json
  /// The XML that servers of continuous integration read.
  case junit
  /// The Test Anything Protocol, version 14.
  case tap
}

extension RunSummary {
  /// The report of the run.
  ///
  /// - Parameter lineWidth: The columns of a terminal; `nil` where there is none. Only the table
  ///   is made to fit.
  package func report(as format: ReportFormat, lineWidth: Int? = nil) -> String {
    switch format {
    case .table: table(lineWidth: lineWidth)
    case .json: json()
    case .junit: junit()
    case .tap: tap()
    }
  }
}
