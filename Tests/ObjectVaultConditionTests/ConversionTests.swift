import ObjectVaultCondition
import TestSupport
import Testing

/// The value that the right side of a comparison became.
private func bound(_ text: String, _ arguments: ConditionArgument...) throws -> StoredValue? {
  let resolved = try sampleChecker.resolve(
    try Condition.parse(text), arguments: arguments, text: text)
  if case .compare(_, _, .value(let value), _) = resolved { return value }
  return nil
}

@Suite("A value that meets a property", .covers("A26", "D4")) struct ConversionTests {
  @Test(
    "becomes what the property would store",
    arguments: [
      ("int == 50", .integer(50)), ("int == '50'", .integer(50)), ("int == 50.0", .integer(50)),
      ("int == '5e1'", .integer(50)), ("int == -0.0", .integer(0)),
      ("int == 9007199254740993.0", .integer(9_007_199_254_740_993)),
      ("double == 1", .real(1)), ("double == '0.1'", .real(0.1)), ("double == -0.0", .real(0)),
      ("float == 0.1", .real(Double(Float(0.1)))), ("float == 16777217", .real(16_777_216)),
      ("float == 16777217.0", .real(16_777_216)), ("float == -9223372036854775807", .real(-0x1p63)),
      // Halfway between two Floats only after rounding to a Double.
      ("float == 1.000000059604644775390625000001", .real(Double(Float(1).nextUp))),
      ("bool == YES", .integer(1)), ("bool == 'no'", .integer(0)), ("bool == 1", .integer(1)),
      ("decimal == 1.50", .text("1.5")), ("decimal == -0.0", .text("0")),
      ("decimal == 12e3", .text("12000")), ("decimal == '0012e-3'", .text("0.012")),
      ("decimal == 0.1000000000000000000000001", .text("0.1000000000000000000000001")),
      ("date == 1.0000004", .real(1)), ("date == 5", .real(5)),
      ("date == '1970-01-02T00:00:00Z'", .real(86_400)),
      ("date == '2000-02-29 12:30+02:00'", .real(951_820_200)),
      ("date == '1969-12-31t23:59:59.25z'", .real(-0.75)),
      ("date == '0000-01-01T00:00:00Z'", .real(-62_167_219_200)),
      ("date == '9999-12-31T23:59:59.9999996-0030'", .real(253_402_302_600)),
      (
        "uuid == '6ba7b810-9dad-11d1-80b4-00c04fd430c8'",
        .text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
      ),
      ("url == 'https://a/'", .text("https://a/")), ("data == x'00ff'", .blob([0, 255])),
      ("string ==[c] 'ÀB'", .text("àb")), ("string ==[d] 'Éa'", .text("Ea")),
    ] as [(String, StoredValue)])
  func becomesWhatThePropertyWouldStore(text: String, value: StoredValue) throws {
    #expect(try bound(text) == value)
  }

  @Test(
    "becomes it as an argument too",
    arguments: [
      ("int", .value(.real(18), .double), .integer(18)),
      ("double", .value(.text("0.25"), .decimal), .real(0.25)),
      ("decimal", .value(.real(0.1), .double), .text("0.1")),
      ("decimal", .value(.real(1e20), .double), .text("100000000000000000000")),
      ("date", .value(.real(1.0000004), .date), .real(1)),
      ("date", .value(.real(.infinity), .date), .real(.infinity)),
      ("double", .value(.real(-.infinity), .double), .real(-.infinity)),
      (
        "uuid", .value(.text("6ba7b810-9dad-11d1-80b4-00c04fd430c8"), .uuid),
        .text("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
      ),
      ("json", .composite(members: nil, json: { "[1]" }), .text("[1]")),
      ("string", .value(.text("%@"), .string), .text("%@")),
      ("character", .value(.text("x"), .character), .text("x")),
    ] as [(String, ConditionArgument, StoredValue)])
  func becomesItAsAnArgumentToo(
    name: String, argument: ConditionArgument, value: StoredValue
  ) throws {
    #expect(try bound("\(name) == %@", argument) == value)
    #expect(try bound("%@ == \(name)", argument) == value)
  }

  @Test(
    "must be a real date with a zone",
    arguments: [
      "2024-02-30T00:00:00Z", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01",
      "2024-01-01T00:00:00", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z",
      "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00Zx", "50", "",
      "2024-1-1T00:00:00Z", "+024-01-01T00:00:00Z",
    ])
  func mustBeARealDate(text: String) {
    #expect(StoredDate.seconds(iso8601: text) == nil)
  }

  @Test("rounds the digits of a date's text behind microseconds to the nearest")
  func roundsDigits() throws {
    let start = try #require(StoredDate.seconds(iso8601: "2024-01-01T00:00:00Z"))
    for (digits, microseconds) in [
      ("1234564", 123_456), ("1234565", 123_457), ("12345651", 123_457), ("9999999", 1_000_000),
    ] {
      let seconds = try #require(StoredDate.seconds(iso8601: "2024-01-01T00:00:00.\(digits)Z"))
      #expect(Int(((seconds - start) * 1e6).rounded()) == microseconds, "\(digits)")
    }
  }

  @Test(
    "keeps a date's microseconds, and rounding again changes nothing",
    arguments: [1.5e9 + 0.1234564, -1.5e9 - 0.5, 8e9 + 0.1, 1e10 + 0.3, 1e300, 0.0000004])
  func keepsADatesMicrosecondsAndRounding(seconds: Double) {
    let once = StoredDate.rounded(seconds)
    #expect(abs(once - seconds) <= 0.000_000_5 + once.ulp)
    #expect(StoredDate.rounded(once) == once)
  }

  @Test(
    "is a decimal in plain digits",
    arguments: [
      ("1", "1"), ("-1", "-1"), ("+1.0", "1"), ("00.10", "0.1"), ("-0", "0"), ("1e2", "100"),
      ("1.5e-3", "0.0015"), ("123.456e1", "1234.56"), ("0e5", "0"), ("", nil), ("-", nil),
      (".5", nil),
      ("1.", nil), ("1e", nil), ("1e99999", nil), ("1e99999999999999999999", nil),
      ("1e-9223372036854775808", nil), ("1e9223372036854775807", nil), ("NaN", nil), ("inf", nil),
      ("1 ", nil), ("0x1", nil), ("١", nil),
    ])
  func isADecimalInPlainDigits(text: String, canonical: String?) {
    #expect(DecimalText.canonical(text) == canonical)
  }

  @Test("is never spliced into the text") func isNeverSplicedIntoTheText() throws {
    let hostile = "' OR 1=1 --"
    #expect(try bound("string == %@", .value(.text(hostile), .string)) == .text(hostile))
  }
}
