import ObjectVaultCondition
import TestSupport
import Testing

@Suite("The patterns of MATCHES", .covers("S39")) struct MatchPatternTests {
  @Test(
    "take no exponential time",
    arguments: [
      "(a+)+", "(a*)*b", "(a|aa)+$", "(a|a?)+c", "a*a*a*a*a*a*a*b", "(.*a){12}c", "(?i)(A+)+c",
      "(\\w+\\s?)*c", "((a{1,9}){1,9}){1,9}c", "(a+)+\\b.c",
    ])
  func takeNoExponentialTime(pattern: String) throws {
    let pattern = try MatchPattern(pattern)
    for text in ["aaaaaaaaaaaaaaaaaaaaaaaa!", String(repeating: "a", count: 20_000) + "!"] {
      // Swift's engine would take years.
      #expect(try !pattern.matches(text))
    }
  }

  @Test(
    "that cannot be matched in bounded time, or are written out too large, are rejected",
    arguments: [
      "(a)\\1", "(?<n>a)\\k<n>", "(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(?>a)", "a++",
      "(?x)a", "(?(1)a|b)", "a(*FAIL)", "(a{900}){900}", "\\Ka", "[]a]",
    ])
  func areRejected(pattern: String) {
    let error = #expect(throws: ConditionError.self) { try MatchPattern(pattern) }
    #expect(error?.code == .pattern)
    #expect(
      error?.message.hasPrefix("MATCHES does not support ") == true
        || error?.message.hasPrefix("The pattern of MATCHES ") == true)
  }

  @Test(
    "match only the empty text if they repeat nothing, and take no time to compile",
    .timeLimit(.minutes(1)),
    arguments: [
      "((((){1000}){1000}){1000}){1000}", "(((((?:){1000}){1000}){1000}){1000}){1000}",
      "((((a{0}){1000}){1000}){1000}){1000}",
    ])
  func repeatNothing(pattern: String) throws {
    let pattern = try MatchPattern(pattern)
    #expect(try pattern.matches(""))
    #expect(try !pattern.matches("a"))
  }

  @Test("say what they may have instead") func sayWhatTheyMayHave() {
    let error = #expect(throws: ConditionError.self) { try MatchPattern("(?=a)b") }
    #expect(
      error?.message
        == "MATCHES does not support lookaround, atomic groups and conditions such as (?=…). Use "
        + "characters, classes such as [a-z] and \\d, groups, |, the repetitions *, +, ? and "
        + "{n,m}, and the anchors ^, $ and \\b.")
  }

  @Test("take at most so many steps, and then fail") func takeAtMostSoManySteps() throws {
    let pattern = try MatchPattern("(é?){1000}x", maximumSteps: 100_000)
    let text = String(repeating: "é", count: 1_000)
    let error = #expect(throws: ConditionError.self) { try pattern.matches(text) }
    #expect(error?.code == .pattern)
  }

  @Test("match the same texts as Swift's engine") func matchTheSame() throws {
    var random = SeededGenerator(for: "patterns")
    var generator = PatternGenerator(random)
    var matched = 0
    var differences: [String] = []
    for _ in 0..<3_000 {
      let text = generator.pattern(depth: 2)
      guard let regex = try? Regex(text) else { continue }
      let ignoresCase = Bool.random(using: &random)
      let pattern = try MatchPattern(text, caseInsensitive: ignoresCase)
      for _ in 0..<4 {
        let word = generator.word()
        let expected = try (ignoresCase ? regex.ignoresCase() : regex).wholeMatch(in: word) != nil
        if expected { matched += 1 }
        if try pattern.matches(word) != expected {
          differences.append("\(text) \(word.debugDescription) \(expected)")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(5))")
    #expect(matched > 300)
  }
}

/// Patterns that Swift's engine matches short words with in short time.
private struct PatternGenerator {
  private static let elements = [
    "a", "b", "é", "e\u{301}", "\\d", "\\w", "\\s", ".", "[a-c]", "[^a]", "\\p{L}", "\\x61",
    "\\u{e9}", "^", "$", "\\b", "\\B", "\\A", "\\z", "\\.", "[[:alpha:]]", "[a-z&&[^b]]", "ß",
    "\\R", "\\h", "-", "(?i)", "\\Qa.\\E", "\\N", "\\X", "😀",
  ]
  private static let characters = [
    "a", "b", "é", "e\u{301}", "1", " ", ".", "-", "ß", "A", "\r\n", "\n", "😀", "_", "ab", "",
    "\u{301}",
  ]
  private static let repetitions = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "*?", "{0}", "{1,}"]
  private static let groups = ["(", "(?:", "(?i:", "(?<x>", "(?s:", "(?m:"]

  private var random: SeededGenerator

  init(_ random: SeededGenerator) { self.random = random }

  mutating func word() -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(Self.characters) }.joined()
  }

  mutating func pattern(depth: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      if depth > 0, Int.random(in: 0..<4, using: &random) == 0 {
        let both = Bool.random(using: &random)
        text += random.pick(Self.groups) + pattern(depth: depth - 1)
        text += (both ? "|" + pattern(depth: depth - 1) : "") + ")"
      } else {
        text += random.pick(Self.elements)
      }
      if Int.random(in: 0..<3, using: &random) == 0 { text += random.pick(Self.repetitions) }
    }
    return text
  }
}
