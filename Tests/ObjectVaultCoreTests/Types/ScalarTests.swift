import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("Scalar types") struct ScalarTests {
  private func bothEnds<T: FixedWidthInteger & StorableValue>(_ type: T.Type) throws {
    for value in [T.min, 0, 1, T.max] { #expect(try roundTrip(value) == value) }
    #expect(try roundTrip(T?.none) == nil)
    #expect(try roundTrip(T?.some(0)) == 0)
  }

  @Test("every integer type comes back at both ends of its range", .covers("S8", "X7", "A31"))
  func everyIntegerTypeComesBack()
    throws
  {
    try bothEnds(Int.self)
    try bothEnds(Int8.self)
    try bothEnds(Int16.self)
    try bothEnds(Int32.self)
    try bothEnds(Int64.self)
    try bothEnds(UInt8.self)
    try bothEnds(UInt16.self)
    try bothEnds(UInt32.self)
    #expect(try roundTrip(UInt64(Int64.max)) == UInt64(Int64.max))
    #expect(try roundTrip(UInt(Int64.max)) == UInt(Int64.max))
  }

  @Test("unsigned numbers above Int64.max are refused, not wrapped", .covers("S8"))
  func unsignedNumbersAboveInt64Max() throws {
    let cell = try OneCell("INTEGER")
    for value in [UInt64(Int64.max) + 1, UInt64.max] {
      let message = invalidValue { try cell.write { try value.bind(to: $0, at: 0) } }
      #expect(message?.contains("UInt64") == true)
      #expect(message?.contains(String(value)) == false)
      #expect(invalidValue { _ = try value.storedValue } != nil)
      #expect(invalidValue { _ = try UInt(value).storedValue } != nil)
    }
    #expect(try cell.stored() == "null NULL")
  }

  @Test("a number outside a narrow type's range is an error that names the column and type")
  func aNumberOutsideANarrowTypes()
    throws
  {
    let cell = try OneCell("INTEGER")
    try cell.set(sql: "300")
    let message = invalidValue { _ = try cell.read { try Int8.read(from: $0, at: 0) } }
    #expect(message?.contains("Column 0") == true)
    #expect(message?.contains("Int8") == true)
    #expect(message?.contains("300") == false)
    try cell.set(sql: "-1")
    #expect(invalidValue { _ = try cell.read { try UInt.read(from: $0, at: 0) } } != nil)
    #expect(invalidValue { _ = try cell.read { try Bool.read(from: $0, at: 0) } } != nil)
    try cell.set(sql: "2")
    #expect(invalidValue { _ = try cell.read { try Bool.read(from: $0, at: 0) } } != nil)
  }

  @Test("true and false are 1 and 0", .covers("S8", "A32")) func trueAndFalseAre1() throws {
    #expect(try roundTrip(true))
    #expect(try !roundTrip(false))
    #expect(true.storedValue == .integer(1))
    #expect(try roundTrip(Bool?.some(false)) == false)
    #expect(try roundTrip(Bool?.none) == nil)
  }

  @Test(
    "a double comes back bit for bit",
    arguments: [
      0.0, 1, -1, 0.1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .pi, 1e22,
      9_007_199_254_740_991, 1.7976931348623155e308, 0x1.fffffffffffffp-1022,
    ])
  func aDoubleComesBackBit(value: Double) throws {
    #expect(try roundTrip(value).bitPattern == value.bitPattern)
    #expect(try roundTrip(CGFloat(value)) == CGFloat(value))
    #expect(try roundTrip(Double?.some(value)) == value)
  }

  @Test(
    "a float comes back bit for bit",
    arguments: [
      Float(0), 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .pi,
      16_777_216,
    ])
  func aFloatComesBackBit(value: Float) throws {
    #expect(try roundTrip(value).bitPattern == value.bitPattern)
  }

  @Test("negative zero becomes zero") func negativeZeroBecomesZero() throws {
    #expect(try roundTrip(-0.0).sign == .plus)
    #expect(try roundTrip(Float(-0.0)).sign == .plus)
    let cell = try OneCell("")
    try cell.write { try (-0.0).bind(to: $0, at: 0) }
    #expect(try cell.read { $0.real(at: 0) }.sign == .plus)
    #expect(
      try roundTrip(Date(timeIntervalSince1970: -0.0)).timeIntervalSince1970.sign == .plus)
  }

  @Test("NaN is refused by every type that has it, and the cell keeps what it held", .covers("A32"))
  func nanIsRefusedByEveryType() throws {
    let cell = try OneCell("REAL")
    try cell.set(sql: "7.5")
    #expect(invalidValue { try cell.write { try Double.nan.bind(to: $0, at: 0) } } != nil)
    #expect(invalidValue { try cell.write { try Float.nan.bind(to: $0, at: 0) } } != nil)
    #expect(invalidValue { try cell.write { try CGFloat.nan.bind(to: $0, at: 0) } } != nil)
    #expect(invalidValue { try cell.write { try Double?.some(.nan).bind(to: $0, at: 0) } } != nil)
    #expect(
      invalidValue {
        try cell.write { try Date(timeIntervalSince1970: .nan).bind(to: $0, at: 0) }
      } != nil)
    #expect(invalidValue { try cell.write { try Decimal.nan.bind(to: $0, at: 0) } } != nil)
    #expect(invalidValue { _ = try Double.signalingNaN.storedValue } != nil)
    #expect(try cell.stored() == "real 7.5")
  }

  @Test("a number too large for a float is an error") func aNumberTooLarge() throws {
    let cell = try OneCell("REAL")
    try cell.set(sql: "1e300")
    #expect(invalidValue { _ = try cell.read { try Float.read(from: $0, at: 0) } } != nil)
    try cell.set(sql: "9e999")
    #expect(try cell.read { try Float.read(from: $0, at: 0) } == .infinity)
  }

  @Test("no value where one is required names the column and what to do")
  func noValueWhereOneIsRequired() throws {
    let cell = try OneCell("")
    func message<T: StorableValue>(_ type: T.Type) -> String? {
      invalidValue { _ = try cell.read { try T.read(from: $0, at: 0) } }
    }
    let messages = [
      message(Bool.self), message(Int.self), message(UInt8.self), message(Double.self),
      message(Float.self), message(String.self), message(Substring.self), message(Character.self),
      message(Data.self), message([UInt8].self), message(Date.self), message(UUID.self),
      message(URL.self), message(Decimal.self),
    ]
    for message in messages {
      #expect(message?.hasPrefix("Column 0 contains no value") == true)
      #expect(message?.contains("optional") == true)
    }
  }

  @Test("text or a blob where a number is read is an error") func textOrABlob() throws {
    let cell = try OneCell("")
    for content in ["'secret'", "x''", "''"] {
      try cell.set(sql: content)
      for read in [
        { _ = try Int.read(from: $0, at: 0) }, { _ = try Bool.read(from: $0, at: 0) },
        { _ = try Double.read(from: $0, at: 0) }, { _ = try Date.read(from: $0, at: 0) },
      ] as [(Row) throws -> Void] {
        let message = invalidValue { try cell.read(read) }
        #expect(message != nil)
        #expect(message?.contains("secret") == false)
      }
    }
  }
  @Test("text that begins with a number is no date and no Bool") func beginningWithNumber() throws {
    let cell = try OneCell("")
    for content in ["'12secret'", "'1secret'", "'1.5 secret'", "'2026-01-01'"] {
      try cell.set(sql: content)
      for read in [
        { _ = try Bool.read(from: $0, at: 0) }, { _ = try Date.read(from: $0, at: 0) },
      ] as [(Row) throws -> Void] {
        let message = invalidValue { try cell.read(read) }
        #expect(message?.contains("contains text") == true, "\(content)")
      }
    }
  }

  @Test("a number with a fraction is no Bool, and one without is") func fractions() throws {
    let cell = try OneCell("")
    for content in ["1.9", "0.5", "9.3e18", "2.0"] {
      try cell.set(sql: content)
      #expect(invalidValue { try cell.read { _ = try Bool.read(from: $0, at: 0) } } != nil)
    }
    try cell.set(sql: "1.0")
    #expect(try cell.read { try Bool.read(from: $0, at: 0) })
  }
}
