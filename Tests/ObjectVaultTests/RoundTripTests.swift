import Foundation
import ObjectVault
import TestSupport
import Testing

@Suite("Objects of types made by @Stored come back equal")
struct RoundTripTests {
  static let kinds = Kinds(
    bool: true, int: .min, int8: .min, int16: .max, int32: .min, int64: .max,
    uint: UInt(Int64.max), uint8: .max, uint16: .max, uint32: .max, uint64: UInt64(Int64.max),
    float: .leastNonzeroMagnitude, double: .greatestFiniteMagnitude,
    string: "a\0b \"c\" 'd' \u{301}",
    substring: "bc", character: "👨‍👩‍👧", data: Data([0, 255]), bytes: [1, 0, 2],
    date: Date(timeIntervalSince1970: 1.5), uuid: UUID(), url: URL(string: "https://a.b/c?d")!,
    decimal: Decimal(string: "0.10000000000000000001")!, level: .high, array: ["b", "a"],
    set: [3, 1, 2], dictionary: ["a": 0.1], place: Place(street: "Rue", number: nil),
    places: [Place(street: "A", number: 1)], celsius: Celsius(degrees: 36.6))

  @Test("with every kind of property", .covers("S5"))
  func everyKind() throws {
    var expected = Self.kinds
    expected.objectID = 7
    #expect(try roundTrip(Self.kinds, objectID: 7) == expected)
  }

  @Test("with every kind of property as an optional that holds a value")
  func everyOptional() throws {
    let all = Self.kinds
    let full = OptionalKinds(
      bool: all.bool, int: all.int, int8: all.int8, int16: all.int16, int32: all.int32,
      int64: all.int64, uint: all.uint, uint8: all.uint8, uint16: all.uint16, uint32: all.uint32,
      uint64: all.uint64, float: all.float, double: all.double, string: all.string,
      substring: all.substring, character: all.character, data: all.data, bytes: all.bytes,
      date: all.date, uuid: all.uuid, url: all.url, decimal: all.decimal, level: all.level,
      array: all.array, set: all.set, dictionary: all.dictionary, place: all.place,
      places: all.places, celsius: all.celsius)
    #expect(try roundTrip(full) == full)
  }

  @Test("with every kind of property as nil")
  func everyNil() throws {
    let empty = OptionalKinds()
    #expect(try roundTrip(empty) == empty)
  }

  @Test("and an ignored property comes back with its initial value", .covers("X41", "P56"))
  func ignored() throws {
    let pupil = Pupil(
      given: "Li", family: "Wu", age: 7, number: nil, isSelected: true, cache: ["a": 1])
    let back = try roundTrip(pupil, objectID: 1)
    #expect(back.given == "Li" && back.family == "Wu" && back.age == 7)
    #expect(back.isSelected == false)
    #expect(back.cache == nil)
  }

  @Test("private and observed properties are stored, and reading one calls no observer")
  func observed() throws {
    var object = Observed(a: 1, b: 2, secret: 42)
    object.text = "changed"
    object.implicit = "maybe"
    let back = try roundTrip(object)
    #expect(back.a == 1 && back.b == 2 && back.text == "changed" && back.implicit == "maybe")
    #expect(back.revealed == 42)
    #expect(object.changes == 1)
    #expect(back.changes == 0)
  }

  @Test("of a final class")
  func finalClass() throws {
    let note = Note()
    note.text = "kept"
    note.stars = 5
    let back = try roundTrip(note, objectID: 3)
    #expect(back.text == "kept" && back.stars == 5 && back.objectID == 3)
  }

  @Test("of a type nested in another, whose names it uses")
  func nested() throws {
    let lesson = School.Lesson(
      id: UUID(), period: .init(hour: 8), next: nil, kind: .practice, former: [.init(hour: 7)])
    #expect(try roundTrip(lesson) == lesson)
    #expect(try roundTrip(School.Room(name: "A")) == School.Room(name: "A"))
  }

