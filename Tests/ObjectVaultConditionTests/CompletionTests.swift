import ObjectVaultCondition
import Testing

@Suite("Completion of conditions") struct CompletionTests {
  @Test(
    "The kind of word that can follow a text",
    arguments: [
      ("", .subject), ("na", .subject), ("NOT ", .subject), ("(", .subject), ("ANY ", .subject),
      ("name ", .comparison), ("name NOT ", .comparison), ("a.b ", .comparison),
      ("a + b ", .comparison), ("(a + b) ", .comparison), ("name BEG", .comparison),
      ("name == ", .value), ("name ==", .value), ("name == o", .value),
      ("name BEGINSWITH[c] ", .value), ("age BETWEEN {1, ", .value), ("age IN {", .value),
      ("name == 'x' ", .connective), ("name == 'x' A", .connective), ("age IN {1} ", .connective),
      ("(name == 'x') ", .connective), ("TRUEPREDICATE ", .connective),
      ("at > now() - 7 days ", .connective), ("a == 1 && ", .subject),
      ("a == 1 OR b ", .comparison),
      ("ANY s (", .subject), ("ANY s (a == 1) ", .connective),
    ] as [(String, ConditionCompletion.Expected)])
  func expected(text: String, expected: ConditionCompletion.Expected) {
    #expect(ConditionCompletion(text).expected == expected)
  }

  @Test(
    "Nothing follows inside quotes, directly after a value, or after a mistake",
    arguments: ["name == 'x", "name == 'x'", "age > 1", "a == 1 & ", "a.b == 'x' && c ~ "])
  func nothing(text: String) {
    let completion = ConditionCompletion(text)
    #expect(completion.expected == nil)
    #expect(completion.words.isEmpty)
  }

  @Test("The path before a word and the offset of the word are found")
  func paths() {
    let plain = ConditionCompletion("é == 1 && room.school.na")
    #expect(plain.path == ["room", "school"])
    #expect(plain.prefix == "na")
    #expect(plain.start == "é == 1 && room.school.".utf8.count)
    let empty = ConditionCompletion("ANY `a b`.")
    #expect(empty.path == ["a b"] && empty.prefix.isEmpty)
    let aggregate = ConditionCompletion("seats.@co")
    #expect(aggregate.path == ["seats"] && aggregate.prefix == "@co" && aggregate.start == 6)
    #expect(ConditionCompletion("nam").prefix == "nam")
  }

  @Test("Any text is completed without a trap")
  func anyText() {
    let parts = [
      "a", ".", "(", ")", " ", "'", "@", "AND", "{", "}", "==", "NOT", "\u{1F600}", "%@", "`",
    ]
    for first in parts {
      for second in parts {
        for third in parts { _ = ConditionCompletion(first + second + third).words }
      }
    }
  }
}
