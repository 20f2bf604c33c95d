import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

private struct Circle {}
private struct Square {}
private enum Shapes: StorableTypes {
  static var types: [String: Any.Type] { ["circle": Circle.self, "square": Square.self] }
}

@Suite("A colour, an image or a type as a property")
struct AdapterTests {
  @Test("A colour is one number", .covers("A36"))
  func colour() throws {
    for part in UInt8.min...UInt8.max {
      let color = RGBAColor(red: part, green: 255 - part, blue: part ^ 0x55, alpha: part &* 3)
      #expect(try roundTrip(color) == color)
    }
    let orange = RGBAColor(red: 0xFF, green: 0x80, blue: 0x01)
    #expect(try orange.storedValue == .integer(0xFF80_01FF))
    #expect(RGBAColor.propertyType.columnType == "INTEGER")
    #expect(RGBAColor(stored: 0x0102_0304) == RGBAColor(red: 1, green: 2, blue: 3, alpha: 4))
    let cell = try OneCell(for: RGBAColor.propertyType)
    for wrong in ["-1", "4294967296", "'red'"] {
      try cell.set(sql: wrong)
      #expect(invalidValue { _ = try cell.read { try RGBAColor.read(from: $0, at: 0) } } != nil)
    }
  }

  @Test("An image is the bytes of its file", .covers("X12"))
  func image() throws {
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1, 2])
    #expect(try roundTrip(ImageData(png)) == ImageData(png))
    #expect(try roundTrip(ImageData(Data())) == ImageData(Data()))
    #expect(try ImageData(png).storedValue == .blob([UInt8](png)))
    #expect(ImageData.propertyType == .data)
  }

  @Test(
    "An image tells its format by its first bytes",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], ImageData.Format.png),
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), (Array("GIF89a".utf8), .gif),
      (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("....ftypheic".utf8), .heif),
      ([0x49, 0x49, 0x2A, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
      (Array("BM....".utf8), .bmp), (Array("RIFF....WAVE".utf8), nil),
      (Array("....ftypisom".utf8), nil), ([0x89, 0x50], nil), ([], nil),
    ])
  func format(_ bytes: [UInt8], _ expected: ImageData.Format?) {
    #expect(ImageData(Data(bytes)).format == expected)
    // A part of other data has indices of its own.
    #expect(ImageData((Data([1, 2, 3]) + Data(bytes)).dropFirst(3)).format == expected)
  }

  @Test("A type is stored by its name in a list, and no other comes back", .covers("A33"))
  func type() throws {
    let circle = try StoredType<Shapes>(Circle.self)
    #expect(try roundTrip(circle) == circle)
    #expect(try roundTrip(circle).type == Circle.self)
    #expect(try circle.storedValue == .text("circle"))
    #expect(try circle != StoredType(Square.self))
    #expect(StoredType<Shapes>.propertyType == .string)
    #expect(invalidValue { _ = try StoredType<Shapes>(Int.self) } != nil)
    let cell = try OneCell(for: .string)
    try cell.set(sql: "'Int'")
    #expect(
      invalidValue { _ = try cell.read { try StoredType<Shapes>.read(from: $0, at: 0) } } != nil)
  }

  @Test("They are arguments of conditions, as they are stored", .covers("X12", "A33", "A36"))
  func conditions() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    let drawing = ClassDescription(
      "Drawing",
      properties: [
        PropertyDescription("color", RGBAColor.self), PropertyDescription("image", ImageData?.self),
        PropertyDescription("shape", StoredType<Shapes>.self),
      ])
    let store = try vault.store(of: drawing)
    let (color, image) = (RGBAColor(red: 1, green: 2, blue: 3), ImageData(Data([1, 2])))
    let shape = try StoredType<Shapes>(Square.self)
    var object = try DynamicObject(of: drawing)
    try object.set("color", to: color.storedValue)
    try object.set("image", to: image.storedValue)
    try object.set("shape", to: shape.storedValue)
    try store.insert(object)
    #expect(
      try store.where("color == %@ && image == %@ && shape == %@", color, image, shape).count() == 1
    )
    #expect(try store.where("color != %@", color).count() == 0)
  }
}
