import Synchronization

/// A compiled regular expression of a `MATCHES`.
///
/// The time of a match is proportional to the length of the text. A match that would take more than
/// some seconds fails.
package final class MatchPattern: Sendable {
  /// The maximum number of characters of a pattern.
  package static let maximumLength = 1000

  // The mutex is required because the program caches the results of character tests.
  private let program: Mutex<PatternProgram>

  /// Creates a compiled pattern.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression.
  ///   - caseInsensitive: Whether the case of letters is ignored.
  ///   - maximumSteps: The maximum number of steps of one match; by default some seconds' worth.
  /// - Throws: ``ConditionError`` with code `.pattern`.
  package init(
    _ pattern: String, caseInsensitive: Bool = false, maximumSteps: Int? = nil
  ) throws(ConditionError) {
    if let refusal = RegexGuard.refusal(of: pattern) { throw ConditionError(.pattern, refusal) }
    program = Mutex(
      try PatternProgram(
        pattern, ignoresCase: caseInsensitive,
        maximumSteps: maximumSteps ?? PatternProgram.maximumSteps))
  }

  /// Returns whether the complete text matches.
  ///
  /// - Parameter text: The text to test.
  /// - Returns: `true` if the complete text matches; otherwise, `false`.
  /// - Throws: ``ConditionError`` with code `.pattern` if the match takes too many steps.
  package func matches(_ text: String) throws(ConditionError) -> Bool {
    try program.withLock { program throws(ConditionError) in try program.matches(text) }
  }
}
