import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

private enum Color: String { case red, green }
private enum CodableColor: String, Codable { case red, green }
private enum StorableColor: String, StorableValue, ObjectIDValue { case red, green }
private enum EveryColor: String, Codable, StorableValue, CaseIterable { case red, green }
private enum Level: Int, Codable { case low = -1, high = 1 }
private struct Point: Codable, Equatable {
  var x: Int
  var y: Double?
}
private struct Tag: RawRepresentable, Codable, Equatable {
  var rawValue: String
}
private struct Days: OptionSet, Codable {
  var rawValue: Int
  static let monday = Days(rawValue: 1)
  static let friday = Days(rawValue: 16)
}
private struct Celsius: ConvertibleToStorable, Codable, Equatable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(stored: Double) { degrees = stored }
  var stored: Double { degrees }
}
/// Its raw value is text, its conversion an integer: the conversion counts.
private struct Grade: ConvertibleToStorable, RawRepresentable, Codable, Equatable {
  var rawValue: String
  init(rawValue: String) { self.rawValue = rawValue }
  init(stored: Int) { rawValue = String(repeating: "I", count: stored) }
  var stored: Int { rawValue.count }
}
private struct Maybe: ConvertibleToStorable, Equatable {
  var number: Int?
  init(number: Int?) { self.number = number }
  init(stored: Int?) { number = stored }
  var stored: Int? { number }
}

/// Each case reads, binds and describes by the one name that made code and hand-written code use;
/// that it compiles shows that the forms are not ambiguous.
@Suite("A property of any type") struct PropertyFormTests {
  private func check<T: Equatable>(
    _ value: T, _ property: PropertyDescription, _ type: PropertyType, optional: Bool = false,
    stored: String, bind: (Binder, T) throws -> Void, read: (Row) throws -> T,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(property.type == type, sourceLocation: sourceLocation)
    #expect(property.isOptional == optional, sourceLocation: sourceLocation)
    #expect(property.defect == nil, sourceLocation: sourceLocation)
    let cell = try OneCell(for: property.type)
    try cell.write { try bind($0, value) }
    #expect(try cell.stored() == stored, sourceLocation: sourceLocation)
    #expect(try cell.read(read) == value, sourceLocation: sourceLocation)
  }

