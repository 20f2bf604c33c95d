import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// A class as it is before and after, by what its one property says.
private protocol Marked: StoredObject, GeneratesObjectID {
  static var property: PropertyDescription { get }
}

extension Marked {
  static var classDescription: ClassDescription {
    ClassDescription("Mark", properties: [PropertyDescription("name", String.self), property])
  }
}

private struct ColouredMark: Marked {
  var objectID: Int64?
  var name: String
  var colour: Hue

  static let property = PropertyDescription("colour", Hue.self, converter: HexColour.self)

  init(row: Row) throws {
    (name, objectID) = (try row.value(at: 0), try row.value(at: 2))
    colour = try row.value(at: 1, through: HexColour.self)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(colour, at: 1, through: HexColour.self)
  }
}

/// The same, with what is to become of numbers.
private struct ConvertedMark: Marked {
  var objectID: Int64?
  var name: String
  var colour: Hue

  static let property = ColouredMark.property
  static let conversions = [
    PropertyConversion("colour", from: Int.self) { try HexColour.stored(Hue(UInt8($0), 0, 0)) }
  ]

  init(row: Row) throws {
    (name, objectID) = (try row.value(at: 0), try row.value(at: 2))
    colour = try row.value(at: 1, through: HexColour.self)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(colour, at: 1, through: HexColour.self)
  }
}

@Suite("A class that gets a converter", .covers("A39"))
struct ConverterUpgradeTests {
  private let test: TestVault

  init() throws { test = try TestVault() }

  /// The class before.
  private func former(_ property: PropertyDescription?, _ values: StoredValue...) throws {
    let description = ClassDescription(
      "Mark",
      properties: [PropertyDescription("name", String.self)] + (property.map { [$0] } ?? []))
    let store = try test.vault.store(of: description)
    for value in values {
      var object = try DynamicObject(of: description)
      try object.set("name", to: .text("a"))
      if property != nil { try object.set("colour", to: value) }
      try store.insert(object)
    }
  }

  @Test("reads what was stored in the form that it stores, without a change of the table")
  func sameForm() throws {
    try former(PropertyDescription("colour", String.self), .text("#0000FF"))
    #expect(try test.vault.store(of: ColouredMark.self).all().map(\.colour) == [.blue])
    // And the other way round.
    let plain = try test.vault.store(named: "Mark")
    #expect(try plain.query.values(of: "colour", as: String.self) == ["#0000FF"])
  }

  @Test("is refused where the values of another type are not converted, and changes nothing")
  func otherForm() throws {
    try former(PropertyDescription("colour", Int.self), .integer(255))
    let error = #expect(throws: VaultError.self) { try test.vault.store(of: ColouredMark.self) }
    #expect(error?.code == .upgradeRefused)
    #expect(error?.message.contains("colour") == true)
    let row = try test.vault.row("SELECT typeof(colour) AS t, colour FROM \"Mark\"")
    #expect(try row?.value("t", as: String.self) == "integer")
    let marks = try test.vault.store(of: ConvertedMark.self)
    #expect(try marks.all().map(\.colour) == [.red])
    #expect(try marks.where("colour == %@", Hue.red).count() == 1)
  }

  @Test("takes an empty table of another form")
  func empty() throws {
    try former(PropertyDescription("colour", Int.self))
    let marks = try test.vault.store(of: ColouredMark.self)
    #expect(marks.classDescription.properties[1].type == .string)
    #expect(try marks.count() == 0)
  }
}
