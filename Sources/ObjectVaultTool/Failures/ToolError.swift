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

/// The result of a check that is not clean, as the error that ends the command.
///
/// The report is already printed.
enum CheckFinding: Error {
  /// The check found a problem.
  case problem
  /// The check found no problem, but could not cover everything.
  case incomplete

  /// Writes the report of a check to standard output, and throws the finding.
  ///
  /// The finding is thrown also if standard output is closed.
  ///
  /// - Parameters:
  ///   - finding: The finding; `nil` if the check is clean.
  ///   - writing: A closure that writes the report.
  /// - Throws: `finding`, or an error of writing.
  static func report(_ finding: CheckFinding?, _ writing: () throws -> Void) throws {
    do {
      try writing()
      try StandardOutput.shared.flush()
    } catch is OutputClosed where finding != nil {}
    if let finding { throw finding }
  }
}
