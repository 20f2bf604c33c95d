import ObjectVaultCondition
import TestSupport
import Testing

private func expectError(
  _ text: String, _ arguments: [ConditionArgument], _ code: ConditionError.Code, _ offset: Int?,
  _ message: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = #expect(throws: ConditionError.self, sourceLocation: sourceLocation) {
    try sampleChecker.resolve(try Condition.parse(text), arguments: arguments, text: text)
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.offset == offset, sourceLocation: sourceLocation)
  #expect(error?.message == message, sourceLocation: sourceLocation)
}

private struct People: ConditionSchema {
  let className = "Person"
  let propertyNames = ["name", "age", "address"]
  func property(named name: String) -> PropertyShape? {
    propertyNames.firstIndex(of: name).map {
      PropertyShape(name, at: $0, type: .string, isOptional: false)
    }
  }
}

@Suite("A condition that does not fit the class") struct CheckingErrorTests {
  @Test(
    "names the property that was probably meant", .covers("S39"),
    arguments: [
      ("nmae == 'x'", 0, "Did you mean 'name'?"), ("Name == 'x'", 0, "Did you mean 'name'?"),
      ("age == '' && adress == 'x'", 13, "Did you mean 'address'?"),
      ("weight == 1", 0, "Use one of its properties: 'name', 'age', 'address'."),
      ("'x' == nam", 7, "Did you mean 'name'?"),
    ])
  func namesThePropertyThatWasProbably(text: String, offset: Int, hint: String) {
    let checker = ConditionChecker(schema: People(), folding: testFolding)
    let error = #expect(throws: ConditionError.self) { try resolve(text, checker: checker) }
    #expect(error?.code == .unknownProperty)
    #expect(error?.offset == offset)
    #expect(error?.message.hasPrefix("Person has no property '") == true)
    #expect(error?.message.hasSuffix(hint) == true)
    #expect(error?.excerpt == text + "\n" + String(repeating: " ", count: offset) + "^")
  }

  @Test(
    "says what the property holds and what to give", .covers("D4", "X25"),
    arguments: [
      (
        "int > 'abc'", 6,
        "'int' has type Int and cannot be compared with a text that is not a number. Pass a number."
      ),
      (
        "int == TRUE", 7,
        "'int' has type Int and cannot be compared with TRUE or FALSE. Pass a number."
      ),
      (
        "double == 'x'", 10,
        """
        'double' has type Double and cannot be compared with a text that is not a number. Pass a \
        number.
        """
      ),
      (
        "string == 5", 10,
        "'string' has type String and cannot be compared with an integer. Pass a text."
      ),
      (
        "5.5 == string", 0,
        "'string' has type String and cannot be compared with a number. Pass a text."
      ),
      (
        "bool == 2", 8,
        """
        'bool' has type Bool and cannot be compared with an integer other than 0 and 1. Pass TRUE \
        or FALSE.
        """
      ),
      (
        "bool == 'maybe'", 8,
        """
        'bool' has type Bool and cannot be compared with a text that is neither TRUE nor FALSE. \
        Pass TRUE or FALSE.
        """
      ),
      (
        "data == 'x'", 8,
        """
        'data' has type Data and cannot be compared with a text. Pass Data as an argument, or x'…'.
        """
      ),
      (
        "date > '2024-01'", 7,
        """
        'date' has type Date and cannot be compared with a text that is not a date. Pass a Date, \
        seconds since 1970, or text such as '2024-01-01'.
        """
      ),
      (
        "date > 2024-01-01", 7,
        """
        'date' has type Date and cannot be compared with the result of a calculation. Write a date \
        as text, such as '2024-01-01', or pass it as an argument.
        """
      ),
      (
        "date IN {0, 1 + 1}", 12,
        """
        'date' has type Date and cannot be compared with the result of a calculation. Write a date \
        as text, such as '2024-01-01', or pass it as an argument.
        """
      ),
      (
        "date BETWEEN {2024/01/01, 0}", 14,
        """
        'date' has type Date and cannot be compared with the result of a calculation. Write a date \
        as text, such as '2024-01-01', or pass it as an argument.
        """
      ),
      (
        "1 - 1 == bool", 0,
        """
        'bool' has type Bool and cannot be compared with the result of a calculation. Write TRUE \
        or FALSE.
        """
      ),
      (
        "decimal == 0.1+0.2", 11,
        """
        'decimal' has type Decimal and cannot be compared with the result of a calculation. Write \
        the number itself, or pass it as an argument.
        """
      ),
      (
        "uuid == 'x'", 8,
        """
        'uuid' has type UUID and cannot be compared with a text that is not a UUID. Pass a UUID or \
        its text.
        """
      ),
      (
        "url == 5", 7,
        "'url' has type URL and cannot be compared with an integer. Pass a URL or its text."
      ),
      (
        "decimal == '1.'", 11,
        """
        'decimal' has type Decimal and cannot be compared with a text that is not a number. Pass a \
        number.
        """
      ),
      (
        "json == 'x'", 8,
        """
        'json' has type JSON and cannot be compared with a text. Pass a value of the property's \
        type as an argument.
        """
      ),
      (
        "int IN {1, 'x'}", 11,
        "'int' has type Int and cannot be compared with a text that is not a number. Pass a number."
      ),
      (
        "int BETWEEN {1, 'x'}", 16,
        "'int' has type Int and cannot be compared with a text that is not a number. Pass a number."
      ),
      (
        "int == string", 7,
        """
        'int' has type Int and cannot be compared with 'string', which has type String. Compare \
        properties of matching types.
        """
      ),
      (
        "decimal == double", 11,
        """
        'decimal' has type Decimal and cannot be compared with 'double', which has type Double. \
        Compare properties of matching types.
        """
      ),
      (
        "int IN {string}", 8,
        """
        'int' has type Int and cannot be compared with 'string', which has type String. Compare \
        properties of matching types.
        """
      ),
      (
        "int", 0,
        """
        'int' has type Int, but only a property of type Bool is a condition by itself. Compare it \
        with a value.
        """
      ),
      (
        "1 == 1", 0,
        "Neither side of the comparison is a property. Compare a property with a value."
      ),
      (
        "'a' LIKE 'a'", 0,
        "Neither side of the comparison is a property. Compare a property with a value."
      ),
      ("1 IN {int}", 0, "The left side of IN is not a property. Write a property."),
      ("string LIKE 5", 12, "LIKE searches text and does not accept an integer. Pass a text."),
      ("int == 1e9999", 7, "The number is beyond the range of Double. Use a smaller one."),
      (
        "decimal == 1e-9223372036854775808", 11,
        "The number is beyond the range of Double. Use a smaller one."
      ),
      (
        "decimal == '1e-9223372036854775808'", 11,
        """
        'decimal' has type Decimal and cannot be compared with a text that is not a number. Pass a \
        number.
        """
      ),
      (
        "double == 1e999", 10,
        """
        'double' has type Double and cannot be compared with a number beyond the range of Double. \
        Pass a number.
        """
      ),
    ])
  func saysWhatThePropertyHolds(text: String, offset: Int, message: String) {
    expectError(text, [], .typeMismatch, offset, message)
  }

