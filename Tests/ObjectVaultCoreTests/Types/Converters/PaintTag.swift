import Foundation
import ObjectVaultCore

/// Neither storable nor `Codable`.
struct Hue: Hashable, Sendable {
  var red, green, blue: UInt8
  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }
  static let red = Hue(255, 0, 0)
  static let green = Hue(0, 255, 0)
  static let blue = Hue(0, 0, 255)
  /// Not to be stored.
  static let infrared = Hue(1, 1, 1)
}

/// What a converter of an application may throw, with all that it should not say.
struct NoColour: Error { var text: String }

/// `#FF0000`.
enum HexColour: PropertyConverter {
  static func stored(_ colour: Hue) throws -> String {
    if colour == .infrared { throw NoColour(text: "infrared") }
    let parts = [colour.red, colour.green, colour.blue].map { part in
      let digits = String(part, radix: 16, uppercase: true)
      return part < 16 ? "0\(digits)" : digits
    }
    return "#\(parts.joined())"
  }

  static func value(_ stored: String) throws -> Hue {
    guard stored.hasPrefix("#"), stored.utf8.count == 7,
      let number = UInt32(stored.dropFirst(), radix: 16)
    else { throw NoColour(text: stored) }
    func part(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    return Hue(part(16), part(8), part(0))
  }
}

/// A type with a form of its own, stored as INTEGER here.
enum Cents: PropertyConverter {
  static func stored(_ value: Decimal) throws -> Int {
    let cents = value * 100
    guard let number = Int("\(cents)") else { throw NoColour(text: "\(value)") }
    return number
  }
  static func value(_ stored: Int) -> Decimal { Decimal(stored) / 100 }
}

/// Milliseconds since 1970.
enum Milliseconds: PropertyConverter {
  static func stored(_ date: Date) -> Int { Int((date.timeIntervalSince1970 * 1000).rounded()) }
  static func value(_ stored: Int) -> Date { Date(timeIntervalSince1970: Double(stored) / 1000) }
}

enum YesOrNo: PropertyConverter {
  static func stored(_ value: Bool) -> String { value ? "yes" : "no" }
  static func value(_ stored: String) throws -> Bool {
    guard stored == "yes" || stored == "no" else { throw NoColour(text: stored) }
    return stored == "yes"
  }
}

/// Text to text: what is meant is told by the type alone.
enum Mirrored: PropertyConverter {
  static func stored(_ text: String) -> String { String(text.reversed()) }
  static func value(_ stored: String) -> String { String(stored.reversed()) }
}

/// A class with converters, by hand.
struct PaintTag: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var colour: Hue
  var border: Hue?
  var price: Decimal
  var made: Date
  var changed: Date
  var isOn: Bool
  var code: String
  var shelf: Ref<PaintShelf>?

