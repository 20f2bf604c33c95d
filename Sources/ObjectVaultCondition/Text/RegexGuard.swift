/// Rejects patterns that would crash the regular expression engine.
enum RegexGuard {
  private static let maximumNesting = 50

  /// Returns the reason for rejecting a pattern, or `nil` if the engine can process it.
  static func refusal(of pattern: String) -> String? {
    guard pattern.count <= MatchPattern.maximumLength else {
      return
        "The pattern of MATCHES has more than \(MatchPattern.maximumLength) characters. Use a "
        + "shorter one."
    }
    var nesting = 0
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "(", "[": nesting += 1
      case ")", "]": nesting = max(0, nesting - 1)
      default: break
      }
      if nesting > maximumNesting {
        return
          "The pattern of MATCHES nests groups more than \(maximumNesting) levels deep. Simplify "
          + "it."
      }
    }
    return nil
  }
}
