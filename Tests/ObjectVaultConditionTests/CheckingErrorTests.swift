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
      ("weight == 1", 0, "Its properties are 'name', 'age', 'address'."),
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
        "'int' holds Int and cannot be compared with a text that is not a number. Give a number."
      ),
      (
        "int == TRUE", 7,
        "'int' holds Int and cannot be compared with TRUE or FALSE. Give a number."
      ),
      (
        "double == 'x'", 10,
        "'double' holds Double and cannot be compared with a text that is not a number. Give a number."
      ),
      (
        "string == 5", 10,
        "'string' holds String and cannot be compared with an integer. Give a text."
      ),
      (
        "5.5 == string", 0,
        "'string' holds String and cannot be compared with a number. Give a text."
      ),
      (
        "bool == 2", 8,
        "'bool' holds Bool and cannot be compared with an integer other than 0 and 1. Give TRUE or FALSE."
      ),
      (
        "bool == 'maybe'", 8,
        "'bool' holds Bool and cannot be compared with a text that is neither TRUE nor FALSE. Give TRUE or FALSE."
      ),
      (
        "data == 'x'", 8,
        "'data' holds Data and cannot be compared with a text. Give Data as an argument, or x'…'."
      ),
      (
        "date > '2024-01-01'", 7,
        "'date' holds Date and cannot be compared with a text that is not a date with a time and a zone. Give a Date, seconds since 1970, or text such as '2024-01-01T00:00:00Z'."
      ),
      (
        "date > 2024-01-01", 7,
        "'date' holds Date and cannot be compared with the result of a calculation. Write a date as text, such as '2024-01-01T00:00:00Z', or pass it as an argument."
      ),
      (
        "date IN {0, 1 + 1}", 12,
        "'date' holds Date and cannot be compared with the result of a calculation. Write a date as text, such as '2024-01-01T00:00:00Z', or pass it as an argument."
      ),
      (
        "date BETWEEN {2024/01/01, 0}", 14,
        "'date' holds Date and cannot be compared with the result of a calculation. Write a date as text, such as '2024-01-01T00:00:00Z', or pass it as an argument."
      ),
      (
        "1 - 1 == bool", 0,
        "'bool' holds Bool and cannot be compared with the result of a calculation. Write TRUE or FALSE."
      ),
      (
        "decimal == 0.1+0.2", 11,
        "'decimal' holds Decimal and cannot be compared with the result of a calculation. Write the number itself, or pass it as an argument."
      ),
      (
        "uuid == 'x'", 8,
        "'uuid' holds UUID and cannot be compared with a text that is not a UUID. Give a UUID or its text."
      ),
      (
        "url == 5", 7,
        "'url' holds URL and cannot be compared with an integer. Give a URL or its text."
      ),
      (
        "decimal == '1.'", 11,
        "'decimal' holds Decimal and cannot be compared with a text that is not a number. Give a number."
      ),
      (
        "json == 'x'", 8,
        "'json' holds JSON and cannot be compared with a text. Give a value of the property's type as an argument."
      ),
      (
        "int IN {1, 'x'}", 11,
        "'int' holds Int and cannot be compared with a text that is not a number. Give a number."
      ),
      (
        "int BETWEEN {1, 'x'}", 16,
        "'int' holds Int and cannot be compared with a text that is not a number. Give a number."
      ),
      ("int == string", 7, "'int' holds Int and 'string' String; they cannot be compared."),
      (
        "decimal == double", 11,
        "'decimal' holds Decimal and 'double' Double; they cannot be compared."
      ),
      ("int IN {string}", 8, "'int' holds Int and 'string' String; they cannot be compared."),
      (
        "int", 0,
        "'int' holds Int; only a property of type Bool can stand alone. Compare it with something."
      ),
      ("1 == 1", 0, "One side of a comparison must be a property."),
      ("'a' LIKE 'a'", 0, "One side of a comparison must be a property."),
      ("1 IN {int}", 0, "The left side of IN must be a property."),
      ("string LIKE 5", 12, "LIKE looks into text and cannot take an integer. Give a text."),
      ("int == 1e9999", 7, "This number is beyond the range of Double."),
      (
        "double == 1e999", 10,
        "'double' holds Double and cannot be compared with a number beyond the range of Double. Give a number."
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
      "'\(property.0)' holds \(property.1), which has no order; only ==, != and IN work on it.")
    expectError(
      "\(property.0) BETWEEN {%@, %@}", [.value(.blob([1]), .data), .value(.blob([1]), .data)],
      .unsupportedOperator, 0,
      "'\(property.0)' holds \(property.1), which has no order; only ==, != and IN work on it.")
  }

  @Test(
    "cannot search where there is no text", arguments: TextOperator.allCases,
    ["int", "odate", "decimal", "data", "json", "bool"])
  func cannotSearchWhereThere(op: TextOperator, property: String) {
    let type = PropertyType.allCases.first {
      [$0.rawValue.lowercased(), "o" + $0.rawValue.lowercased()].contains(property)
    }
    expectError(
      "\(property) \(op.rawValue) 'x'", [], .unsupportedOperator, 0,
      "'\(property)' holds \(type?.rawValue ?? ""); \(op.rawValue) works only on text.")
  }

  @Test("takes [c] and [d] on text only") func takesCAndDOnText() {
    expectError(
      "int ==[c] 5", [], .unsupportedOperator, 0,
      "'int' holds Int; [c] and [d] work only on text.")
    expectError(
      "string MATCHES[d] 'x'", [], .unsupportedOperator, 0,
      "MATCHES takes [c] only; a pattern cannot overlook marks.")
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
      "There is no argument for placeholder 2: 1 was given.")
    expectError(
      "int == %@", [], .arguments, 7, "There is no argument for placeholder 1: none was given.")
    expectError(
      "int == 1", [.null, .null], .arguments, 8,
      "There are more arguments than placeholders: 0 needed, 2 given.")
    expectError("int == $x", [], .arguments, 7, "There is no argument named 'x'.")
    expectError(
      "int IN %@", [.value(.integer(1), .int)], .arguments, 7,
      "This argument must be a list, such as an array of values.")
    expectError(
      "int BETWEEN %@", [.composite(members: [.null], json: { "" })], .arguments, 12,
      "BETWEEN takes two bounds: the lowest and the highest.")
    expectError(
      "%K == 1", [.value(.integer(1), .int)], .arguments, 0,
      "Argument 1 must be the name of a property, as text.")
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
      "Argument 1 is \(noun), but its placeholder says \(expected). %@ takes a value of any type.")
  }

  @Test("names the argument, never its value") func namesTheArgumentNeverItsValue() {
    expectError(
      "int == 1 && int == %@", [.value(.real(0), .date)], .typeMismatch, 19,
      "'int' holds Int and cannot be compared with argument 1, which is a date. Give a number.")
    expectError(
      "double == %@", [.value(.real(.nan), .double)], .typeMismatch, 10,
      "'double' holds Double and cannot be compared with NaN, which is not a number. Give a number."
    )
    expectError(
      "int IN %@", [.composite(members: [.value(.text("secret"), .string)], json: { "" })],
      .typeMismatch, 7,
      "'int' holds Int and cannot be compared with a text that is not a number. Give a number.")
  }

  @Test("cannot go through what is no association") func cannotGoThrough() {
    expectError(
      "string.floor == 1", [], .notAnAssociation, 0,
      "'string' holds String and is not an association; a path cannot cross it.")
    expectError(
      "json.@count > 1", [], .notAnAssociation, 0,
      "'json' holds JSON and is not an association; '@count' needs one.")
    expectError(
      "ANY json == 1", [], .notAnAssociation, 4,
      "'json' holds one JSON and is not an association; ANY needs a path across one.")
  }

  @Test("cannot use patterns that are broken, too long or switched off")
  func cannotUsePatternsThatAreBroken() {
    expectError(
      "string MATCHES '('", [], .pattern, 15,
      "The pattern of MATCHES is not a regular expression that Swift can read.")
    expectError(
      "string MATCHES %@", [.value(.text(String(repeating: "a", count: 1001)), .string)], .pattern,
      15, "The pattern of MATCHES has more than 1000 characters.")
    expectError(
      "string MATCHES '\(String(repeating: "(", count: 60))'", [], .pattern, 15,
      "The pattern of MATCHES nests groups more than 50 deep.")
    expectError(
      "string MATCHES ostring", [], .unsupportedOperator, 15,
      "The pattern of MATCHES must be a value, not a property.")
    let careful = ConditionChecker(
      schema: SampleSchema(), folding: testFolding, allowsMatches: false)
    let error = #expect(throws: ConditionError.self) {
      try resolve("string MATCHES 'a'", checker: careful)
    }
    #expect(error?.code == .unsupportedOperator)
  }
}
