import Synchronization

/// A regular expression of a `MATCHES`, compiled once.
///
/// Matching takes time that can grow exponentially with the text for patterns that repeat a
/// repetition; who takes conditions from strangers switches `MATCHES` off.
package final class MatchPattern: Sendable {
  /// How many characters a pattern may have.
  package static let maximumLength = 1000

  private let regex: Mutex<Regex<AnyRegexOutput>>

  /// - Throws: ``ConditionError`` with code `.pattern`.
  package init(_ pattern: String, caseInsensitive: Bool = false) throws(ConditionError) {
    if let refusal = RegexGuard.refusal(of: pattern) { throw ConditionError(.pattern, refusal) }
    do {
      let compiled = try Regex(pattern)
      regex = Mutex(caseInsensitive ? compiled.ignoresCase() : compiled)
    } catch {
      throw ConditionError(
        .pattern, "The pattern of MATCHES is not a regular expression that Swift can read.")
    }
  }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    // A match that the engine gives up on is none.
    regex.withLock { (try? $0.wholeMatch(in: text)) != nil }
  }
}
