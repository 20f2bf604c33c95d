import ObjectVaultCondition
import TestSupport
import Testing

@Suite("Text that is no condition", .covers("S39")) struct SyntaxErrorTests {
  @Test(
    "is refused with its place",
    arguments: [
      ("", 0, "The condition is empty. Write a comparison, or TRUEPREDICATE for all objects."),
      ("  ", 2, "The condition is empty. Write a comparison, or TRUEPREDICATE for all objects."),
      ("a ==", 4, "Expected a property or a value, but found the end of the condition."),
      ("a == &", 5, "A single '&' has no meaning. Write '&&'."),
      ("a | b", 2, "A single '|' has no meaning. Write '||'."),
      ("a b", 2, "Expected AND, OR or the end of the condition, but found 'b'."),
      ("a == 1 b", 7, "Expected AND, OR or the end of the condition, but found 'b'."),
      ("a == 1)", 6, "This ')' has no matching '('. Remove it, or add a '('."),
      ("(a == 1", 0, "This '(' has no matching ')'. Add one."),
      ("(a == 1 }", 8, "Expected AND, OR or ')', but found '}'."),
      ("a == 'x", 5, "The closing quote of this text is missing. Add it."),
      ("`a == 1", 0, "The closing quote of this name is missing. Add it."),
      ("a == x'0", 5, "The closing quote of this data is missing. Add it."),
      ("a == x'0'", 5, "The data is not pairs of hexadecimal digits. Write it like x'0AFF'."),
      ("a == x'0g'", 8, "The data is not pairs of hexadecimal digits. Write it like x'0AFF'."),
      (
        "a == 9223372036854775808", 5,
        "The integer is beyond 64 bits. Write it with a decimal point to compare it as a number."
      ),
      ("a == 1.", 7, "Digits are missing after the decimal point. Write at least one."),
      ("a == 1e", 7, "Digits are missing after the exponent's 'e'. Write at least one."),
      ("a == -", 6, "Expected a property or a value, but found the end of the condition."),
      ("a == +", 5, "A number is missing after the sign. Write one."),
      ("a == +b", 5, "A number is missing after the sign. Write one."),
      (
        "a == --b", 5,
        "'--' does not begin a comment. Write a space between two minus signs."
      ),
      ("a == .", 5, "Expected a property or a value, but found '.'."),
      ("a == 5x", 6, "A name directly follows a number. Write a space or a quote between them."),
      (
        "a == %q", 5,
        "The placeholder is unknown. Write %@ for a value, or %K for the name of a property."
      ),
      ("a ==[x] 'b'", 4, "The options of a comparison are invalid. Use [c], [d] or [cd]."),
      ("a ==[] 'b'", 4, "The options of a comparison are invalid. Use [c], [d] or [cd]."),
      ("a == @sum", 5, "Expected a property or a value, but found '@sum'."),
      ("a.@size == 1", 2, "'@' begins only an aggregate. Write @count, @min, @max, @avg or @sum."),
      ("a.@Count == 1", 2, "'@' begins only an aggregate. Write @count, @min, @max, @avg or @sum."),
      ("a.@count.b == 1", 8, "'@count' ends its path. Remove the rest of the path."),
      ("a.@min.b.@max == 1", 9, "The path has more than one aggregate. Remove all but one."),
      ("a.@min. == 1", 8, "Expected a name after '.', but found '=='."),
      ("a == $", 6, "A name is missing after '$'. Write one."),
      (
        "a == $1", 5,
        "The condition uses $1 but not $0. Number the arguments from $0 without gaps."
      ),
      (
        "a IN {$4, $0, $1}", 6,
        "The condition uses $4 but not $2. Number the arguments from $0 without gaps."
      ),
      (
        "a == $99999", 6,
        "The number of the argument is too large. Number the arguments from $0 without gaps."
      ),
      (
        "a == $0 && b == %@", 16,
        "The condition mixes placeholders with and without numbers. Number all of them, such as "
          + "$0 and $1, or none."
      ),
      (
        "a == ? && b == $0", 15,
        "The condition mixes placeholders with and without numbers. Number all of them, such as "
          + "$0 and $1, or none."
      ),
      ("a == $:", 6, "A name is missing after '$'. Write one."),
      ("# == 1", 1, "A name is missing after '#'. Write one."),
      (
        "a == \u{1}", 5,
        "The character has no meaning outside quotes. Remove it, or quote the text."
      ),
      ("a; DROP", 1, "The character has no meaning outside quotes. Remove it, or quote the text."),
      (
        "in == 1", 0,
        "Expected a property or a value, but found IN. Write a property of that name as #name or "
          + "in back-quotes."
      ),
      ("a.in == 1", 2, "Expected a name after '.', but found IN."),
      ("a. == 1", 3, "Expected a name after '.', but found '=='."),
      ("a BETWEEN {1}", 10, "BETWEEN needs two bounds. Write {lowest, highest}."),
      (
        "a BETWEEN 1 AND 2", 10,
        "Expected a list in braces or %@, but found a number. Write BETWEEN {lowest, highest}."
      ),
      ("a IN {1, 2", 5, "This '{' has no matching '}'. Add one."),
      ("a IN {1 2}", 8, "Expected ',' or '}', but found a number."),
      (
        "a IN (1)", 5, "Expected a list in braces or %@, but found '('. Write IN {1, 2}."
      ),
      (
        "a NOT == 'x'", 6,
        "Expected IN, BETWEEN or an operator on text after NOT, but found '=='. Write NOT before "
          + "the property."
      ),
      (
        "a NOT", 5,
        "Expected IN, BETWEEN or an operator on text after NOT, but found the end of the "
          + "condition. Write NOT before the property."
      ),
      ("ANY a NOT IN {1}", 6, "NOT cannot follow ANY and its path. Write NOT before ANY."),
      ("ALL a NOT LIKE 'x'", 6, "NOT cannot follow ALL and its path. Write NOT before ALL."),
      (
        "a IS TRUE", 5,
        "IS tests only for nil, but found TRUE. Write IS NULL, IS NOT NULL, or an operator such "
          + "as ==."
      ),
      (
        "a IS NOT 5", 9,
        "IS tests only for nil, but found a number. Write IS NULL, IS NOT NULL, or an operator "
          + "such as ==."
      ),
      ("a `is` NULL", 2, "Expected AND, OR or the end of the condition, but found 'is'."),
      ("a > now(1)", 8, "Expected ')', but found a number."),
      ("a > now(", 7, "This '(' has no matching ')'. Add one."),
      (
        "a > now() - 1 month", 14,
        "Months and years have different lengths. Write a number of days, or pass the date as an "
          + "argument."
      ),
      ("a > 7days", 5, "A name directly follows a number. Write a space or a quote between them."),
      ("lowercase(a == 'x'", 12, "Expected ')', but found '=='."),
      ("ANY a", 5, "Expected an operator such as ==, but found the end of the condition."),
      ("TRUE", 0, "A value alone is not a condition. Write TRUEPREDICATE."),
      ("'a'", 3, "Expected an operator such as ==, but found the end of the condition."),
      ("größe = 'x' ß ß", 14, "Expected AND, OR or the end of the condition, but found 'ß'."),
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
      ("a IN [1,2,3]", 5, "'[' does not begin a list. Write a list in braces: {1, 2, 3}."),
      ("a BETWEEN [1,2]", 10, "'[' does not begin a list. Write a list in braces: {1, 2, 3}."),
      (
        "TRUEPREDICATE SORT(a ASC)", 14,
        "Expected AND, OR or the end of the condition, but found 'SORT'. A condition only selects "
          + "objects. Sort, limit and group the query."
      ),
      (
        "a == 1 ORDER BY a", 7,
        "Expected AND, OR or the end of the condition, but found 'ORDER'. A condition only selects "
          + "objects. Sort, limit and group the query."
      ),
      (
        "a ISNULL", 2,
        "Expected an operator such as ==, but found 'ISNULL'. Write IS NULL or IS NOT NULL."
      ),
      (
        "a > date('now')", 4,
        "The function 'date' does not exist. Write now(), a date as text such as '2024-01-01', or "
          + "pass a date as an argument."
      ),
      (
        "CAST(a) == 'x'", 0,
        "The function 'CAST' does not exist. Every value is compared as a value of the property's "
          + "type. Remove the conversion."
      ),
      (
        "coalesce(a, b) > 3", 0,
        "The function 'coalesce' does not exist. Write the cases as conditions, such as (a != nil "
          + "&& a > 3) || (a == nil && b > 3)."
      ),
      (
        "CASE WHEN a THEN b END", 5,
        "Expected AND, OR or the end of the condition, but found 'WHEN'. Write the cases as "
          + "conditions, such as (a && b) || (!a && c)."
      ),
      (
        "EXISTS(a)", 0,
        "The function 'EXISTS' does not exist. Write ANY students (students.age > 5)."
      ),
      (
        "a ==[cn] 'x'", 4,
        "The options of a comparison are invalid. Use [c], [d] or [cd]. [n] is unnecessary, "
          + "because texts always compare by their bytes."
      ),
      (
        "a LIKE[l] 'x'", 6,
        "The options of a comparison are invalid. Use [c], [d] or [cd]. [l] does not exist, "
          + "because a locale would change the result."
      ),
      (
        "a MATCHES[i] 'x'", 9,
        "The options of a comparison are invalid. Use [c], [d] or [cd]. [c] ignores case."
      ),
      (
        "a MATCHES /x/i", 10,
        "Expected a property or a value, but found '/'. Write a regular expression as text, such "
          + "as MATCHES '(?i)a.*'."
      ),
      (
        "a =~ 'x'", 3,
        "The character has no meaning outside quotes. Write MATCHES for a regular expression."
      ),
      (
        "a LIKE 'x' ESCAPE '!'", 11,
        "Expected AND, OR or the end of the condition, but found 'ESCAPE'. LIKE always escapes "
          + "with a backslash."
      ),
      (
        "a == 'x' COLLATE NOCASE", 9,
        "Expected AND, OR or the end of the condition, but found 'COLLATE'. Write an option after "
          + "the operator, such as ==[c]."
      ),
      (
        "SUBQUERY(students, $s, $s.age > 5) > 0", 35,
        "A SUBQUERY is counted. Write .@count after its parentheses. To compare other values, write "
          + "ANY students (students.age > 5)."
      ),
      (
        "lower(a) == 'x'", 0,
        "The function 'lower' does not exist. Write lowercase(name) or uppercase(name), or compare "
          + "case-insensitively with ==[c]."
      ),
      (
        "a == length(b)", 5,
        "The function 'length' does not exist. Write .length after the property, such as "
          + "name.length."
      ),
      (
        "a == `now`()", 5,
        "The function 'now' does not exist. Calculate the value first and pass it as an argument."
      ),
      (
        "i MOD 2 == 0", 2,
        "Expected an operator such as ==, but found 'MOD'. Write % for the remainder of integers."
      ),
      (
        "a %@", 2,
        "The placeholder follows a value directly. Write an operator such as == between them."
      ),
      (
        "a ILIKE 'x'", 2,
        "Expected an operator such as ==, but found 'ILIKE'. Write LIKE, which ignores the case of "
          + "A-Z, or CONTAINS[c]."
      ),
      (
        "a == 1 \(String(repeating: "b", count: 50))", 7,
        "Expected AND, OR or the end of the condition, but found "
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
