import ObjectVaultCondition
import TestSupport
import Testing

@Suite("Text that is no condition", .covers("S39")) struct SyntaxErrorTests {
  @Test(
    "is refused with its place",
    arguments: [
      ("", 0, "The condition is empty."),
      ("  ", 2, "The condition is empty."),
      ("a ==", 4, "A property or a value was expected, not the end of the condition."),
      ("a == &", 5, "A single '&' has no meaning; write '&&'."),
      ("a | b", 2, "A single '|' has no meaning; write '||'."),
      ("a b", 2, "AND, OR or the end of the condition was expected, not 'b'."),
      ("a == 1 b", 7, "AND, OR or the end of the condition was expected, not 'b'."),
      ("a == 1)", 6, "No '(' belongs to this ')'."),
      ("(a == 1", 0, "This '(' is never closed."),
      ("(a == 1 }", 8, "AND, OR or ')' was expected, not '}'."),
      ("a == 'x", 5, "The quote that begins this text is never closed."),
      ("`a == 1", 0, "The quote that begins this name is never closed."),
      ("a == x'0", 5, "The quote that begins this data is never closed."),
      ("a == x'0'", 5, "Data is written in pairs of hexadecimal digits, as x'0AFF'."),
      ("a == x'0g'", 8, "Data is written in pairs of hexadecimal digits, as x'0AFF'."),
      (
        "a == 9223372036854775808", 5,
        "This integer is beyond 64 bits; write it with a decimal point to compare it as a number."
      ),
      ("a == 1.", 7, "Digits must follow the decimal point."),
      ("a == 1e", 7, "Digits must follow the exponent's 'e'."),
      ("a == -", 5, "A number must follow the sign."),
      ("a == 5x", 6, "A number runs into a name here; put a space or a quote."),
      ("a == %q", 5, "A placeholder is %@, or %K for the name of a property."),
      ("a ==[x] 'b'", 4, "The options of a comparison are [c], [d] and [cd]."),
      ("a ==[] 'b'", 4, "The options of a comparison are [c], [d] and [cd]."),
      ("a == @sum", 5, "A property or a value was expected, not '@sum'."),
      ("a.@size == 1", 2, "'@' begins only @count, @min, @max, @avg and @sum."),
      ("a.@Count == 1", 2, "'@' begins only @count, @min, @max, @avg and @sum."),
      ("a.@count.b == 1", 8, "Nothing can follow '@count'."),
      ("a.@min.b.@max == 1", 9, "A path has one aggregate at most."),
      ("a.@min. == 1", 8, "A name was expected after '.', not '=='."),
      ("a == $", 6, "A name must follow '$'."),
      ("# == 1", 1, "A name must follow '#'."),
      ("a == \u{1}", 5, "This character has no meaning in a condition outside quotes."),
      ("a; DROP", 1, "This character has no meaning in a condition outside quotes."),
      (
        "in == 1", 0,
        "A property or a value was expected, not IN. A property of that name is written #name or in back-quotes."
      ),
      ("a.in == 1", 2, "A name was expected after '.', not IN."),
      ("a. == 1", 3, "A name was expected after '.', not '=='."),
      ("a BETWEEN {1}", 10, "BETWEEN takes two bounds: {lowest, highest}."),
      (
        "a BETWEEN 1", 10,
        "A list in braces was expected, such as {1, 2}, or %@, not a number."
      ),
      ("a IN {1, 2", 5, "This '{' is never closed."),
      ("a IN {1 2}", 8, "',' or '}' was expected, not a number."),
      ("a IN (1)", 5, "A list in braces was expected, such as {1, 2}, or %@, not '('."),
      ("a NOT LIKE 'x'", 6, "IN was expected after NOT, not LIKE."),
      ("ANY a NOT IN {1}", 6, "NOT IN cannot follow ANY; put NOT before ANY."),
      ("ANY a", 5, "An operator such as == was expected, not the end of the condition."),
      ("TRUE", 0, "A value alone is not a condition; write TRUEPREDICATE."),
      ("'a'", 3, "An operator such as == was expected, not the end of the condition."),
      ("größe = 'x' ß ß", 14, "AND, OR or the end of the condition was expected, not 'ß'."),
    ])
  func isRefusedWithItsPlace(text: String, offset: Int, message: String) {
    let error = #expect(throws: ConditionError.self) { try Condition.parse(text) }
    #expect(error?.code == .syntax)
    #expect(error?.message == message)
    #expect(error?.offset == offset)
  }

  @Test(
    "of other query languages is answered with what to write instead",
    arguments: [
      ("a IN [1,2,3]", 5, "A list is written in braces: {1, 2, 3}, not in '['."),
      ("a BETWEEN [1,2]", 10, "A list is written in braces: {1, 2, 3}, not in '['."),
      (
        "TRUEPREDICATE SORT(a ASC)", 14,
        "AND, OR or the end of the condition was expected, not 'SORT'. A condition only chooses "
          + "objects; sort, limit and group the query."
      ),
      (
        "a == 1 ORDER BY a", 7,
        "AND, OR or the end of the condition was expected, not 'ORDER'. A condition only chooses "
          + "objects; sort, limit and group the query."
      ),
      (
        "a IS NULL", 2,
        "An operator such as == was expected, not 'IS'. Write == nil or != nil."
      ),
      (
        "a IS NOT NULL", 2,
        "An operator such as == was expected, not 'IS'. Write == nil or != nil."
      ),
      (
        "a > now()", 4,
        "There is no function 'now'. Pass a date as an argument, or write it as text, such as "
          + "'2024-01-01T00:00:00Z'."
      ),
      (
        "a > now() - 7 * 86400", 4,
        "There is no function 'now'. Pass a date as an argument, or write it as text, such as "
          + "'2024-01-01T00:00:00Z'."
      ),
      (
        "SUBQUERY(students, $s, $s.age > 5).@count > 0", 0,
        "There is no function 'SUBQUERY'. Write ANY students (students.age > 5), or compare "
          + "students.@count."
      ),
      (
        "lower(a) == 'x'", 0,
        "There is no function 'lower'. Compare without case with ==[c] or CONTAINS[c]."
      ),
      (
        "a == length(b)", 5,
        "There is no function 'length'. Calculate the value before and pass it as an argument."
      ),
      (
        "a == $0", 6,
        "A name must follow '$', not a number. Arguments are not numbered: write %@ for each, in "
          + "order, or $name."
      ),
      (
        "i % 2 == 0", 2,
        "There is no operator '%', which begins placeholders such as %@. Calculate the remainder "
          + "of integers as a - a / 2 * 2."
      ),
      (
        "a ILIKE 'x'", 2,
        "An operator such as == was expected, not 'ILIKE'. Write LIKE, which ignores the case of "
          + "A-Z, or CONTAINS[c]."
      ),
      (
        "a == 1 \(String(repeating: "b", count: 50))", 7,
        "AND, OR or the end of the condition was expected, not "
          + "'\(String(repeating: "b", count: 40))…'."
      ),
    ])
  func ofOtherLanguages(text: String, offset: Int, message: String) {
    let error = #expect(throws: ConditionError.self) { try Condition.parse(text) }
    #expect(error?.code == .syntax)
    #expect(error?.message == message)
    #expect(error?.offset == offset)
  }

  @Test("is shown with a caret below the place") func isShownWithACaretBelow() {
    let error = #expect(throws: ConditionError.self) {
      try Condition.parse("größe = 1 &&\n\tâge ==  )  &&\nx")
    }
    #expect(error?.excerpt == " âge ==  )  &&\n         ^")
  }

  @Test("is shown in part where the line is long") func isShownInPart() {
    let text =
      "a == 1 && " + String(repeating: "b == 2 && ", count: 20) + ") "
      + String(repeating: "c", count: 90)
    let error = #expect(throws: ConditionError.self) { try Condition.parse(text) }
    let lines = error?.excerpt.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    #expect(lines.count == 2 && lines[0].hasPrefix("…") && lines[0].hasSuffix("…"))
    #expect(lines[0].count == 82 && lines[1].count == 42 && lines[1].hasSuffix("^"))
  }

  @Test("is refused beyond 64 KiB") func isRefusedBeyond64KiB() throws {
    let longest = "a == '" + String(repeating: "x", count: 65_536 - 7) + "'"
    #expect(throws: Never.self) { try Condition.parse(longest) }
    let error = #expect(throws: ConditionError.self) { try Condition.parse(longest + " ") }
    #expect(error?.code == .limit)
  }

  @Test(
    "is refused beyond a depth of 200, however deep it goes",
    arguments: ["!", "NOT ", "(", "!(", "((!"])
  func isRefusedBeyondADepth(opening: String) throws {
    let levels = opening.filter { "!(N".contains($0) }.count
    let closing = String(repeating: ")", count: opening.filter { $0 == "(" }.count)
    func nested(_ count: Int) -> String {
      String(repeating: opening, count: count) + "a" + String(repeating: closing, count: count)
    }
    #expect(throws: Never.self) { try Condition.parse(nested(200 / levels)) }
    for count in [200 / levels + 1, 5_000] {
      let error = #expect(throws: ConditionError.self) { try Condition.parse(nested(count)) }
      #expect(error?.code == .limit)
    }
  }
}