  @Test(
    "cannot order data and composites", .covers("A29"),
    arguments: ["<", "<=", ">", ">="], [("data", "Data"), ("ojson", "JSON")])
  func cannotOrderDataAndComposites(op: String, property: (String, String)) {
    expectError(
      "\(property.0) \(op) %@", [.value(.blob([1]), .data)], .unsupportedOperator, 0,
      "'\(property.0)' has type \(property.1), which has no order. Use ==, != or IN.")
    expectError(
      "\(property.0) BETWEEN {%@, %@}", [.value(.blob([1]), .data), .value(.blob([1]), .data)],
      .unsupportedOperator, 0,
      "'\(property.0)' has type \(property.1), which has no order. Use ==, != or IN.")
  }

  @Test(
    "cannot search where there is no text", arguments: TextOperator.allCases,
    ["int", "odate", "decimal", "data", "json", "bool"])
  func cannotSearchWhereThere(op: TextOperator, property: String) {
    // CONTAINS tests the elements of a list.
    if op == .contains, property == "json" { return }
    let type = PropertyType.allCases.first {
      [$0.rawValue.lowercased(), "o" + $0.rawValue.lowercased()].contains(property)
    }
    expectError(
      "\(property) \(op.rawValue) 'x'", [], .unsupportedOperator, 0,
      "'\(property)' has type \(type?.rawValue ?? ""), but \(op.rawValue) works only on text. Use "
        + "another operator.")
  }

  @Test("takes [c] and [d] on text only") func takesCAndDOnText() {
    expectError(
      "int ==[c] 5", [], .unsupportedOperator, 0,
      "'int' has type Int, but [c] and [d] work only on text. Remove the options.")
    expectError(
      "string MATCHES[d] 'x'", [], .unsupportedOperator, 0,
      "MATCHES accepts only [c]: a pattern cannot ignore diacritics. Remove [d].")
  }

  @Test("cannot order nil", .covers("D3"), arguments: ["<", "<=", ">", ">="], ["nil", "%@"])
  func cannotOrderNil(op: String, literal: String) {
    let arguments: [ConditionArgument] = literal == "nil" ? [] : [.null]
    expectError(
      "oint \(op) \(literal)", arguments, .comparisonWithNil, 6 + op.utf8.count,
      "nil has no order: '\(op)' needs a value. Write == nil or != nil.")
    expectError(
      "oint BETWEEN {1, \(literal)}", arguments, .comparisonWithNil, 17,
      "nil has no order: '<=' needs a value. Write == nil or != nil.")
  }

  @Test("cannot search for nil", arguments: TextOperator.allCases)
  func cannotSearchForNil(op: TextOperator) {
    expectError(
      "ostring \(op.rawValue) nil", [], .comparisonWithNil, 9 + op.rawValue.utf8.count,
      "\(op.rawValue) needs a text, not nil. Write == nil or != nil.")
  }

