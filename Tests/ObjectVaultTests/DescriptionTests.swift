import Foundation
import ObjectVault
import TestSupport
import Testing

/// The conformance that `@Stored` writes for ``Pupil``, by hand: 18 lines.
struct HandmadePupil {
  var objectID: Int64?
  var given = "", family = "", age = 0, number: String?, seat = 0
}

extension HandmadePupil: StoredObject, GeneratesObjectID {
  static let classDescription = ClassDescription(
    "Pupil", table: "pupils",
    properties: [
      .init("given", String.self, column: "given_name"),
      .init(
        "family", String.self, column: "family_name", renamedFrom: ["surname", "last_name"]),
      .init("age", Int.self), .init("number", String?.self),
      .init("seat", Int.self, defaultValue: 0),
    ],
    indexes: [
      .init(["age"]), .init(["number"], unique: true), .init(["age", "seat"]),
      .init(["family", "given"], unique: true),
    ])

  init(row: ObjectVault.Row) throws {
    (given, family) = (try row.value(at: 0), try row.value(at: 1))
    (age, number, seat) = (try row.value(at: 2), try row.value(at: 3), try row.value(at: 4))
    objectID = try row.value(at: 5)
  }

  func encode(into binder: ObjectVault.Binder) throws {
    try binder.bind(given, at: 0)
    try binder.bind(family, at: 1)
    try binder.bind(age, at: 2)
    try binder.bind(number, at: 3)
    try binder.bind(seat, at: 4)
  }
}

@Suite("The description that @Stored writes")
struct DescriptionTests {
  @Test("equals one written by hand", .covers("S1", "X37", "X42", "J65"))
  func byHand() throws {
    #expect(Pupil.classDescription == HandmadePupil.classDescription)
    let pupil = try roundTrip(
      Pupil(given: "Li", family: "Wu", age: 7, number: "1", seat: 2), objectID: 4)
    var handmade = HandmadePupil()
    handmade.given = "Li"
    handmade.family = "Wu"
    handmade.age = 7
    handmade.number = "1"
    handmade.seat = 2
    let back = try roundTrip(handmade, objectID: 4)
    #expect(
      (back.given, back.family, back.age, back.seat) == (
        pupil.given, pupil.family, pupil.age, pupil.seat
      ))
    #expect(back.number == pupil.number && back.objectID == pupil.objectID)
  }

  @Test("names the table after the type, without what the type is nested in", .covers("S5"))
  func tables() {
    #expect(Kinds.classDescription.table == "Kinds")
    #expect(School.Lesson.classDescription.table == "Lesson")
    #expect(`class`.classDescription.table == "class")
    #expect(Box<Int>.classDescription.table == "int_boxes")
    #expect(HiddenTypes.tables == ["FilePrivateThing", "PrivateThing", "Inner"])
  }

  @Test("names columns after properties, in declaration order", .covers("S5", "J6"))
  func columns() {
    #expect(
      `class`.classDescription.properties.map(\.column)
        == ["default", "self", "in", "row", "binder"])
    #expect(
      Observed.classDescription.properties.map(\.name)
        == ["a", "b", "text", "secret", "implicit"])
    #expect(Empty.classDescription.properties.isEmpty)
  }

  @Test("says of each property what it holds and whether it may be nil")
  func types() {
    let types: [PropertyType] = [
      .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .float,
      .double, .string, .string, .character, .data, .data, .date, .uuid, .url, .decimal, .string,
      .json, .json, .json, .json, .json, .double,
    ]
    #expect(Kinds.classDescription.properties.map(\.type) == types)
    #expect(OptionalKinds.classDescription.properties.map(\.type) == types)
    #expect(Kinds.classDescription.properties.allSatisfy { !$0.isOptional })
    #expect(OptionalKinds.classDescription.properties.allSatisfy { $0.isOptional })
    #expect(
      Observed.classDescription.properties.map(\.isOptional)
        == [false, false, false, false, true])
  }

  @Test("takes literals, and nothing else, as the values of older objects")
  func defaults() {
    let defaults = Defaults.classDescription.properties.map { $0.defaultValue }
    #expect(
      defaults == [
        .integer(7), .integer(-7), .real(1.5), .text("a \"quoted\"\n\u{e9}"), .integer(1), .real(1),
        .text("2.5"), .text("x"), .text("[1,-2]"), .text(#"{"a":[]}"#), .text("set"), nil, nil, nil,
      ])
    #expect(
      Defaults.classDescription.properties.map(\.type) == [
        .int, .int, .double, .string, .bool, .double, .decimal, .character, .json, .json, .string,
        .string, .uuid, .string,
      ])
  }
}
