import ObjectVaultCondition
import TestSupport
import Testing

@Suite("The meaning of conditions", .covers("S33", "S35", "D3", "P35")) struct EvaluationTests {
  /// For every family that has an order: a low, a middle and a high value, stored and written.
  static let ordered: [(name: String, stored: [StoredValue], written: [String])] = [
    ("obool", [.integer(0), .integer(1), .integer(1)], ["FALSE", "TRUE", "TRUE"]),
    (
      "oint64", [.integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(.max)],
      ["9007199254740992", "9007199254740993", "9223372036854775807"]
    ),
    ("odouble", [.real(-.infinity), .real(0.1), .real(.infinity)], ["-1e308", "0.1", "1e308"]),
    ("ostring", [.text("Z"), .text("a"), .text("a\u{0}")], ["'Z'", "'a'", "'a\u{0}'"]),
    (
      "odate", [.real(-1), .real(0), .real(0.000001)], ["-1", "'1970-01-01T00:00:00Z'", "0.000001"]
    ),
    ("odecimal", [.text("9"), .text("10"), .text("10.5")], ["9", "10.0", "'10.50'"]),
    (
      "ouuid",
      [
        .text("00000000-0000-0000-0000-000000000000"),
        .text("A0000000-0000-0000-0000-000000000000"),
        .text("B0000000-0000-0000-0000-000000000000"),
      ],
      [
        "'00000000-0000-0000-0000-000000000000'", "'a0000000-0000-0000-0000-000000000000'",
        "'b0000000-0000-0000-0000-000000000000'",
      ]
    ),
    ("ourl", [.text("a:"), .text("b:"), .text("c:")], ["'a:'", "'b:'", "'c:'"]),
  ]

  @Test(
    "every order holds as it should, and never for nil", arguments: Array(0..<8),
    ComparisonOperator.allCases)
  func everyOrderHoldsAsItShould(index: Int, op: ComparisonOperator)
    throws
  {
    let (name, stored, written) = Self.ordered[index]
    for row in 0..<3 where name != "obool" || row < 2 {
      let expected = op.holds(row - 1)
      let text = "\(name) \(op.rawValue) \(written[1])"
      #expect(try holds(text, [name: stored[row]]) == expected, "\(text), row \(row)")
      #expect(try holds("!(\(text))", [name: stored[row]]) == !expected)
      #expect(
        try holds("\(written[1]) \(op.mirrored.rawValue) \(name)", [name: stored[row]]) == expected)
    }
    let ofNil = op == .notEqual
    #expect(try holds("\(name) \(op.rawValue) \(written[1])", [:]) == ofNil)
    #expect(try holds("!(\(name) \(op.rawValue) \(written[1]))", [:]) == !ofNil)
  }

  @Test("nil equals nil and nothing else, for every type", arguments: PropertyType.allCases)
  func nilEqualsNilAndNothingElse(type: PropertyType) throws {
    let name = "o" + type.rawValue.lowercased()
    let value: StoredValue =
      switch type.columnType {
      case "INTEGER": .integer(1)
      case "REAL": .real(1)
      case "BLOB": .blob([1])
      default: .text("1")
      }
    let twin = type.rawValue.lowercased()
    for (row, isNil) in [([String: StoredValue](), true), ([name: value, twin: value], false)] {
      #expect(try holds("\(name) == nil", row) == isNil)
      #expect(try holds("\(name) != NULL", row) == !isNil)
      #expect(try holds("%@ == \(name)", row, .null) == isNil)
      #expect(try holds("\(name) IN {nil}", row) == isNil)
      #expect(try holds("\(name) NOT IN {nil}", row) == !isNil)
      #expect(try holds("\(name) IN {}", row) == false)
      #expect(try holds("\(name) NOT IN {}", row))
      #expect(try holds("\(name) == \(twin)", row))
      #expect(try !holds("\(name) != \(twin)", row))
    }
    #expect(try !holds("\(name) == \(twin)", [twin: value]))
    #expect(try holds("\(name) != \(twin)", [twin: value]))
  }

  @Test(
    "integers compare exactly with any number", .covers("S38"),
    arguments: [
      ("int > 18.5", 18, false), ("int > 18.5", 19, true), ("int >= 18.5", 18, false),
      ("int < 18.5", 18, true), ("int <= -18.5", -18, false), ("int <= -18.5", -19, true),
      ("int == 18.5", 18, false), ("int != 18.5", 18, true),
      ("int < 1e300", .max, true), ("int > 1e300", .max, false), ("int > -1e300", .min, true),
      ("int < 9223372036854775808.0", .max, true), ("int >= -9223372036854775808.0", .min, true),
      ("int > 9007199254740992.5", 9_007_199_254_740_993, true),
      ("int <= 9007199254740992.5", 9_007_199_254_740_993, false),
    ] as [(String, Int64, Bool)])
  func integersCompareExactlyWithAnyNumber(text: String, value: Int64, expected: Bool) throws {
    #expect(try holds(text, ["int": .integer(value)]) == expected)
  }

  @Test(
    "doubles compare exactly with integers",
    arguments: [
      ("double < 9007199254740993", 0x1p53, true), ("double >= 9007199254740993", 0x1p53, false),
      ("double == 9007199254740993", 0x1p53, false),
      ("double > 9007199254740993", 0x1p53 + 2, true),
      ("double <= 9223372036854775807", 0x1p63, false),
      ("double < 9223372036854775807", 0x1p63.nextDown, true),
      ("double == int", 0x1p53, false), ("double < int", 0x1p53, true),
      ("int > double", 0x1p53, true),
    ] as [(String, Double, Bool)])
  func doublesCompareExactlyWithIntegers(text: String, value: Double, expected: Bool) throws {
    let row: [String: StoredValue] = ["double": .real(value), "int": .integer((1 << 53) + 1)]
    #expect(try holds(text, row) == expected)
  }

  @Test("composites and data are equal when their stored form is", .covers("S37"))
  func compositesAndDataAreEqualWhen() throws {
    let list = ConditionArgument.composite(members: nil, json: { "[\"array1\",\"array2\"]" })
    #expect(try holds("json == %@", ["json": .text("[\"array1\",\"array2\"]")], list))
    #expect(try !holds("json == %@", ["json": .text("[\"array2\",\"array1\"]")], list))
    #expect(try holds("json IN {%@}", ["json": .text("[\"array1\",\"array2\"]")], list))
    #expect(try holds("data == x'01'", ["data": .blob([1])]))
    #expect(try holds("data IN {x'01', x''}", ["data": .blob([])]))
  }

  @Test("BETWEEN includes both ends, and reversed bounds hold nothing")
  func betweenIncludesBothEndsAndReversed() throws {
    for (value, inside) in [(4, false), (5, true), (6, true), (7, true), (8, false)]
      as [(Int64, Bool)]
    {
      let row: [String: StoredValue] = ["oint": .integer(value), "int": .integer(7)]
      #expect(try holds("oint BETWEEN {5, 7}", row) == inside)
      #expect(try holds("oint BETWEEN {5, int}", row) == inside)
      #expect(try !holds("oint BETWEEN {7, 5}", row))
      let bounds = ConditionArgument.composite(
        members: [.value(.integer(5), .int), .value(.integer(7), .int)], json: { "" })
      #expect(try holds("oint BETWEEN %@", row, bounds) == inside)
    }
    #expect(try !holds("oint BETWEEN {5, 7}", [:]))
    #expect(try holds("!(oint BETWEEN {5, 7})", [:]))
  }

  @Test("IN takes values, properties, nil and whole lists") func inTakesValuesPropertiesNil() throws
  {
    let row: [String: StoredValue] = ["int": .integer(3), "oint8": .integer(3)]
    #expect(try holds("int IN {1, '3', 2.5}", row))
    #expect(try holds("int IN {1, oint8}", row))
    #expect(try !holds("int IN {1, oint16}", row))
    #expect(try holds("oint16 IN {1, oint32}", row))
    let list = ConditionArgument.composite(
      members: [.value(.integer(3), .int), .null], json: { "" })
    #expect(try holds("int IN %@ && oint32 IN %@", row, list, list))
    #expect(try !holds("int NOT IN %@", row, list))
  }

  @Test("OR inside parentheses does not escape AND", .covers("S34", "X34"))
  func orInsideParenthesesDoesNotEscape() throws {
    let row: [String: StoredValue] = ["int": .integer(2), "bool": .integer(0)]
    #expect(try !holds("bool && (int == 1 || int == 2)", row))
    #expect(try holds("bool && int == 1 || int == 2", row))
    #expect(try !holds("!(bool || int == 2)", row))
    #expect(try holds("!bool", row))
  }
}
