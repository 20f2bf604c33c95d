import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The JSON parser") struct JSONParserTests {
  @Test("values keep the digits of numbers and the order of members")
  func valuesKeepTheDigitsOfNumbers() throws {
    let value = try JSONParser.parse(
      " { \"b\" : [1.50, -0, 1E+2, 123456789012345678901234567890] , \"a\":null,\n\"\":true}\r\t")
    #expect(
      value
        == .object([
          .init(
            "b",
            .array([
              .number("1.50"), .number("-0"), .number("1E+2"),
              .number("123456789012345678901234567890"),
            ])), .init("a", .null), .init("", .bool(true)),
        ]))
    #expect(value["a"] == .null)
    #expect(value["c"] == nil)
  }

  @Test(
    "escapes are resolved",
    arguments: [
      (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u00e9\u0000""#, "é\0"),
      (#""\ud83d\uDE00""#, "😀"), (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
      ("\"\u{2028}é\u{7F}\"", "\u{2028}é\u{7F}"),
    ])
  func escapesAreResolved(json: String, text: String) throws {
    #expect(try JSONParser.parse(json) == .string(text))
  }

  @Test(
    "what is not JSON is an error at its place",
    arguments: [
      ("", 0), (" ", 1), ("{", 1), ("[", 1), ("[1,]", 3), ("[1 2]", 3), ("{\"a\":1,}", 7),
      ("{\"a\" 1}", 5), ("{a:1}", 1), ("01", 1), ("-", 1), ("+1", 0), ("1.", 2), (".5", 0),
      ("1e", 2),
      ("1e+", 3), ("0x1", 1), ("NaN", 0), ("Infinity", 0), ("tru", 0), ("truex", 4), ("nul", 0),
      ("'a'", 0), ("\"a", 0), ("\"\n\"", 1), ("\"\\x\"", 1), ("\"\\u12g4\"", 5), ("\"\\u12", 0),
      ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1), ("1 1", 2), ("[1]]", 3),
      ("// a", 0), ("\u{FEFF}1", 0), ("1\0", 1), ("\0", 0), ("\u{A0}1", 0),
      ("{\"a\":1,\"a\":2}", 7),
      ("\"\\", 0), ("[\"a\\\"]", 1), ("\"\\u00e\u{301}\"", 6),
    ])
  func whatIsNotJSON(json: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { _ = try JSONParser.parse(json) }
    #expect(error?.offset == offset)
  }

  @Test(
    "bytes that are not UTF-8 are an error",
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x80],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22],
      [0x22, 0x5C, 0xC3, 0xA9, 0x22],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
  }

  @Test("an error counts lines and columns") func anErrorCountsLinesAndColumns() {
    let error = #expect(throws: JSONError.self) { try JSONParser.parse("{\n  \"a\": 1,\n  x\n}") }
    #expect(error?.line == 3)
    #expect(error?.column == 3)
    #expect(error?.offset == 14)
    #expect(error?.description.contains("Line 3, column 3") == true)
  }

  @Test("a second member of one name is found among few and among many")
  func aSecondMemberOfOneName() {
    for count in [1, 11, 12, 13, 500] {
      let members = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
      #expect(throws: Never.self) { try JSONParser.parse("{\(members)}") }
      for twice in [0, count / 2, count - 1] {
        #expect(throws: JSONError.self) { try JSONParser.parse("{\(members),\"k\(twice)\":1}") }
      }
      // Equal to a Swift string, but other bytes: another name.
      #expect(throws: Never.self) {
        try JSONParser.parse("{\(members),\"\u{e9}\":1,\"e\u{301}\":2}")
      }
    }
  }

  @Test("depth is bounded") func depthIsBounded() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONParser.parse(nested(JSONValue.depthLimit)) }
    let error = #expect(throws: JSONError.self) {
      try JSONParser.parse(nested(JSONValue.depthLimit + 1))
    }
    #expect(error?.offset == JSONValue.depthLimit)
    #expect(throws: JSONError.self) {
      try JSONParser.parse(String(repeating: "{\"a\":[", count: 500_000))
    }
  }

  @Test("what is written is read again, in one line and in many") func whatIsWrittenIsReadAgain()
    throws
  {
    let value = JSONValue.object([
      .init("b", .array([.integer(1), .null, .object([]), .array([])])),
      .init("a\n", .string("\"")),
      .init("n", .number("1.50")),
    ])
    #expect(value.compactText == #"{"b":[1,null,{},[]],"a\n":"\"","n":1.50}"#)
    #expect(
      value.indentedText == """
        {
          "b": [
            1,
            null,
            {},
            []
          ],
          "a\\n": "\\"",
          "n": 1.50
        }
        """)
    #expect(try JSONParser.parse(value.compactText) == value)
    #expect(try JSONParser.parse(value.indentedText) == value)
    #expect(JSONValue.real(1) == .number("1.0"))
    #expect(JSONValue.real(.nan) == nil)
  }

  @Test("generated values are read as they were written") func generatedValuesAreReadAsThey() throws
  {
    var random = SeededGenerator(seed: 8_259)
    for _ in 0..<2_000 {
      let value = generated(&random, depth: 5)
      #expect(try JSONParser.parse(value.compactText) == value, "seed 8259")
      #expect(try JSONParser.parse(value.indentedText) == value, "seed 8259")
    }
  }

  @Test("no input makes it trap, and what it takes Foundation takes too") func noInputMakesItTrap()
    throws
  {
    var random = SeededGenerator(seed: 50_000)
    let alphabet =
      Array("{}[]\",:\\/bfnrtu0123456789eE+-.tralsn \n\u{0}\u{1F}".utf8) + [0x80, 0xC3, 0xFF]
    var taken = 0
    var refused = 0
    for round in 0..<50_000 {
      var bytes: [UInt8]
      switch round % 3 {
      case 0:
        bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
      case 1:
        bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      default:
        bytes = Array(generated(&random, depth: 3).compactText.utf8)
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes.remove(at: place)
          case 1: bytes.insert(alphabet[place % alphabet.count], at: place)
          case 2: bytes[place] ^= 1 << UInt8(place % 8)
          default: bytes.removeSubrange(place...)
          }
        }
      }
      do throws(JSONError) {
        let value = try JSONParser.parse(bytes)
        taken += 1
        #expect(try JSONParser.parse(value.compactText) == value, "seed 50000, round \(round)")
        if round % 50 == 2 {
          #expect(throws: Never.self, "seed 50000, round \(round)") {
            try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
          }
        }
      } catch {
        refused += 1
        #expect((0...bytes.count).contains(error.offset), "seed 50000, round \(round)")
        #expect(error.line >= 1 && error.column >= 1)
      }
    }
    #expect(taken > 5_000 && refused > 20_000)
  }

  private func generated(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
    let texts = ["", "a", "é", "\"\\\n\0", "😀", "e\u{301}", "\u{7F}long text that is not inline"]
    switch Int.random(in: depth > 0 ? 0...7 : 0...4, using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: return .number("-1.0\(Int.random(in: 1...99, using: &random))E-5")
    case 4: return .string(texts[Int.random(in: 0..<texts.count, using: &random)])
    case 5, 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          generated(&random, depth: depth - 1)
        })
    default:
      return .object(
        (0..<Int.random(in: 0...15, using: &random)).map {
          .init(texts[$0 % texts.count] + "\($0)", generated(&random, depth: depth - 1))
        })
    }
  }
}
