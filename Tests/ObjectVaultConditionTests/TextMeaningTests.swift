import ObjectVaultCondition
import TestSupport
import Testing

@Suite("Searching and comparing text") struct TextMeaningTests {
  @Test(
    "LIKE knows % and _, a backslash and ASCII letters", .covers("X32", "P38"),
    arguments: [
      ("%", "", true), ("%", "abc", true), ("_", "", false), ("_", "é", true),
      ("_", "e\u{301}", false),
      ("__", "e\u{301}", true), ("a%", "Abc", true), ("%C", "abc", true), ("%学伟", "大学伟", true),
      ("%学伟", "学伟大", false), ("É", "é", false), ("a_c", "a😀c", true), ("a\\%", "a%", true),
      ("a\\%", "ab", false), ("a\\_", "a_", true), ("a\\\\", "a\\", true), ("a\\", "a\\", true),
      ("\\a", "A", true), ("a%b%c", "aXbbYc", true), ("a%b%c", "aXcYb", false),
      ("a%%b", "ab", true),
      ("%a%", "bab", true), ("_%_", "a", false), ("_%_", "ab", true), ("a", "a\u{0}", false),
      ("a%", "a\u{0}b", true), ("%b", "a\u{0}b", true), ("%ab", "aab", true),
      ("ab%ab", "ab", false),
      ("ab%ab", "abab", true), ("a_%b", "ab", false), ("%_😀", "a😀", true), ("_😀%", "😀", false),
    ])
  func likeKnowsAndABackslash(
    pattern: String, text: String, expected: Bool
  ) throws {
    #expect(try LikePattern(pattern).matches(text) == expected)
    #expect(
      try holds("string LIKE %@", ["string": .text(text)], .value(.text(pattern), .string))
        == expected)
  }

  @Test("LIKE takes no exponential time") func likeTakesNoExponentialTime() throws {
    let pattern = LikePattern(String(repeating: "%a", count: 200) + "%b")
    #expect(try !pattern.matches(String(repeating: "a", count: 20_000)))
    #expect(
      try !LikePattern(String(repeating: "a%", count: 200))
        .matches(String(repeating: "a", count: 199)))
  }

  @Test("LIKE and CONTAINS take linear time on a long text") func linearTime() throws {
    let text = String(repeating: "a", count: 400_000)
    let part = String(repeating: "a", count: 200_000) + "b"
    #expect(try !LikePattern("%\(part)%").matches(text))
    #expect(try LikePattern("%\(part)%").matches(text + "b"))
    #expect(
      try !holds("string CONTAINS[c] %@", ["string": .text(text)], .value(.text(part), .string)))
  }

  @Test("LIKE ends with an error if a pattern with _ needs too many steps") func tooManySteps()
    throws
  {
    let text = String(repeating: "a", count: 1_000)
    let pattern = LikePattern("%a_aaaaaaab%", maximumSteps: 5_000)
    let error = #expect(throws: ConditionError.self) { try pattern.matches(text) }
    #expect(error?.code == .pattern)
    #expect(try pattern.matches("xx" + "acaaaaaaab"))
  }

  @Test(
    "each operator and option does what it says",
    arguments: [
      ("string CONTAINS ''", "", true), ("string CONTAINS 'b'", "abc", true),
      ("string CONTAINS 'B'", "abc", false), ("string CONTAINS[c] 'B'", "abc", true),
      ("string CONTAINS '%'", "abc", false), ("string CONTAINS 'é'", "e\u{301}", false),
      ("string CONTAINS[d] 'é'", "xe\u{301}", true), ("string CONTAINS[d] 'E'", "é", false),
      ("string CONTAINS[cd] 'E'", "xé", true), ("string BEGINSWITH 'a%'", "a%b", true),
      ("string BEGINSWITH ''", "", true), ("string BEGINSWITH 'ab'", "a", false),
      ("string BEGINSWITH[c] 'AB'", "abc", true), ("string ENDSWITH '\u{0}'", "a\u{0}", true),
      ("string ENDSWITH 'bc'", "abc", true), ("string ENDSWITH 'abc'", "bc", false),
      ("string ENDSWITH[cd] 'CÉ'", "xce", true), ("string LIKE[c] 'É%'", "éa", true),
      ("string LIKE[d] 'É_'", "ea", true), ("string LIKE[cd] 'É_'", "ea", true),
      ("string LIKE[c] '\\%É'", "%é", true), ("string MATCHES 'a+'", "aa", true),
      ("string MATCHES 'a+'", "aab", false), ("string MATCHES[c] 'A+'", "aa", true),
      ("string ==[c] 'straße'", "STRAẞE", true), ("string ==[c] 'strasse'", "straße", false),
      ("string ==[c] 'ı'", "I", false), ("string ==[c] 'İ'", "i", false),
      ("string ==[c] 'σ'", "ς", true),
      ("string ==[cd] 'CAFÉ'", "cafe", true), ("string == 'é'", "e\u{301}", false),
      ("string <[c] 'B'", "a", true), ("string < 'B'", "a", false),
      ("string !=[c] 'A'", "a", false),
      ("'abc' CONTAINS string", "b", true), ("'abc' BEGINSWITH string", "b", false),
      ("'abc' LIKE string", "A%", true), ("string ==[c] ostring", "X", true),
      ("string CONTAINS[c] ostring", "aXb", true),
    ])
  func eachOperatorAndOption(text: String, value: String, expected: Bool)
    throws
  {
    let row: [String: StoredValue] = ["string": .text(value), "ostring": .text("x")]
    #expect(try holds(text, row) == expected)
    #expect(try holds("!(\(text))", row) == !expected)
  }

  @Test(
    "a search in nil does not hold, and its negation does", arguments: TextOperator.allCases,
    ["", "[c]"])
  func aSearchInNil(op: TextOperator, options: String)
    throws
  {
    for pattern in ["''", "'%'"] {
      #expect(try !holds("ostring \(op.rawValue)\(options) \(pattern)", [:]))
      #expect(try holds("!(ostring \(op.rawValue)\(options) \(pattern))", [:]))
    }
    if op != .matches {
      #expect(try !holds("string \(op.rawValue)\(options) ostring", ["string": .text("")]))
    }
  }

  @Test("a UUID is found in any case") func aUUIDIsFoundInAny() throws {
    let row = ["uuid": StoredValue.text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")]
    for text in ["BEGINSWITH '6ba7'", "ENDSWITH '30c8'", "CONTAINS '9dad'", "LIKE '6ba7%'"] {
      #expect(try holds("uuid \(text)", row))
    }
  }

  /// The digest of the simple case folding of Unicode 14 (CaseFolding.txt, statuses C and S) as
  /// Perl's Unicode::UCD gives it: FNV-1a over the pairs that differ, in order.
  @Test("case folding is Unicode's simple folding") func caseFoldingIsUnicodesSimpleFolding() {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    var pairs = 0
    for value in UInt32(0x80)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), Self.isOfUnicode14(scalar) else { continue }
      let folded = SimpleCaseFolding.fold(scalar)
      guard folded != scalar else { continue }
      pairs += 1
      for part in [scalar.value, folded.value] {
        for shift in [0, 8, 16, 24] as [UInt32] {
          digest = (digest ^ UInt64(part >> shift & 0xFF)) &* 0x100_0000_01B3
        }
      }
    }
    #expect(pairs == 1428)
    #expect(digest == 0xF38A_A46F_CA8B_670A)
  }

  private static func isOfUnicode14(_ scalar: Unicode.Scalar) -> Bool {
    guard let age = scalar.properties.age else { return false }
    return age.major <= 14
  }
}
