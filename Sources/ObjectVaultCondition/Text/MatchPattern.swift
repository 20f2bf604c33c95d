import Synchronization

/// A regular expression of a `MATCHES`, compiled once.
///
/// A match takes time in proportion to the length of the text; one that would take more than some
/// seconds fails.
package final class MatchPattern: Sendable {
  /// How many characters a pattern may have.
  package static let maximumLength = 1000

  // It caches what characters were tested for.
  private let program: Mutex<PatternProgram>

  /// - Parameter maximumSteps: How many steps one match may take; some seconds' worth by default.
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

  /// Whether the whole text matches.
  ///
  /// - Throws: ``ConditionError`` with code `.pattern` if it takes too many steps.
  package func matches(_ text: String) throws(ConditionError) -> Bool {
    try program.withLock { program throws(ConditionError) in try program.matches(text) }
  }
}
