/// Keeps patterns away from the regular expression engine that it would not survive.
enum RegexGuard {
  private static let maximumNesting = 50

  /// Why a pattern is refused, or `nil` where the engine may read it.
  static func refusal(of pattern: String) -> String? {
    guard pattern.count <= MatchPattern.maximumLength else {
      return "The pattern of MATCHES has more than \(MatchPattern.maximumLength) characters."
    }
    var nesting = 0
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "(", "[": nesting += 1
      case ")", "]": nesting = max(0, nesting - 1)
      default: break
      }
      if nesting > maximumNesting {
        return "The pattern of MATCHES nests groups more than \(maximumNesting) deep."
      }
    }
    return nil
  }
}
