import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Values in files and in the protocol")
struct ValueReadingTests {
  /// A value as a file has it, what it is, and how the protocol has it.
  struct Written: Sendable, CustomTestStringConvertible {
    let yaml: String
    let value: FixtureValue
    let json: String

    init(_ yaml: String, _ value: FixtureValue, _ json: String) {
      self.yaml = yaml
      self.value = value
      self.json = json
    }

    var testDescription: String { yaml }
  }

  static let written: [Written] = [
    .init("quiet", .text("quiet"), #""quiet""#),
    .init(#""""#, .text(""), #""""#),
    .init("\"yes\"", .text("yes"), #""yes""#),
    .init("'1.5'", .text("1.5"), #""1.5""#),
    .init(#"{text: "a\0b"}"#, .text("a\0b"), #""a\u0000b""#),
    .init(
      #""\x01\t\n\r\x1F\x7F""#, .text("\u{1}\t\n\r\u{1F}\u{7F}"), #""\u0001\t\n\r\u001f\#u{7F}""#),
    .init("\"e\u{301}\"", .text("e\u{301}"), "\"e\u{301}\""),
    .init("\u{E9}", .text("\u{E9}"), "\"\u{E9}\""),
    .init("👩‍👩‍👧🇩🇪", .text("👩‍👩‍👧🇩🇪"), "\"👩‍👩‍👧🇩🇪\""),
    .init(#""\U0001F600\u20AC""#, .text("😀€"), #""😀€""#),
    .init("true", .bool(true), "true"), .init("false", .bool(false), "false"),
    .init("0", .integer(0), "0"), .init("-7", .integer(-7), "-7"),
    .init("9007199254740992", .integer(1 << 53), "9007199254740992"),
    .init("-9007199254740992", .integer(-1 << 53), "-9007199254740992"),
    .init(#"{int: "5"}"#, .integer(5), "5"),
    .init(
      #"{int: "9007199254740993"}"#, .integer(1 << 53 + 1), #"{"int":"9007199254740993"}"#),
    .init(
      #"{int: "9223372036854775807"}"#, .integer(.max), #"{"int":"9223372036854775807"}"#),
    .init(
      #"{int: "-9223372036854775808"}"#, .integer(.min), #"{"int":"-9223372036854775808"}"#),
    .init(#"{double: "0x1.8p1"}"#, .double(3), #"{"double":"3.0"}"#),
    .init(#"{double: "-0x0p0"}"#, .double(-0.0), #"{"double":"-0.0"}"#),
    .init(#"{double: "0x1p-1074"}"#, .double(.leastNonzeroMagnitude), #"{"double":"5e-324"}"#),
    .init(
      #"{double: "0x1.fffffffffffffp+1023"}"#, .double(.greatestFiniteMagnitude),
      #"{"double":"1.7976931348623157e+308"}"#),
    .init(#"{double: "0x10.00p-4"}"#, .double(1), #"{"double":"1.0"}"#),
    .init(#"{double: "0.1"}"#, .double(0.1), #"{"double":"0.1"}"#),
    .init(#"{double: "inf"}"#, .double(.infinity), #"{"double":"inf"}"#),
    .init(#"{double: "-inf"}"#, .double(-.infinity), #"{"double":"-inf"}"#),
    .init(#"{double: "nan"}"#, .double(.nan), #"{"double":"nan"}"#),
    .init(#"{date: "1700000000.25"}"#, .date(1_700_000_000.25), #"{"date":"1700000000.25"}"#),
    .init(#"{data: ""}"#, .data([]), #"{"data":""}"#),
    .init(#"{data: "AAEC/w=="}"#, .data([0, 1, 2, 255]), #"{"data":"AAEC/w=="}"#),
    .init(#"{decimal: "1.10"}"#, .decimal("1.10"), #"{"decimal":"1.10"}"#),
    .init("{uuid: nonsense}", .uuid("nonsense"), #"{"uuid":"nonsense"}"#),
    .init(#"{url: "a:b"}"#, .url("a:b"), #"{"url":"a:b"}"#),
    .init(#"{json: "[\"a\",1]"}"#, .json(#"["a",1]"#), #"{"json":"[\"a\",1]"}"#),
    .init("{nil: true}", .null, #"{"nil":true}"#),
    .init("{list: []}", .list([]), #"{"list":[]}"#),
    .init(
      #"{list: [1, a, {nil: true}, {list: [{int: "2"}]}]}"#,
      .list([.integer(1), .text("a"), .null, .list([.integer(2)])]),
      #"{"list":[1,"a",{"nil":true},{"list":[2]}]}"#),
    .init("{repeat: ab, times: 3}", .text("ababab"), #""ababab""#),
    .init("{repeat: ab, times: 0}", .text(""), #""""#),
    .init(
      "{list: [0, {times: 3, of: {index: 5}}]}",
      .list([.integer(0), .integer(5), .integer(6), .integer(7)]), #"{"list":[0,5,6,7]}"#),
    .init(
      "{list: [{times: 2, of: {index: 1, in: n%%}}]}", .list([.text("n11"), .text("n22")]),
      #"{"list":["n11","n22"]}"#),
  ]

  @Test("A value keeps what it is from file to protocol and back", arguments: written)
  func roundTrip(_ written: Written) throws {
    let value = try Self.fromFile(written.yaml)
    #expect(value == written.value)
    let json = value.jsonValue().compactText
    #expect(json == written.json)
    #expect(try Self.fromExchange(json) == written.value)
  }

  @Test("Characters of every plane go through, as they stand and escaped")
  func planes() throws {
    for plane in UInt32(0)...16 {
      let scalars = [0x0100, 0xE000, 0xFFFD].compactMap { Unicode.Scalar(plane << 16 | $0) }
      try #require(scalars.count == 3)
      let text = String(String.UnicodeScalarView(scalars))
      let escaped = scalars.map { String(format: "\\U%08X", $0.value) }.joined()
      #expect(try Self.fromFile("\"\(text)\"") == .text(text))
      #expect(try Self.fromFile("\"\(escaped)\"") == .text(text))
      #expect(try Self.fromExchange(FixtureValue.text(text).jsonValue().compactText) == .text(text))
    }
  }

  @Test("Doubles of any bits keep them, in hexadecimal digits and in the fewest decimal ones")
  func doubles() throws {
    var generator = SeededGenerator(for: "doubles of fixtures")
    for _ in 0..<2_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let hexadecimal = String(format: "%a", value)
      #expect(DoubleText.parse(hexadecimal)?.bitPattern == value.bitPattern, "\(hexadecimal)")
      let decimal = FixtureValue.double(value).jsonValue().compactText
      #expect(try Self.fromExchange(decimal) == .double(value), "\(decimal)")
    }
  }

  @Test(
    "What is no number that everybody reads alike is no double",
    arguments: [
      "", "-", "+1", "1.", ".5", "1e", "0x", "0x1", "0x1.8", "0x.8p1", "0x1p", "0x1.p1", "Inf",
      "-nan",
      "infinity", "NaN", "1_0", "1 ", " 1", "0x1p1024", "0x1p-1075", "0x1.8p-1074", "1e309",
      "0x1p99999", "0x1p-99999", "0x1p100000", "1\u{0}", "１",
    ])
  func notDoubles(_ text: String) {
    #expect(DoubleText.parse(text) == nil)
  }

  @Test("Integers of any bits keep them")
  func integers() throws {
    var generator = SeededGenerator(for: "integers of fixtures")
    for _ in 0..<500 {
      let value = FixtureValue.integer(
        Int64(bitPattern: generator.next()) >> Int64.random(in: 0...63, using: &generator))
      #expect(try Self.fromExchange(value.jsonValue().compactText) == value)
    }
  }

  @Test("Objects keep their properties where their names are those of tags")
  func objects() throws {
    let object = FixtureValue.object([
      .init("text", .text("a")), .init("nil", .null), .init("list", .list([.integer(1)])),
    ])
    let json = object.jsonValue(as: .object)
    #expect(json.compactText == #"{"text":"a","nil":{"nil":true},"list":{"list":[1]}}"#)
    let reader = ValueReader(path: "answer", source: .exchange)
    #expect(
      try reader.read(FixtureNode(json: json.compactText.utf8, name: "answer"), as: .object)
        == object)
  }

  @Test("ObjectIDs of several parts are lists without a tag")
  func compositeIDs() throws {
    let ids = FixtureValue.list([.list([.integer(1), .text("a")]), .integer(2)])
    let json = ids.jsonValue(as: .list(.objectID)).compactText
    #expect(json == #"[[1,"a"],2]"#)
    let reader = ValueReader(path: "answer", source: .exchange)
    #expect(
      try reader.read(FixtureNode(json: json.utf8, name: "answer"), as: .list(.objectID)) == ids)
  }

  @Test(
    "What saves writing in files is refused in the protocol",
    arguments: [
      #"{"repeat":"a","times":2}"#, #"{"index":1}"#, #"{"list":[{"times":2,"of":1}]}"#, "1.5",
      "null", "9007199254740993", "[1]", #"{"int":5}"#,
    ])
  func exchange(_ json: String) {
    #expect(throws: FixtureError.self) { try Self.fromExchange(json) }
  }

  private static func fromFile(_ yaml: String) throws -> FixtureValue {
    let node = try FixtureNode(yaml: "value: \(yaml)\n", path: "a.yaml")
    return try ValueReader(path: "a.yaml", source: .file)
      .read(try #require(node["value"]), as: .value)
  }

  private static func fromExchange(_ json: String) throws -> FixtureValue {
    try ValueReader(path: "answer", source: .exchange)
      .read(FixtureNode(json: json.utf8, name: "answer"), as: .value)
  }
}