  init(
    _ name: String, _ colour: Hue, border: Hue? = nil, price: Decimal = 1, made: Date = .madeDay,
    isOn: Bool = false, shelf: Int64? = nil
  ) {
    (self.name, self.colour, self.border, self.price) = (name, colour, border, price)
    (self.made, changed, self.isOn, code) = (made, made, isOn, name + "!")
    self.shelf = shelf.map { Ref(id: $0) }
  }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var name: Property<String> { origin.property("name") }
    var colour: ConvertedProperty<HexColour, Hue> { origin.property("colour") }
    var border: ConvertedProperty<HexColour, Hue?> { origin.property("border") }
    var price: ConvertedProperty<Cents, Decimal> { origin.property("price") }
    var made: ConvertedProperty<Milliseconds, Date> { origin.property("made") }
    var changed: Property<Date> { origin.property("changed") }
    var isOn: ConvertedProperty<YesOrNo, Bool> { origin.property("isOn") }
    var code: ConvertedProperty<Mirrored, String> { origin.property("code") }
    /// A price, taken for a number that a converter makes.
    var halved: ConvertedProperty<Halved, Int> { origin.property("price") }
    var shelf: RelatedObject<PaintShelf> { origin.object("shelf") }
  }

  static let classDescription = ClassDescription(
    "Tag",
    members: [
      .property(.init("name", String.self)),
      .property(.init("colour", Hue.self, converter: HexColour.self, column: "tint")),
      .property(.init("border", Hue?.self, converter: HexColour.self)),
      .property(.init("price", Decimal.self, converter: Cents.self, defaultValue: 2.5)),
      .property(.init("made", Date.self, converter: Milliseconds.self)),
      .property(.init("changed", Date.self)),
      .property(.init("isOn", Bool.self, converter: YesOrNo.self, defaultValue: true)),
      .property(.init("code", String.self, converter: Mirrored.self)),
      .reference("shelf", Ref<PaintShelf>?.self),
    ], indexes: [.init(["colour"], unique: true)])
  static var referencedClasses: [any StoredObject.Type] { [PaintShelf.self] }
  static var propertyNames: [AnyKeyPath: String] {
    [
      \PaintTag.name: "name", \PaintTag.colour: "colour", \PaintTag.border: "border",
      \PaintTag.price: "price",
      \PaintTag.made: "made", \PaintTag.isOn: "isOn", \PaintTag.changed: "changed",
      \PaintTag.code: "code",
    ]
  }

  init(row: Row) throws {
    name = try row.value(at: 0)
    colour = try row.value(at: 1, through: HexColour.self)
    border = try row.value(at: 2, through: HexColour.self)
    price = try row.value(at: 3, through: Cents.self)
    made = try row.value(at: 4, through: Milliseconds.self)
    changed = try row.value(at: 5)
    isOn = try row.value(at: 6, through: YesOrNo.self)
    code = try row.value(at: 7, through: Mirrored.self)
    shelf = try row.value(at: 8)
    objectID = try row.value(at: 9)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(colour, at: 1, through: HexColour.self)
    try binder.bind(border, at: 2, through: HexColour.self)
    try binder.bind(price, at: 3, through: Cents.self)
    try binder.bind(made, at: 4, through: Milliseconds.self)
    try binder.bind(changed, at: 5)
    try binder.bind(isOn, at: 6, through: YesOrNo.self)
    try binder.bind(code, at: 7, through: Mirrored.self)
    try binder.bind(shelf, at: 8)
  }
}

/// Has tags.
struct PaintShelf: StoredObject, Hashable, Sendable {
  var id: Int64
  var colour: Hue
  var tags: [PaintTag]?

  init(_ id: Int64, _ colour: Hue) { (self.id, self.colour) = (id, colour) }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var colour: ConvertedProperty<HexColour, Hue> { origin.property("colour") }
    var tags: RelatedObjects<PaintTag> { origin.objects("tags") }
  }

  static let classDescription = ClassDescription(
    "Shelf",
    members: [
      .property(.init("id", Int64.self)),
      .property(.init("colour", Hue.self, converter: HexColour.self)),
      .owned("tags", PaintTag.self, reference: "shelf"),
    ], objectID: ["id"])
  static let referenceTarget = ReferenceTarget(table: "Shelf", columns: ["id"])
  static var referencedClasses: [any StoredObject.Type] { [PaintTag.self] }
  static var ownedProperties: [OwnedProperty<PaintShelf>] { [.many(\.tags, by: \PaintTag.shelf)] }
  var storedObjectID: Int64? { id }

  init(row: Row) throws {
    id = try row.value(at: 0)
    colour = try row.value(at: 1, through: HexColour.self)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(id, at: 0)
    try binder.bind(colour, at: 1, through: HexColour.self)
  }
}

extension Date {
  static let madeDay = Date(timeIntervalSince1970: 1_700_000_000.125)
  static let madeLater = Date(timeIntervalSince1970: 1_700_000_001.5)
}
