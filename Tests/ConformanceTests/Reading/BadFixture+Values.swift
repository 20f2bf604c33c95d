extension BadFixture {
  /// Values that readers could take for different things, and YAML that only some readers have.
  static let ofValues: [BadFixture] =
    ["yes", "No", "on", "OFF", "y", "null", "~", "012", "0x1F", "0o17", "1_000", "1:30", ".5"]
    .map { .value($0, "\($0) without quotes", says: "readers interpret \($0) differently") }
    + ["1.5", "1e3", "-0.0"]
    .map { .value($0, "the untagged double \($0)", says: "write {double:") }
    + [
      .value(
        "2024-05-01", "a date without quotes", says: "readers interpret 2024-05-01 differently"),
      .value("TRUE", "TRUE", says: "readers interpret TRUE differently"),
      .value(".inf", "an infinity without a tag", says: "readers interpret .inf differently"),
      .value("9007199254740993", "a number beyond 2^53", says: "{int: \"9007199254740993\"}"),
      .value("-9007199254740993", "a number below -2^53", says: "{int: \"-9007199254740993\"}"),
      .value("", "nothing", says: "an empty value is null in YAML"),
      .value("[a]", "a list without a tag", says: "write a list as one value as {list: […]}"),
      .value(
        "{txt: a}", "an unknown tag", says: "'txt' is not a value tag; did you mean 'text'?"),
      .value("{}", "a value of no tag", says: "a tagged value must have one field"),
      .value("{text: a, int: \"1\"}", "two tags", says: "a tagged value must have one field"),
      .value("{nil: false}", "a nil that is none", says: "write no value as {nil: true}"),
      .value("{int: 5}", "a tagged number without quotes", says: "write {int: \"5\"}"),
      .value("{int: \"05\"}", "a number with a zero before it", says: "'05' is not a whole number"),
      .value(
        "{int: \"9223372036854775808\"}", "a number beyond 64 bits",
        says: "'9223372036854775808' is not a whole number of 64 bits", schema: false),
      .value("{double: \"1,5\"}", "a double with a comma", says: "'1,5' is not a double"),
      .value(
        "{double: \"0x1.00000000000001p0\"}", "a hexadecimal double that is none exactly",
        says: "which must be exact", schema: false),
      .value("{double: \"1e999\"}", "a double beyond all", says: "not a double", schema: false),
      .value("{data: \"AAE\"}", "base64 without its padding", says: "'AAE' is not base64"),
      .value("{date: \"today\"}", "a date in words", says: "'today' is not a double"),
      .value("{repeat: a}", "a repetition without a number", says: "lacks 'times'"),
      .value("{repeat: a, times: -1}", "fewer than no times", says: "a whole number from 0"),
      .value(
        "{repeat: abc, times: 9000000}", "a repetition that takes the memory",
        says: "more than 10,000,000 bytes", schema: false),
      .value(
        "{index: 1}", "a number of no list", says: "'index' is only allowed in", schema: false),
      .changing(
        "{stars: 3}", to: "{times: 9000000, of: {stars: 3}}", "a list that takes the memory",
        line: 17, says: "1,000,000 elements", schema: false),
      .changing(
        "{stars: 3}", to: "{times: 2, of: {text: {index: 1, in: note}}}",
        "a text without its number",
        line: 17, says: "has no %"),
      .value("&a second", "an anchor", says: "anchors (&NAME)"),
      .value("*a", "an alias of nothing", says: "undefined alias"),
      .changing(
        "{text: second}, {stars: 3}", to: "&a {text: second}, *a", "an alias", line: 17,
        says: "anchors (&NAME)"),
      .value("!!str 5", "a tag of YAML", says: "YAML tags (!NAME)"),
      .value("! 5", "the tag that is none", says: "YAML tags (!NAME)"),
      .changing(
        "{stars: 3}", to: "{<<: {stars: 3}}", "a merge key", line: 17, says: "merge keys (<<)"),
      .changing(
        "{stars: 3}", to: "{stars: 3, stars: 4}", "a key twice", line: 17,
        says: "the key 'stars' twice"),
      .changing(
        "{Note: 1}", to: "{no: 1}", "an ambiguous key", line: 27,
        says: "interpret the key no differently"),
      .changing(
        "counts: {Note: 1}", to: "? [a]\n      : b", "a list as a key", line: 27,
        says: "a key must be text"),
      .changing(
        "{Note: 1}\n", to: "{Note: 1}\n---\nformat: 1\n", "several documents", line: 28,
        says: "a second document"),
      .changing(
        "{Note: 1}", to: "{Note: 1", "a mapping without its end", line: 28, says: "not YAML"),
      .value("\u{85}", "a line that ends in YAML 1.1 only", says: "U+85"),
      .value("a\u{2028}b", "a line separator", says: "U+2028"),
      .value("\"a\u{1}b\"", "a control character", says: "a control character, U+1"),
      .value("\"\\ud83d\"", "half an emoji", says: "not YAML"),
    ]

  static let all = ofForm + ofSteps + ofValues
}
