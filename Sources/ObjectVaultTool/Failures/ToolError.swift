/// A failure that the tool itself found.
struct ToolError: Error {
  var status: ExitStatus
  /// What happened, to what, and how to mend it.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// Whoever read the output went away: there is nothing left to do and nothing to complain of.
struct OutputClosed: Error {}

/// A check found something, and has said so already.
struct CheckFoundSomething: Error {}

/// A check that found nothing wrong and could not look at everything, after its report.
struct CheckIncomplete: Error {}