  @Test("needs as many arguments as placeholders") func needsAsManyArgumentsAsPlaceholders() {
    expectError(
      "int == %@ && int < %@", [.value(.integer(1), .int)], .arguments, 19,
      "Placeholder 2 has no argument. Pass one argument for each placeholder: 1 was given.")
    expectError(
      "int == %@", [], .arguments, 7,
      "Placeholder 1 has no argument. Pass one argument for each placeholder: none was given.")
    expectError(
      "int == 1", [.null, .null], .arguments, 8,
      "The condition has 0 placeholders, but 2 arguments were passed. Pass one argument for each "
        + "placeholder.")
    expectError(
      "int == $x", [], .arguments, 7, "The argument '$x' is missing. Pass an argument named 'x'.")
    expectError(
      "int IN %@", [.value(.integer(1), .int)], .arguments, 7,
      "The argument is not a list. Pass a list, such as an array of values.")
    expectError(
      "int BETWEEN %@", [.composite(members: [.null], json: { "" })], .arguments, 12,
      "BETWEEN needs two bounds. Write {lowest, highest}.")
    expectError(
      "%K == 1", [.value(.integer(1), .int)], .arguments, 0,
      "Argument 1 is not the name of a property. Pass the name as text.")
  }

  @Test(
    "holds an argument to its placeholder", .covers("S36"),
    arguments: [
      ("%d", ConditionArgument.value(.text("x"), .string), "a text", "an integer"),
      ("%f", .value(.integer(1), .bool), "TRUE or FALSE", "a number"),
      ("%s", .value(.integer(1), .int), "an integer", "a text"),
      ("%ld", .value(.real(1), .double), "a number", "an integer"),
    ])
  func holdsAnArgumentToItsPlaceholder(
    specifier: String, argument: ConditionArgument, noun: String, expected: String
  ) {
    expectError(
      "int == \(specifier)", [argument], .typeMismatch, 7,
      "Argument 1 is \(noun), but its placeholder requires \(expected). Use %@ for a value of any "
        + "type.")
  }

  @Test("names the argument, never its value") func namesTheArgumentNeverItsValue() {
    expectError(
      "int == 1 && int == %@", [.value(.real(0), .date)], .typeMismatch, 19,
      "'int' has type Int and cannot be compared with argument 1, which is a date. Pass a number.")
    expectError(
      "double == %@", [.value(.real(.nan), .double)], .typeMismatch, 10,
      "'double' has type Double and cannot be compared with NaN, which is not a number. Pass a "
        + "number.")
    expectError(
      "int IN %@", [.composite(members: [.value(.text("secret"), .string)], json: { "" })],
      .typeMismatch, 7,
      "'int' has type Int and cannot be compared with a text that is not a number. Pass a number.")
  }

  @Test("cannot go through what is no association") func cannotGoThrough() {
    expectError(
      "string.floor == 1", [], .notAnAssociation, 0,
      "'string' has type String and is not an association. Write a path that ends at it.")
    expectError(
      "string.@count > 1", [], .notAnAssociation, 0,
      "'string' has type String and is not an association. Use '@count' with an association.")
    expectError(
      "ANY int == 1", [], .notAnAssociation, 4,
      "'int' is one value of type Int and not an association. Use ANY with a path across an "
        + "association.")
    expectError(
      "json.@sum > 1", [], .unsupportedOperator, 0,
      "'@sum' does not read the elements of 'json', which are stored as JSON. Use @count, or "
        + "store the elements as objects.")
  }

  @Test("cannot use patterns that are broken, too long or switched off")
  func cannotUsePatternsThatAreBroken() {
    expectError(
      "string MATCHES '('", [], .pattern, 15,
      "The pattern of MATCHES is not a valid regular expression. Check its syntax.")
    expectError(
      "string MATCHES %@", [.value(.text(String(repeating: "a", count: 1001)), .string)], .pattern,
      15, "The pattern of MATCHES has more than 1000 characters. Use a shorter one.")
    expectError(
      "string MATCHES '\(String(repeating: "(", count: 60))'", [], .pattern, 15,
      "The pattern of MATCHES nests groups more than 50 levels deep. Simplify it.")
    expectError(
      "string MATCHES ostring", [], .unsupportedOperator, 15,
      "The pattern of MATCHES is a property. Write a text, or pass one as an argument.")
    let careful = ConditionChecker(
      schema: SampleSchema(), folding: testFolding, matchesRestriction: .vault)
    let error = #expect(throws: ConditionError.self) {
      try resolve("string MATCHES 'a'", checker: careful)
    }
    #expect(error?.code == .unsupportedOperator)
    #expect(error?.message.contains("disabled for this vault") == true)
    let inClause = ConditionChecker(
      schema: SampleSchema(), folding: testFolding, matchesRestriction: .clause)
    let other = #expect(throws: ConditionError.self) {
      try resolve("string MATCHES 'a'", checker: inClause)
    }
    #expect(other?.message.contains("A clause of a statement cannot use MATCHES") == true)
  }
}
