import ConditionReference
import ObjectVaultCondition
import TestSupport
import Testing

@Suite("Parts of stored JSON", .covers("S73")) struct StoredJSONTests {
  private func withPart<R>(
    _ keys: [String], of json: String, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R? {
    var json = json
    return json.withUTF8 {
      StoredJSON.member(keys, of: UnsafeRawBufferPointer($0)).map(body)
    }
  }

  @Test(
    "are found by their keys, whatever is before them",
    arguments: [
      (#"{"a":1}"#, ["a"], "1"), (#"{"a":1,"b":[2,{"c":3}],"c":"x"}"#, ["c"], #""x""#),
      (#"{"a":{"b":{"c":null}}}"#, ["a", "b", "c"], "null"), (#"{"a":1}"#, ["b"], nil),
      (#"{"a":{"b":1}}"#, ["b"], nil), (#"{"b":"a","a":2}"#, ["a"], "2"),
      (#"{"x\"y":1,"x":2}"#, [#"x"y"#], "1"), (#"{"a":"]},\"","b":3}"#, ["b"], "3"),
      (#"{"\u0041":1}"#, ["A"], "1"), (#"{"é":1}"#, ["é"], "1"), (#"{"":1}"#, [""], "1"),
      (#"{ "a" : [ 1 , 2 ] , "b" : 3 }"#, ["b"], "3"), ("[1]", ["a"], nil), (#""a""#, ["a"], nil),
      ("{}", ["a"], nil), ("", ["a"], nil), (#"{"a""#, ["a"], nil), (#"{"a":"#, ["a"], nil),
      (#"{"a":[1"#, ["a"], nil), (#"{"a":"x"#, ["a"], nil), (#"{"a":"x\"#, ["a"], nil),
      (#"{"a" 1}"#, ["a"], nil), (#"{a:1}"#, ["a"], nil), (#"{"b":]}"#, ["a"], nil),
    ] as [(String, [String], String?)])
  func members(json: String, keys: [String], expected: String?) {
    #expect(withPart(keys, of: json) { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(
    "are counted without their own parts",
    arguments: [
      ("[]", 0), ("{}", 0), ("[1,[2,3],{\"a\":[4,5]}]", 3), (#"{"a":[1,2],"b":{}}"#, 2),
      ("[ \"]\" , \",\" ]", 2), ("1", nil), ("\"[1]\"", nil), ("null", nil), ("", nil), ("[1", 1),
      ("[,]", nil), (#"{"a"}"#, nil),
    ] as [(String, Int64?)])
  func counts(json: String, count: Int64?) {
    #expect(withPart([], of: json) { StoredJSON.count($0) } == .some(count))
  }

  @Test(
    "have a value of one kind only",
    arguments: [
      (#""x\ny""#, .text("x\ny"), .null, .null, false), ("\"é\"", .text("é"), .null, .null, false),
      (#""\ud83d\ude00""#, .text("😀"), .null, .null, false),
      ("12", .null, .integer(12), .null, false), ("-0.0", .null, .real(0), .null, false),
      ("1e+16", .null, .real(1e16), .null, false),
      ("9223372036854775808", .null, .real(0x1p63), .null, false),
      ("1e999", .null, .null, .null, false), ("-", .null, .null, .null, false),
      ("true", .null, .null, .integer(1), false), ("false", .null, .null, .integer(0), false),
      ("null", .null, .null, .null, true), ("[1]", .null, .null, .null, false),
    ] as [(String, StoredValue, StoredValue, StoredValue, Bool)])
  func values(
    json: String, text: StoredValue, number: StoredValue, bool: StoredValue, isNull: Bool
  ) {
    #expect(withPart([], of: json) { StoredJSON.value($0, as: .text) } == text)
    #expect(withPart([], of: json) { StoredJSON.value($0, as: .number) } == number)
    #expect(withPart([], of: json) { StoredJSON.value($0, as: .bool) } == bool)
    #expect(withPart([], of: json) { StoredJSON.value($0, as: .any).isNull } == isNull)
  }

  @Test("of any bytes end without a fault, and of a deep value in time")
  func anyBytes() {
    var random = SeededGenerator(for: "parts of any bytes")
    let pieces = ["{", "}", "[", "]", "\"", "\\", ":", ",", "a", "1", " ", "\\u00", "null", "-"]
    for _ in 0..<randomRounds(20_000) {
      let json = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(pieces) }
        .joined()
      let count = withPart([], of: json) { StoredJSON.count($0) } ?? nil
      #expect(count ?? 0 <= 12)
      _ = withPart(["a"], of: json) { StoredJSON.value($0, as: .text) }
    }
    let deep = "[" + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(withPart([], of: deep + ",1]") { StoredJSON.count($0) } == 2)
  }

  @Test("tests of elements have codes of their own") func codes() {
    var codes: Set<Int64> = []
    for options in 0..<4 {
      let options = TextOptions(rawValue: UInt8(options))
      var operators = TextOperator.allCases.map { ElementTest.Operator.text($0) }
      for op in ComparisonOperator.allCases {
        operators += StoredJSON.Kind.allCases.map { .compare(op, $0) }
      }
      for op in operators {
        let test = ElementTest(op, options)
        #expect(ElementTest(code: test.code) == test)
        #expect(codes.insert(test.code).inserted)
      }
    }
    #expect(ElementTest(code: -1) == nil && ElementTest(code: 15) == nil)
    #expect(ElementTest(code: 1 << 8) == nil)
  }
}