  @Test("scalars and their optionals") func scalarsAndTheirOptionals() throws {
    try check(
      5, PropertyDescription("p", Int.self), .int, stored: "integer 5",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Int?.none, PropertyDescription("p", Int?.self), .int, optional: true, stored: "null NULL",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      "it's", PropertyDescription("p", String.self), .string, stored: "text 'it''s'",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0, as: String.self) })
    try check(
      "x" as String?, PropertyDescription("p", String?.self), .string, optional: true,
      stored: "text 'x'", bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0, as: String?.self) })
    try check(
      Date(timeIntervalSince1970: 1.5), PropertyDescription("p", Date.self), .date,
      stored: "real 1.5", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
  }

  @Test("types with raw values and their optionals") func typesWithRawValuesAndTheir() throws {
    try check(
      Color.red, PropertyDescription("p", Color.self), .string, stored: "text 'red'",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Color?.none, PropertyDescription("p", Color?.self), .string, optional: true,
      stored: "null NULL", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      CodableColor.green, PropertyDescription("p", CodableColor.self), .string,
      stored: "text 'green'", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      CodableColor.green as CodableColor?, PropertyDescription("p", CodableColor?.self), .string,
      optional: true, stored: "text 'green'", bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0) })
    try check(
      Level.low as Level?, PropertyDescription("p", Level?.self), .int, optional: true,
      stored: "integer -1", bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0, as: Level?.self) })
    try check(
      Tag(rawValue: "t"), PropertyDescription("p", Tag.self), .string, stored: "text 't'",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      [.monday, .friday] as Days, PropertyDescription("p", Days.self), .int, stored: "integer 17",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Days.friday as Days?, PropertyDescription("p", Days?.self), .int, optional: true,
      stored: "integer 16", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
  }

  @Test(
    "storable types that have raw values or are Codable too",
    .covers("A27", "A39", "J45", "P61", "P62"))
  func storableTypesThatHaveRawValues() throws {
    try check(
      StorableColor.red, PropertyDescription("p", StorableColor.self), .string,
      stored: "text 'red'", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      EveryColor.red as EveryColor?, PropertyDescription("p", EveryColor?.self), .string,
      optional: true, stored: "text 'red'", bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0) })
    try check(
      EveryColor.green, PropertyDescription("p", EveryColor.self), .string,
      stored: "text 'green'", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Celsius(degrees: 20.5), PropertyDescription("p", Celsius.self), .double, stored: "real 20.5",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Celsius?.none, PropertyDescription("p", Celsius?.self), .double, optional: true,
      stored: "null NULL", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Grade(rawValue: "III"), PropertyDescription("p", Grade.self), .int, stored: "integer 3",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Grade(rawValue: "II") as Grade?, PropertyDescription("p", Grade?.self), .int, optional: true,
      stored: "integer 2", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      Maybe(number: nil), PropertyDescription("p", Maybe.self), .int, optional: true,
      stored: "null NULL", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    #expect(try StorableColor.red.objectIDParts == [.text("red")])
  }

  @Test("composites and their optionals", .covers("S7", "S9", "X10", "X40"))
  func compositesAndTheirOptionals() throws {
    try check(
      ["b", "a"], PropertyDescription("p", [String].self), .json, stored: #"text '["b","a"]'"#,
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      [String]?.none, PropertyDescription("p", [String]?.self), .json, optional: true,
      stored: "null NULL", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      [] as [String]?, PropertyDescription("p", [String]?.self), .json, optional: true,
      stored: "text '[]'", bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0, as: [String]?.self) })
    try check(
      [3, 1, 2] as Set<Int>, PropertyDescription("p", Set<Int>.self), .json,
      stored: "text '[1,2,3]'", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      ["b": 1, "a": 2], PropertyDescription("p", [String: Int].self), .json,
      stored: #"text '{"a":2,"b":1}'"#, bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0) })
    try check(
      [2: "b", 1: "a"], PropertyDescription("p", [Int: String].self), .json,
      stored: #"text '[[1,"a"],[2,"b"]]'"#, bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0) })
    try check(
      Point(x: 1, y: 2), PropertyDescription("p", Point.self), .json,
      stored: #"text '{"x":1,"y":2.0}'"#, bind: { try $0.bind($1, at: 0) },
      read: { try $0.value(at: 0) })
    try check(
      Point(x: 1) as Point?, PropertyDescription("p", Point?.self), .json, optional: true,
      stored: #"text '{"x":1}'"#, bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
  }

  @Test("bytes are a blob and not a composite", .covers("S7", "X11")) func bytesAreABlob() throws {
    try check(
      [1, 2] as [UInt8], PropertyDescription("p", [UInt8].self), .data, stored: "blob X'0102'",
      bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      [UInt8]?.none, PropertyDescription("p", [UInt8]?.self), .data, optional: true,
      stored: "null NULL", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
    try check(
      [255] as [UInt8]?, PropertyDescription("p", [UInt8]?.self), .data, optional: true,
      stored: "blob X'FF'", bind: { try $0.bind($1, at: 0) }, read: { try $0.value(at: 0) })
  }

  @Test("a default is kept as the file would keep the value") func aDefaultIsKept() {
    #expect(PropertyDescription("p", Int.self, defaultValue: 5).defaultValue == .integer(5))
    #expect(PropertyDescription("p", Int?.self).defaultValue == nil)
    #expect(PropertyDescription("p", Int?.self, defaultValue: 5).defaultValue == .integer(5))
    #expect(PropertyDescription("p", Color.self, defaultValue: .red).defaultValue == .text("red"))
    #expect(PropertyDescription("p", [Int].self, defaultValue: []).defaultValue == .text("[]"))
    #expect(
      PropertyDescription("p", Grade.self, defaultValue: Grade(rawValue: "I")).defaultValue
        == .integer(1))
    let property = PropertyDescription(
      "p", Double.self, column: "c", defaultValue: 1, renamedFrom: ["o"])
    #expect(property.column == "c")
    #expect(property.defaultValue == .real(1))
    #expect(property.renamedFrom == ["o"])
  }

  @Test("a default that cannot be stored is a defect of the description")
  func aDefaultThatCannotBeStored() {
    let property = PropertyDescription("score", Double.self, defaultValue: .nan)
    #expect(property.defaultValue == nil)
    #expect(property.defect?.contains("'score'") == true)
    #expect(PropertyDescription("p", [Double].self, defaultValue: [.infinity]).defect != nil)
  }

  @Test("an unknown raw value is an error that does not name it") func anUnknownRawValue() throws {
    let cell = try OneCell("TEXT")
    try cell.set(sql: "'violet'")
    for message in [
      invalidValue { _ = try cell.read { try $0.value(at: 0, as: Color.self) } },
      invalidValue { _ = try cell.read { try $0.value(at: 0, as: Color?.self) } },
      invalidValue { _ = try cell.read { try $0.value(at: 0, as: StorableColor.self) } },
    ] {
      #expect(message?.contains("Color") == true)
      #expect(message?.contains("violet") == false)
    }
  }

  @Test("no value where a composite is required is an error") func noValueWhereAComposite() throws {
    let cell = try OneCell("TEXT")
    #expect(
      invalidValue { _ = try cell.read { try $0.value(at: 0, as: [Int].self) } }?
        .contains("optional") == true)
    try cell.set(sql: "'[1,secret]'")
    let message = invalidValue { _ = try cell.read { try $0.value(at: 0, as: [Int].self) } }
    #expect(message?.contains("Column 0") == true)
    #expect(message?.contains("column 4") == true)
    #expect(message?.contains("secret") == false)
  }

  @Test("a nil inside an optional is refused") func aNilInsideAnOptional() {
    #expect(invalidValue { _ = try Int??.some(nil).storedValue } != nil)
    #expect(invalidValue { _ = try Maybe?.some(Maybe(number: nil)).storedValue } != nil)
    #expect(throws: Never.self) { try Int??.some(3).storedValue }
  }
}
