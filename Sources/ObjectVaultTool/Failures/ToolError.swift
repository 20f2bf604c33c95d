/// An error of the tool itself.
struct ToolError: Error {
  var status: ExitStatus
  /// The failure, its subject and the advice.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// An error that indicates a closed output.
///
/// There is nothing left to do or to report.
struct OutputClosed: Error {}

/// An error that indicates findings of a check, which are already printed.
struct CheckFoundSomething: Error {}

/// An error that indicates a check without findings that could not cover everything.
///
/// The report is already printed.
struct CheckIncomplete: Error {}