  @Test("of a generic type, and of one whose names are keywords")
  func names() throws {
    #expect(try roundTrip(Box(content: "text")) == Box(content: "text"))
    #expect(try roundTrip(Box(content: 1)) == Box(content: 1))
    let object = `class`(default: 1, self: "self", in: 2, row: "row", binder: true)
    #expect(try roundTrip(object) == object)
    #expect(try roundTrip(Badge(id: 7)) == Badge(id: 7))
    #expect(try roundTrip(`switch`(name: "hall")).name == "hall")
  }

  @Test("of a type with an initializer in an extension that changes its values")
  func otherInitializer() throws {
    var address = Address(zip: "", n: 0)
    (address.zip, address.n) = (" 8001 ", 7)
    let back = try roundTrip(address, objectID: 5)
    #expect(back.zip == " 8001 " && back.n == 7 && back.objectID == 5)
  }

  @Test("of a type whose properties name it Self")
  func namedSelf() throws {
    let outline = Outline(number: 1, kind: .chapter, former: ["part"], parent: Ref(id: 2))
    #expect(try roundTrip(outline) == outline)
    #expect(Outline.classDescription.references.map(\.target) == ["Outline"])
  }

  @Test("of a type whose names cannot be labels")
  func labels() throws {
    let object = Labels(let: 1, var: 2, `inout`: "3", init: 4, Any: true)
    #expect(try roundTrip(object) == object)
    #expect(object.id == Labels.CompositeID(let: 1, var: 2, `inout`: "3"))
    #if compiler(>=6.2)
      let raw = `2 names`(`1st`: 1, `2nd place`: "2", `3`: 3, `4-5`: nil)
      #expect(try roundTrip(raw) == raw)
      #expect(
        `2 names`.classDescription.properties.map(\.name) == ["1st", "2nd place", "3", "4-5"])
    #endif
  }

  @Test("of a class whose attributes name it Self")
  func namedSelfInAttributes() throws {
    let branch = Bough()
    branch.length = .init(metres: 1.5)
    #expect(try roundTrip(branch, objectID: 1).length.metres == 1.5)
    #expect(Bough.ownedProperties.count == 1)
  }

  @Test("of a type with an init accessor")
  func initAccessor() throws {
    let object = Accessed(value: 1, other: 2)
    #expect(try roundTrip(object, objectID: 3).value == 1)
    #expect(Accessed.classDescription.properties.map(\.name) == ["storage", "other"])
  }

  @Test("of a type that hides names of the standard library")
  func hidingNames() throws {
    #expect(try roundTrip(Shadowing(number: 1, text: "a")) == Shadowing(number: 1, text: "a"))
    #expect(try roundTrip(ShadowingGenerated(number: 1), objectID: 7).objectID == 7)
  }

  @Test("of a type in a generic one, and in a constrained extension of it")
  func inGeneric() throws {
    let item = Crate<String>.Item(shelf: 1, place: 2, content: "c")
    #expect(try roundTrip(item) == item)
    let sorted = Crate<Int>.Sorted(content: 3)
    #expect(try roundTrip(sorted) == sorted)
  }

  @Test("of a type with deprecated properties")
  func deprecated() throws {
    #expect(Deprecating.classDescription.properties.map(\.name) == ["old", "new"])
    #expect(try roundTrip(Deprecating(old: 3, new: 4), objectID: 1).new == 4)
  }

  @Test("and literals of several lines are values of old objects")
  func commented() throws {
    #expect(try roundTrip(Commented(a: 1, b: ["k": 2])) == Commented(a: 1, b: ["k": 2]))
    let values = Commented.classDescription.properties.map(\.defaultValue)
    #expect(values[2] == .text("Hello\n  \"World\""))
  }

  @Test("of a type without properties")
  func empty() throws {
    #expect(try roundTrip(Empty(), objectID: 9).objectID == 9)
  }
}
