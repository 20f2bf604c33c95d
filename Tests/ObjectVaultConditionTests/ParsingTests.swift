import ConditionReference
import ObjectVaultCondition
import TestSupport
import Testing

/// The tree of a comparison of a property with an operand.
private func compare(
  _ name: String, _ op: ComparisonOperator, _ right: Operand.Kind, _ options: TextOptions = []
) -> Condition {
  .comparison(
    Comparison(Operand(.path(PropertyPath([name]))), .compare(op, options, Operand(right))))
}

private func property(_ name: String) -> Condition {
  .property(Operand(.path(PropertyPath([name]))))
}

@Suite("Reading condition text", .covers("S32", "S33", "S34", "S38", "D2")) struct ParsingTests {
  @Test(
    "every spelling of a comparison gives its operator",
    arguments: [
      ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less),
      ("<=", .lessOrEqual), ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual),
      ("=>", .greaterOrEqual),
    ] as [(String, ComparisonOperator)])
  func everySpellingOfAComparisonGives(
    spelling: String, op: ComparisonOperator
  ) throws {
    #expect(try Condition.parse("a \(spelling) 1") == compare("a", op, .literal(.integer(1))))
    #expect(try Condition.parse("a\(spelling)1") == compare("a", op, .literal(.integer(1))))
    #expect(
      try Condition.parse("a \(spelling)[cd] 'x'")
        == compare("a", op, .literal(.text("x")), [.caseBlind, .diacriticBlind]))
  }

  @Test(
    "every operator on text takes options and any case", arguments: TextOperator.allCases,
    ["", "[c]", "[D]", "[cd]", "[dc]"])
  func everyOperatorOnTextTakesOptions(
    op: TextOperator, options: String
  ) throws {
    var expected: TextOptions = []
    if options.lowercased().contains("c") { expected.insert(.caseBlind) }
    if options.lowercased().contains("d") { expected.insert(.diacriticBlind) }
    let tree = Condition.comparison(
      Comparison(
        Operand(.path(PropertyPath(["a"]))),
        .text(op, expected, Operand(.literal(.text("x"))))))
    for word in [
      op.rawValue, op.rawValue.lowercased(),
      op.rawValue.prefix(1) + op.rawValue.dropFirst().lowercased(),
    ] {
      #expect(try Condition.parse("a \(word)\(options) 'x'") == tree)
    }
  }

  @Test(
    "AND binds tighter than OR, and NOT tighter than both",
    arguments: [
      ("a || b && c", "a || (b && c)"), ("a && b || c", "(a && b) || c"),
      ("(a || b) && c", "(a || b) && c"), ("a OR b AND NOT c", "a || (b && !c)"),
      ("!a && b", "!a && b"), ("!(a && b)", "!(a && b)"),
      ("a and b or c and d", "(a && b) || (c && d)"),
      ("a && (b && c)", "a && b && c"), ("(a || b) || c", "a || b || c"), ("((a))", "a"),
      ("NOT NOT a", "!!a"), ("!a == 1", "!(a == 1)"), ("not a in {1}", "a NOT IN {1}"),
    ])
  func andBindsTighter(text: String, canonical: String)
    throws
  {
    #expect(try Condition.parse(text).text == canonical)
    #expect(try Condition.parse(text) == Condition.parse(canonical))
  }

  @Test(
    "words, signs and functions have one canonical text", .covers("S69", "S70", "S71", "S72"),
    arguments: [
      ("not a like 'x'", "a NOT LIKE 'x'"), ("a not matches[c] 'x'", "a NOT MATCHES[c] 'x'"),
      ("a !CONTAINS 'x'", "a NOT CONTAINS 'x'"), ("NOT a NOT ENDSWITH 'x'", "!a NOT ENDSWITH 'x'"),
      ("a NOT BETWEEN {1,2}", "a NOT BETWEEN {1, 2}"), ("!(ANY a.b IN {1})", "!(ANY a.b IN {1})"),
      ("a IS NULL", "a == nil"), ("a is not nil", "a != nil"), ("is IS NULL", "is == nil"),
      ("(a) IS NULL && is", "a == nil && is"), ("ANY a.b IS NULL", "ANY a.b == nil"),
      ("((a + b) IS NULL)", "a + b == nil"), ("a == b AND is", "a == b && is"),
      ("-a == 1", "0 - a == 1"), ("-a * b == 1", "(0 - a) * b == 1"), ("- 5 == a", "-5 == a"),
      ("-(a + b) > 1", "0 - (a + b) > 1"), ("a == -(-5)", "a == 5"), ("a == - -.5", "a == 0.5"),
      ("a - -b == 1", "a - (0 - b) == 1"), ("a -1 == -b", "a - 1 == 0 - b"),
      (".5 == a", "0.5 == a"), ("-.5e1 == a", "-0.5e1 == a"), ("+.25 == a", "0.25 == a"),
      ("a == $1 + $0", "a == $1 + $0"),
      ("a IN $0 || b NOT BETWEEN $0", "a IN $0 || b NOT BETWEEN $0"),
      ("a%b%2 == 1", "a % b % 2 == 1"), ("a % (b * 2) == %@", "a % (b * 2) == %@"),
      ("a % %@ == 1", "a % %@ == 1"), ("a %d == 1", "a % d == 1"),
      ("a < NOW ( ) - 1 day", "a < now() - 1 days"), ("a == now()-7 Weeks", "a == now() - 7 weeks"),
      ("a > 'x' + -1.5 hours", "a > 'x' + -1.5 hours"),
      ("a > 'x' - -(2 days)", "a > 'x' - -2 days"),
      ("now == days && length", "now == days && length"), ("`now` < now()", "now < now()"),
      ("UpperCase( a ) contains 'x'", "uppercase(a) CONTAINS 'x'"),
      ("(lowercase(a.b)) == lowercase($n)", "lowercase(a.b) == lowercase($n)"),
      ("a.length*2 > 3", "a.length * 2 > 3"),
    ])
  func canonicalText(text: String, canonical: String) throws {
    #expect(try Condition.parse(text).text == canonical)
    #expect(try Condition.parse(canonical) == Condition.parse(text))
  }

  @Test(
    "literals keep their value",
    arguments: [
      ("1", .integer(1)), ("-1", .integer(-1)), ("+1", .integer(1)), ("007", .integer(7)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("1.50", .number("1.50")), ("-2E+3", .number("-2e+3")), ("9e-2", .number("9e-2")),
      ("'it''s'", .text("it's")), ("\"say \"\"x\"\"\"", .text("say \"x\"")), ("''", .text("")),
      ("'a\u{0}b\n'", .text("a\u{0}b\n")), ("'%@'", .text("%@")), ("\"%@ ' $x\"", .text("%@ ' $x")),
      ("nil", .null), ("NULL", .null), ("Nil", .null), ("TRUE", .bool(true)), ("yes", .bool(true)),
      ("False", .bool(false)), ("NO", .bool(false)), ("x'00fF'", .data([0, 255])),
      ("X''", .data([])),
    ] as [(String, Literal)])
  func literalsKeepTheirValue(text: String, literal: Literal) throws {
    #expect(try Condition.parse("a == \(text)") == compare("a", .equal, .literal(literal)))
    #expect(try Condition.parse("a==\(text)") == compare("a", .equal, .literal(literal)))
  }

  @Test(
    "placeholders say what they take",
    arguments: [
      ("%@", .any), ("?", .any), ("%d", .integer), ("%i", .integer), ("%u", .integer),
      ("%ld", .integer), ("%lld", .integer), ("%lu", .integer), ("%f", .real), ("%lf", .real),
      ("%g", .real), ("%s", .text),
    ] as [(String, ArgumentSpecifier)])
  func placeholdersSayWhatTheyTake(text: String, specifier: ArgumentSpecifier) throws {
    #expect(try Condition.parse("a == \(text)") == compare("a", .equal, .argument(0, specifier)))
  }

  @Test("arguments are numbered in the order of reading") func argumentsAreNumberedInTheOrder()
    throws
  {
    let tree = try Condition.parse("%K == %@ && b IN {?, $x, %d} || c IN %@")
    #expect(tree.argumentCount == 5)
    #expect(tree.text == "(%K == %@ && b IN {%@, $x, %d}) || c IN %@")
    #expect(try Condition.parse("a == $n09 && #in9 == 1").text == "a == $n09 && in9 == 1")
    #expect(tree.shiftingArguments(by: 2).argumentCount == 7)
  }

  @Test(
    "names may be any text, keywords behind # or in back-quotes",
    arguments: [
      ("name", "name"), ("_x9", "_x9"), ("größe", "größe"), ("名前", "名前"), ("😀", "😀"),
      ("#in", "in"), ("`in`", "in"), ("#name", "name"), ("`a ``b```", "a `b`"), ("`a.b`", "a.b"),
      ("x", "x"), ("`1`", "1"), ("nots", "nots"),
    ])
  func namesMayBeAnyTextKeywords(
    text: String, name: String
  ) throws {
    let tree = compare(name, .equal, .literal(.integer(1)))
    #expect(try Condition.parse("\(text) == 1") == tree)
    #expect(try Condition.parse(tree.text) == tree)
  }

  @Test("a property alone, paths, counts and quantifiers are read") func aPropertyAlonePathsCounts()
    throws
  {
    #expect(try Condition.parse("active") == property("active"))
    #expect(
      try Condition.parse("TRUEPREDICATE || falsepredicate")
        == .or([.constant(true), .constant(false)]))
    #expect(
      try Condition.parse("a.b.c.@count > 1")
        == .comparison(
          Comparison(
            Operand(.path(PropertyPath(["a", "b", "c"], aggregate: .count))),
            .compare(.greater, [], Operand(.literal(.integer(1)))))))
    for quantifier in Comparison.Quantifier.allCases {
      #expect(
        try Condition.parse("\(quantifier.rawValue.lowercased()) a.b BETWEEN {1,2}")
          == .comparison(
            Comparison(
              quantifier: quantifier, Operand(.path(PropertyPath(["a", "b"]))),
              .between(.list([Operand(.literal(.integer(1))), Operand(.literal(.integer(2)))])))))
    }
  }

  @Test("lists may be empty, written out or an argument", .covers("P35"))
  func listsMayBeEmptyWrittenOut() throws {
    let left = Operand(.path(PropertyPath(["a"])))
    #expect(try Condition.parse("a IN {}") == .comparison(Comparison(left, .among(.list([])))))
    #expect(
      try Condition.parse("a not in %@")
        == .not(.comparison(Comparison(left, .among(.argument(Operand(.argument(0, .any))))))))
    #expect(
      try Condition.parse("a IN $list")
        == .comparison(Comparison(left, .among(.argument(Operand(.namedArgument("list")))))))
  }
}
