import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Dates, identifiers, addresses and decimals") struct FoundationTypesTests {
  @Test("a date is seconds since 1970 to the microsecond", .covers("X13", "A30"))
  func aDateIsSecondsSince1970() throws {
    let cell = try OneCell("REAL")
    try cell.write { try Date(timeIntervalSince1970: 1_700_000_000.1234567).bind(to: $0, at: 0) }
    #expect(try cell.read { $0.real(at: 0) } == 1_700_000_000.123457)
    try cell.set(sql: "0")
    #expect(try cell.read { try Date.read(from: $0, at: 0) } == Date(timeIntervalSince1970: 0))
  }

  @Test(
    "a date that was read is stored as what it was read from",
    arguments: [
      -62_135_596_800.0, -62_135_596_799.999, 253_402_300_799.999, 0, 0.000001, -0.000001,
      978_307_200,
      -3_316_660_096, -3_316_660_095.999999, 8_589_934_592, 4_294_967_295.999999, 4_294_967_296.25,
      4_400_000_000.123456,
    ])
  func aDateThatWasRead(seconds: Double) throws {
    let once = try roundTrip(Date(timeIntervalSince1970: seconds))
    let twice = try roundTrip(once)
    #expect(once == twice)
    #expect(abs(once.timeIntervalSince1970 - seconds) <= max(seconds.ulp * 2, 0.0000006))
  }

  @Test("dates of every age settle after one round trip", .covers("X13"))
  func datesOfEveryAgeSettleAfter() throws {
    var random = SeededGenerator(seed: 20_010_101)
    let ranges: [Double] = [1e3, 1e6, 1e9, 2.5e9, 5e9, 1e10, 7e10, 3e11]
    var moved: [Double] = []
    for index in 0..<200_000 {
      let range = ranges[index % ranges.count]
      let seconds = Double.random(in: -range...range, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let stored = date.storedSeconds
      let again = Date(timeIntervalSince1970: stored)
      let tolerance = 0.000_000_8 + range.ulp * 2
      if again.storedSeconds != stored || abs(again.timeIntervalSince(date)) > tolerance {
        moved.append(seconds)
      }
    }
    #expect(moved.isEmpty, "seed 20010101, seconds since 2001")
  }

  @Test("the first and last date of the calendar and no date at all come back")
  func theFirstAndLastDate() throws {
    #expect(try roundTrip(Date.distantPast) == .distantPast)
    #expect(try roundTrip(Date.distantFuture) == .distantFuture)
    #expect(try roundTrip(Date?.none) == nil)
    #expect(
      try roundTrip(Date(timeIntervalSince1970: .infinity)).timeIntervalSince1970 == .infinity)
  }

  @Test("a UUID is written in upper case and read in any") func aUUIDIsWrittenInUpper() throws {
    let id = try #require(UUID(uuidString: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"))
    #expect(try roundTrip(id) == id)
    #expect(id.storedValue == .text("0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"))
    let cell = try OneCell("TEXT")
    try cell.set(sql: "'0f1e2d3c-4B5A-6978-8796-a5b4c3d2e1f0'")
    #expect(try cell.read { try UUID.read(from: $0, at: 0) } == id)
    for other in ["''", "'0F1E2D3C'", "'0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0 '", "x'00'"] {
      try cell.set(sql: other)
      #expect(invalidValue { _ = try cell.read { try UUID.read(from: $0, at: 0) } } != nil)
    }
  }

  @Test(
    "a URL comes back by its absolute text",
    arguments: [
      "https://example.org/", "https://example.org/a%20b?q=%25#f", "mailto:a@example.org",
      "file:///tmp/a%20b", "relative/path", "urn:isbn:0451450523", "http://[::1]:8080/",
      "data:text/plain,hello%00",
    ])
  func aURLComesBack(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try roundTrip(url) == url)
    #expect(try url.storedValue == .text(text))
  }

  @Test("a URL relative to a base is refused", .covers("A34")) func aURLRelativeToABase() throws {
    let base = try #require(URL(string: "https://example.org/a/"))
    let url = try #require(URL(string: "b", relativeTo: base))
    let message = invalidValue { _ = try url.storedValue }
    #expect(message?.contains("absoluteURL") == true)
    #expect(try roundTrip(url.absoluteURL) == url.absoluteURL)
  }

  @Test("text that is no URL is an error") func textThatIsNoURL() throws {
    let cell = try OneCell("TEXT")
    for other in ["''", "'a b'", "'http://[bad'"] {
      try cell.set(sql: other)
      #expect(invalidValue { _ = try cell.read { try URL.read(from: $0, at: 0) } } != nil)
    }
  }

  @Test(
    "a decimal is plain digits and comes back equal",
    arguments: [
      ("0", "0"), ("-0", "0"), ("0.0", "0"), ("1.50", "1.5"), ("100", "100"), ("-0.001", "-0.001"),
      ("1e3", "1000"), ("12.3400e2", "1234"), ("1e-10", "0.0000000001"),
      (
        "12345678901234567890123456789012345678", "12345678901234567890123456789012345678"
      ),
      (
        "-0.12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678"
      ),
      ("1e127", "1" + String(repeating: "0", count: 127)),
      ("1e-128", "0." + String(repeating: "0", count: 127) + "1"),
      ("9999999999999999999999.99", "9999999999999999999999.99"),
    ])
  func aDecimalIsPlainDigits(written: String, stored: String) throws {
    let value = try #require(Decimal(string: written))
    #expect(try value.storedValue == .text(stored))
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip(Decimal?.some(value)) == value)
  }

  @Test("the largest and the least decimal come back", .covers("A35"))
  func theLargestAndTheLeastDecimal() throws {
    for value in [
      Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude,
      Decimal.leastNonzeroMagnitude, Decimal.leastNormalMagnitude, .pi,
    ] {
      #expect(try roundTrip(value) == value)
      guard case .text(let text) = try value.storedValue else { throw StoredDifferently() }
      #expect(text.utf8.allSatisfy { "-.0123456789".utf8.contains($0) })
    }
    #expect(
      try Decimal.greatestFiniteMagnitude.storedValue
        == .text("340282366920938463463374607431768211455" + String(repeating: "0", count: 127)))
  }

  @Test("generated decimals come back equal", .covers("A35")) func generatedDecimalsComeBackEqual()
    throws
  {
    var random = SeededGenerator(seed: 38)
    for _ in 0..<3_000 {
      let count = Int.random(in: 1...38, using: &random)
      let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      let exponent = Int.random(in: -120...80, using: &random)
      let value = try #require(Decimal(string: "\(digits)e\(exponent)"))
      guard case .text(let text) = try value.storedValue else { throw StoredDifferently() }
      #expect(Decimal(plainDigits: text) == value, "seed 38: \(digits)e\(exponent)")
    }
  }

  @Test(
    "text that is not plain digits within the type's range is no decimal",
    arguments: [
      "", "-", ".", "1.", ".5", "1e3", "+1", " 1", "1 ", "1,5", "NaN", "0x10", "--1", "1.2.3", "١",
      String(repeating: "9", count: 60), "0." + String(repeating: "0", count: 200) + "1",
      "1" + String(repeating: "0", count: 300),
    ])
  func textThatIsNotPlainDigits(text: String) throws {
    #expect(Decimal(plainDigits: text) == nil)
  }

  @Test(
    "a number that no decimal can represent is not stored as one", .covers("A35"),
    arguments: ["1e500", "5e-324", String(repeating: "7", count: 45)])
  func aNumberThatNoDecimalCanRepresent(text: String) throws {
    let test = try TestVault()
    let description = ClassDescription(
      "Ware", properties: [PropertyDescription("price", Decimal.self)])
    let wares = try test.vault.store(of: description)
    var ware = try DynamicObject(of: description)
    try ware.set("price", to: .text("1e127"))
    try wares.insert(ware)
    let rejection = code { try ware.set("price", to: .text(text)) }
    #expect(rejection == .invalidValue)
    #expect(code { _ = try wares.query.update(set: ["price": text]) } == .invalidValue)
    #expect(code { _ = try wares.object(from: ["price": text]) } == .invalidValue)
    let price = try #require(Decimal(string: "1e127"))
    #expect(try wares.query.values(of: "price", as: Decimal.self) == [price])
  }
}
